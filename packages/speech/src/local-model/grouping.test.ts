import { grouped } from './grouping.ts'
import { centreOf } from './vectors.ts'

/** Vectors around one direction, the same for a direction. */
function around(direction: number, count: number, spread = 0.25): Float32Array[] {
  let state = direction + 1
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31 - 0.5
  }
  return Array.from({ length: count }, () =>
    centreOf([Float32Array.from({ length: 16 }, (_, at) => (at === direction ? 1 : 0) + spread * random())]),
  )
}
const sizes = (labels: number[]) =>
  [...new Set(labels)].map(label => labels.filter(each => each === label).length)
const ask = (vectors: Float32Array[], count: number | null) => grouped({ vectors, count, threshold: 0.63 })

test('when nobody says how many, then voices that are alike are one person', () => {
  expect(sizes(ask([...around(0, 20), ...around(1, 10), ...around(2, 6)], null))).toEqual([20, 10, 6])
  expect(sizes(ask(around(0, 20), null))).toEqual([20])
})

test('when a group has less than a tenth, then it joins the nearest', () => {
  expect(sizes(ask([...around(0, 20), ...around(1, 20), ...around(2, 2)], null)).length).toBe(2)
})

test.each([1, 2, 3, 6])('when %d are told, then there are so many, also in one voice', count => {
  expect(sizes(ask([...around(0, 20), ...around(1, 20)], count)).length).toBe(count)
  expect(sizes(ask(around(0, 9), count)).length).toBe(count)
})

test('when fewer vectors than people are there, or none, then each is one', () => {
  expect(ask(around(0, 1), 6)).toEqual([0])
  expect(ask([], 2)).toEqual([])
  expect(sizes(ask(around(0, 3), 6)).length).toBe(3)
})
