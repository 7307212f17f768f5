import { audioLength, minutesOf } from './wording.ts'

test.each([
  [0, '0s'],
  [0.2, '1s'],
  [6.05, '6s'],
  [59.6, '1m'],
  [61, '1m 1s'],
  [3600, '1h'],
  [3723, '1h 2m 3s'],
])('when a note lasts %d seconds, then its length reads "%s"', (seconds, text) => {
  expect(audioLength(seconds)).toBe(text)
})

test.each([
  [1800, 30],
  [1793.95, 29.9],
  [2.9, 0],
  [3, 0.1],
  [-5, 0],
])('when there are %d seconds, then that is %d minutes', (seconds, minutes) => {
  expect(minutesOf(seconds)).toBe(minutes)
})
