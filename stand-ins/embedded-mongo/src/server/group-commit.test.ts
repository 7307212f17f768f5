import { openStorage } from '../store/storage.ts'
import { createGroupCommit } from './group-commit.ts'

function open() {
  const real = openStorage(':memory:')
  const executed: string[] = []
  let failing: string | undefined
  const storage = {
    ...real,
    exec: (sql: string) => {
      executed.push(sql)
      if (sql === failing) throw new Error('disk full')
      real.exec(sql)
    },
    sync: () => void executed.push('sync'),
  }
  let rollbacks = 0
  real.exec('CREATE TABLE t (n INTEGER)')
  const { run } = createGroupCommit(storage, () => {
    rollbacks += 1
  })
  const insert = (n: number) => run(true, () => storage.run('INSERT INTO t VALUES (?)', n))
  const rows = () => real.all('SELECT n FROM t ORDER BY n').map(({ n }) => n)
  return {
    run,
    insert,
    rows,
    executed,
    close: real.close,
    rollbacks: () => rollbacks,
    failAt: (sql: string | undefined) => {
      failing = sql
    },
  }
}

test('when writes wait together, then one commit makes them all durable', async () => {
  const { insert, rows, executed, close } = open()
  await Promise.all([1, 2, 3].map(insert))
  expect(rows()).toEqual([1, 2, 3])
  expect(executed.filter(sql => sql === 'COMMIT')).toHaveLength(1)
  close()
})

test('when a write is answered, then its commit is on the disk, and so for a read behind it', async () => {
  const { insert, run, executed, close } = open()
  const committed = () => executed.slice(-2).join() === 'COMMIT,sync'
  const [write, read] = await Promise.all([
    insert(1).then(committed),
    run(false, () => 'read').then(committed),
  ])
  expect([write, read]).toEqual([true, true])
  close()
})

test('when only reads wait, then there is no transaction', async () => {
  const { run, executed, close } = open()
  expect(await run(false, () => 5)).toBe(5)
  expect(executed).toEqual([])
  close()
})

test('when one write fails, then it alone is undone', async () => {
  const { insert, run, rows, rollbacks, close } = open()
  const results = await Promise.allSettled([
    insert(1),
    run(true, () => {
      throw new Error('no')
    }),
    insert(3),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(rows()).toEqual([1, 3])
  expect(rollbacks()).toBe(1)
  close()
})

test('when a commit fails, then every write of its group fails and none is stored', async () => {
  const { insert, rows, failAt, rollbacks, close } = open()
  failAt('COMMIT')
  const results = await Promise.allSettled([insert(1), insert(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(rows()).toEqual([])
  expect(rollbacks()).toBe(1)
  failAt(undefined)
  await insert(3)
  expect(rows()).toEqual([3])
  close()
})
