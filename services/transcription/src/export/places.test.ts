import { CORES } from '@voxscribe/speech'
import { inPlace } from './places.ts'

const { signal } = new AbortController()

test('when as many programs run as there are cores, then 20 calls wait, and the next is 503', async () => {
  const begun: (() => void)[] = []
  const program = () => new Promise<void>(resolve => void begun.push(resolve))
  const waiting = Array.from({ length: CORES + 20 }, () => inPlace(program, { signal }))
  await Promise.resolve()
  expect(begun).toHaveLength(CORES)
  expect(() => inPlace(program, { signal })).toThrow(
    expect.objectContaining({ status: 503, code: 'overloaded', retryAfterSeconds: expect.any(Number) }),
  )
  const patient = inPlace(async () => 'done', { signal, waitsForPlace: true })
  for (let ended = 0; ended < waiting.length; ended++) {
    begun[ended]?.()
    await waiting[ended]
    await new Promise(setImmediate)
  }
  expect(await patient).toBe('done')
})

test('when the caller leaves while waiting, then the program is never started', async () => {
  const ends: (() => void)[] = []
  const running = Array.from({ length: CORES }, () =>
    inPlace(() => new Promise<void>(resolve => void ends.push(resolve)), { signal }),
  )
  const left = new AbortController()
  let isStarted = false
  const waiting = inPlace(
    async () => {
      isStarted = true
    },
    { signal: left.signal },
  )
  left.abort()
  await expect(waiting).rejects.toThrow()
  for (const end of ends) end()
  await Promise.all(running)
  expect(isStarted).toBe(false)
})
