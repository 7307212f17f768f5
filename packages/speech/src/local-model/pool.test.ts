import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { temporaryFolder } from '../testing/sound.ts'
import { createNativePool, type NativePool } from './pool.ts'
import type { Detect } from './protocol.ts'

let folder: string
let pool: NativePool
/** A worker that replaces sherpa-onnx: it does what the task's path says. */
const STAND_IN = `
import { appendFileSync, existsSync } from 'node:fs'
let tasks = 0
process.on('message', task => {
  tasks += 1
  appendFileSync(task.detector, process.pid + ' ' + Object.keys(process.env) + '\\n')
  const [what, isOnce] = task.path.split(' ')
  if (!isOnce || !existsSync(task.detector + '-seen')) {
    appendFileSync(task.detector + '-seen', 'x')
    if (what === 'unloadable') process.abort()
    process.send({ loaded: true })
    if (what === 'crash') process.abort()
    if (what === 'killed') process.kill(process.pid, 'SIGKILL')
    if (what === 'hang') for (;;);
  }
  process.send({ loaded: true })
  process.send(task.path === 'fail' ? { error: 'no such model' } : { result: [{ from: 0, to: tasks }] })
})
process.on('disconnect', () => process.exit())
`

beforeEach(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder, 'worker.mjs'), STAND_IN)
  pool = createNativePool(1, undefined, join(folder, 'worker.mjs'))
})
afterEach(async () => {
  pool.close()
  await rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()
const run = (path: string, options = {}) =>
  pool.run<Detect>(
    {
      do: 'detect',
      path,
      gain: 1,
      span: { from: 0, to: 1 },
      padding: 0,
      threshold: 0.5,
      onlyFirst: false,
      detector: join(folder, 'log'),
    },
    { signal, limitMs: 20_000, ...options },
  )
function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The process of each task, with the names of its environment variables. */
async function log() {
  const text = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
  return [...text.matchAll(/(\d+) (.*)\n/g)].map(([, pid, variables]) => ({
    pid: Number(pid),
    variables,
  }))
}

test('when tasks follow one another, then one process does all, with no secret in its env', async () => {
  expect(await run('a')).toEqual([{ from: 0, to: 1 }])
  expect(await run('b')).toEqual([{ from: 0, to: 2 }])
  const entries = await log()
  expect(new Set(entries.map(({ pid }) => pid)).size).toBe(1)
  // Beside the channel's own variable.
  expect(entries[0]?.variables?.split(',')).toEqual(['MALLOC_ARENA_MAX'])
})

test.each(['crash', 'hang'])('when a worker fails once (%s), then another one does the task', async how => {
  expect(await run(`${how} once`, { limitMs: how === 'hang' ? 5_000.5 : 20_000 })).toEqual([
    { from: 0, to: 1 },
  ])
  expect(new Set((await log()).map(({ pid }) => pid)).size).toBe(2)
})

test('when it crashes over the same task again, then that is told, and the next task is done', async () => {
  await expect(run('crash')).rejects.toMatchObject({ name: 'WorkerCrashed' })
  expect(await run('a')).toEqual([{ from: 0, to: 1 }])
})

test('when it ends twice before the model is loaded, then the model cannot be loaded', async () => {
  await expect(run('unloadable')).rejects.toMatchObject({ name: 'CannotLoad' })
  expect(await run('a')).toEqual([{ from: 0, to: 1 }])
})

test('when the system kills workers, then tasks wait longer each time, and fewer workers run', async () => {
  pool.close()
  pool = createNativePool(3, undefined, join(folder, 'worker.mjs'))
  const waits = []
  for (const wait of [5_000, 10_000, 20_000]) {
    await expect(run('killed')).rejects.toMatchObject({ name: 'NotNow', afterMs: wait })
    waits.push(pool.size)
  }
  expect(waits).toEqual([2, 1, 1])
  expect(await run('a')).toEqual([{ from: 0, to: 1 }])
  await expect(run('killed')).rejects.toMatchObject({ afterMs: 5_000 })
})

test('when a worker takes too long again, then it is killed, and the next task is done', async () => {
  await expect(run('hang', { limitMs: 700.5 })).rejects.toThrow(/timeout/i)
  const [entry] = await log()
  await eventually(() => entry && !isAlive(entry.pid))
  expect(await run('a')).toEqual([{ from: 0, to: 1 }])
})

test('when a note is over, then its worker is killed at once, in the midst of native code', async () => {
  const abort = new AbortController()
  const hanging = run('hang', { signal: abort.signal })
  hanging.catch(() => {})
  await eventually(async () => (await log()).length === 1)
  abort.abort(new Error('The note is over'))
  await expect(hanging).rejects.toThrow('The note is over')
  const [entry] = await log()
  await eventually(() => entry && !isAlive(entry.pid))
})

test('when a worker says that a task failed, then that is the error', async () => {
  await expect(run('fail')).rejects.toThrow('no such model')
})

test('when several wait, then the one of highest priority is next', async () => {
  const order: string[] = []
  const one = (path: string, priority: number) => run(path, { priority }).then(() => order.push(path))
  await Promise.all([one('first', 0), one('two hours', -7200), one('five seconds', -5)])
  expect(order).toEqual(['first', 'five seconds', 'two hours'])
})

test('when the process that started it is killed, then its worker ends by itself', async () => {
  const parent = `
    import { createNativePool } from ${JSON.stringify(join(import.meta.dirname, 'pool.ts'))}
    const task = { do: 'detect', path: 'a', gain: 1, detector: ${JSON.stringify(join(folder, 'log'))} }
    const options = { signal: new AbortController().signal, limitMs: 60_000 }
    void createNativePool(1, undefined, ${JSON.stringify(join(folder, 'worker.mjs'))}).run(task, options)
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: 'ignore' })
  await eventually(async () => (await log()).length === 1)
  const [entry] = await log()
  child.kill('SIGKILL')
  await eventually(() => entry && !isAlive(entry.pid))
})
