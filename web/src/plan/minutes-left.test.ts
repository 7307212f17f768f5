import { minutesLeft } from './minutes-left.ts'

test.each([
  [30, 4.5, 25.5],
  [30, 30, 0],
  [30, 31.2, 0],
])('then of %s minutes with %s used, %s are left', (total, used, left) => {
  expect(minutesLeft(total, used)).toBe(left)
})
