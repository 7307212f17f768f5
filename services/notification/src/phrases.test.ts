import { dateOf, lengthOf, minutesOf } from './phrases.ts'

test.each([
  [0, '1s'],
  [0.4, '1s'],
  [6.4, '6s'],
  [60, '1m'],
  [65, '1m 5s'],
  [3723, '1h 2m 3s'],
  [3600, '1h'],
])('when a note has %d seconds, then it is %s long', (seconds, text) => {
  expect(lengthOf(seconds)).toBe(text)
})

test.each([
  [1794, '29.9'],
  [1799.9, '29.9'],
  [1800, '30'],
  [5, '0'],
  [-3, '0'],
])('when %d seconds are left, then that is %s minutes', (seconds, text) => {
  expect(minutesOf(seconds)).toBe(text)
})

test('when a period ends, then the date is the one in UTC', () => {
  expect(dateOf('2026-11-20T23:30:00Z')).toBe('20 November 2026')
})
