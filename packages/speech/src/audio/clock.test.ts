import fc from 'fast-check'
import { createClock, GAP_SECONDS } from './clock.ts'

/** Whether a clock is wrong whose frames follow these gaps, in seconds; gaps are filled as for a note. */
function isWrong(frames: { seconds: number; gap?: number }[]): boolean {
  const clock = createClock()
  let [at, samples, filled] = [0, 0, 0]
  for (const { seconds, gap = 0 } of frames) {
    at += gap
    clock.add(at, samples, filled)
    const ahead = at - samples - filled
    if (ahead > GAP_SECONDS) filled += ahead
    samples += seconds
    at += seconds
  }
  return clock.isWrong()
}
const sound = (count: number, seconds = 0.02) => Array.from({ length: count }, () => ({ seconds }))
const paused = (gap: number) => ({ seconds: 0.02, gap })

test.each([
  ['of 16 kHz for frames of 44.1 kHz', Array.from({ length: 200 }, () => ({ seconds: 0.0232, gap: 0.0408 }))],
  ['of 8 kHz for frames of 48 kHz', Array.from({ length: 200 }, () => ({ seconds: 0.024, gap: 0.12 }))],
  [
    'right at first',
    [...sound(500), ...Array.from({ length: 60 }, () => ({ seconds: 0.0232, gap: 0.0408 }))],
  ],
  [
    'in pages whose positions are three times too large',
    Array.from({ length: 7 }, () => [...sound(49), paused(2)]).flat(),
  ],
  [
    'that stands still after a leap',
    [...sound(300), paused(36), ...Array.from({ length: 50 }, () => ({ seconds: 0.02, gap: -0.02 }))],
  ],
])('when a clock is one %s, then it is wrong', (_what, frames) => {
  expect(isWrong(frames)).toBe(true)
})

test.each([
  ['no pause', sound(500)],
  ['a pause', [...sound(300), paused(10), ...sound(300)]],
  [
    'a telephone that sends a frame every 400 ms while nobody speaks',
    [...sound(100), ...Array.from({ length: 300 }, () => paused(0.38)), ...sound(200)],
  ],
])('when a recording has %s, then its clock is right', (_what, frames) => {
  expect(isWrong(frames)).toBe(false)
})

test('when somebody pauses again and again, as people do, then the clock is right', () => {
  const talk = fc.record({
    frames: fc.integer({ min: 10, max: 500 }),
    gap: fc.double({ min: 0.25, max: 20, noNaN: true }),
  })
  const talks = fc.array(talk, { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(talks, some => !isWrong(some.flatMap(({ frames, gap }) => [...sound(frames), paused(gap)]))),
    { seed: 7, numRuns: 500 },
  )
})
