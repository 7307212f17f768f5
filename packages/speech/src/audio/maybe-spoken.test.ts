import { decibels, maybeSpoken } from './levels.ts'

const HOUR_OF_STEPS = 36_000
/** An hour whose loudness varies between two levels, in decibels of full scale. */
const hour = (low: number, high = low) =>
  Array.from({ length: HOUR_OF_STEPS }, (_, at) => decibels(low + ((at % 7) / 6) * (high - low)))

const spansIn = (levels: number[]) => maybeSpoken({ levels, seconds: levels.length / 10 })

test.each([
  ['digital silence', hour(-200)],
  ['fainter than any voice, however it moves', hour(-100, -76)],
  ['the steady noise of a quiet room', hour(-68, -66)],
])('when an hour is %s, then nobody need look at it', (_what, levels) => {
  expect(spansIn(levels)).toEqual([])
})

test.each([
  ['loud and steady, as a voice in a car may be', hour(-40, -39)],
  ['faint and moving, as a whisper far away is', hour(-70, -62)],
])('when an hour is %s, then all of it is looked at', (_what, levels) => {
  expect(spansIn(levels)).toEqual([{ from: 0, to: 3_600 }])
})

test('when there are faint words in a quiet hour, then the stretches around them are examined', () => {
  const levels = hour(-68, -66)
  for (const second of [605, 612, 3_000, 3_599]) levels.fill(decibels(-60), second * 10, second * 10 + 3)
  expect(spansIn(levels)).toEqual([
    { from: 599, to: 621 },
    { from: 2_999, to: 3_011 },
    { from: 3_589, to: 3_600 },
  ])
})
