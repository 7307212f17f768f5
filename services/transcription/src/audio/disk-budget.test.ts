import { createDiskBudget } from './disk-budget.ts'
import { DISK_PER_SECOND } from './levels.ts'

const { signal } = new AbortController()
const second = { bytes: 0, durationSeconds: 1 }

test('when there is room for two notes, then a third begins when one of them ends', async () => {
  const disk = createDiskBudget(2 * DISK_PER_SECOND)
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
  const disk = createDiskBudget(DISK_PER_SECOND)
  const working = await disk.take(second, signal)
  const stop = new AbortController()
  const stopped = disk.take(second, stop.signal)
  const next = disk.take(second, signal)
  stop.abort()
  await expect(stopped).rejects.toThrow()
  working.free()
  expect(await next).toBeDefined()
})

test('when rooms are lent, then who needs one gets the oldest that was not taken back', async () => {
  const disk = createDiskBudget(3 * DISK_PER_SECOND)
  const left: number[] = []
  const rooms = await Promise.all([0, 1, 2].map(() => disk.take(second, signal)))
  for (const [at, room] of rooms.entries())
    room.lend(second, async () => {
      left.push(at)
      room.free()
    })
  rooms[0]!.claim()
  await disk.take(second, signal)
  expect(left).toEqual([1])
})

test('when a note turns out smaller than thought, then the rest is for others', async () => {
  const disk = createDiskBudget(2 * DISK_PER_SECOND)
  const room = await disk.take({ bytes: DISK_PER_SECOND, durationSeconds: null }, signal)
  room.lend(second, async () => expect(true).toBe(false))
  await disk.take(second, signal)
})

test('when a note’s samples would never fit, then it fails with that reason', async () => {
  const disk = createDiskBudget(DISK_PER_SECOND)
  const long = { bytes: 1, durationSeconds: 1 }
  await expect(disk.take(long, signal)).rejects.toMatchObject({ reason: { code: 'too_long_here' } })
})
