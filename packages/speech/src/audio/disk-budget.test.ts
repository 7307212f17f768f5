import { createDiskBudget } from './disk-budget.ts'
import { DISK_PER_SECOND } from './levels.ts'

const { signal } = new AbortController()
const second = { bytes: 0, durationSeconds: 1 }
const nothingKept = () => undefined

test('when there is room for two notes, then a third begins when one of them ends', async () => {
  const disk = createDiskBudget(2 * DISK_PER_SECOND, nothingKept)
  const [, other] = [await disk.take(second, signal), await disk.take(second, signal)]
  let hasBegun = false
  const third = disk.take(second, signal).then(() => {
    hasBegun = true
  })
  await Promise.resolve()
  expect(hasBegun).toBe(false)
  other.free()
  await third
})

test('when a note waits for room and is stopped, then it leaves, and the next one gets its turn', async () => {
  const disk = createDiskBudget(DISK_PER_SECOND, nothingKept)
  const working = await disk.take(second, signal)
  const stop = new AbortController()
  const stopped = disk.take(second, stop.signal)
  const next = disk.take(second, signal)
  stop.abort()
  await expect(stopped).rejects.toThrow()
  working.free()
  expect(await next).toBeDefined()
})

test('when a note turns out smaller than thought, then the rest is for others', async () => {
  const disk = createDiskBudget(2 * DISK_PER_SECOND, nothingKept)
  const room = await disk.take({ bytes: DISK_PER_SECOND, durationSeconds: null }, signal)
  room.fit(second)
  await disk.take(second, signal)
})

test('when a note’s samples would never fit, then it fails with that reason', async () => {
  const disk = createDiskBudget(DISK_PER_SECOND, nothingKept)
  const long = { bytes: 1, durationSeconds: 1 }
  await expect(disk.take(long, signal)).rejects.toMatchObject({ reason: { code: 'too_long_here' } })
})
