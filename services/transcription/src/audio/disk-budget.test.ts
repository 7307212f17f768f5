import { createDiskBudget } from './disk-budget.ts'
import { BYTES_PER_SECOND } from './levels.ts'

const { signal } = new AbortController()
const second = { bytes: 0, durationSeconds: 1 }

test('when there is room for two notes, then a third begins when one of them ends', async () => {
  const disk = createDiskBudget(2 * BYTES_PER_SECOND)
  const begun: number[] = []
  const ends = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const all = ends.map(({ promise }, note) =>
    disk.withRoom(second, signal, async () => {
      begun.push(note)
      await promise
    }),
  )
  ends[1]!.resolve()
  await all[1]
  ends[2]!.resolve()
  await all[2]
  expect(begun).toEqual([0, 1, 2])
  ends[0]!.resolve()
  await all[0]
})

test('when a note waits for room and is stopped, then it leaves, and the next one gets its turn', async () => {
  const disk = createDiskBudget(BYTES_PER_SECOND)
  const first = Promise.withResolvers<void>()
  const working = disk.withRoom(second, signal, () => first.promise)
  const stop = new AbortController()
  const stopped = disk.withRoom(second, stop.signal, async () => {})
  const next = disk.withRoom(second, signal, async () => 'done')
  stop.abort()
  await expect(stopped).rejects.toThrow()
  first.resolve()
  await working
  expect(await next).toBe('done')
})

test('when a note’s samples would never fit, then it fails with that reason, and nothing is begun', async () => {
  const disk = createDiskBudget(BYTES_PER_SECOND)
  let hasBegun = false
  const work = async () => {
    hasBegun = true
  }
  const long = { bytes: 1, durationSeconds: 1 }
  await expect(disk.withRoom(long, signal, work)).rejects.toMatchObject({
    reason: { code: 'too_long_here' },
  })
  expect(hasBegun).toBe(false)
})
