import { Binary, Long, ObjectId, Timestamp } from 'bson'
import fc from 'fast-check'
import { compareValues, compoundKey, inverted, keyOf, readerOf } from './keys.ts'

const order = (a: unknown, b: unknown) => Math.sign(Buffer.compare(keyOf(a), keyOf(b)))

/** From MongoDB's manual: each value sorts before the next. */
const ascending = [
  null,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -Number.MAX_VALUE,
  -2.5,
  -2,
  0,
  Number.MIN_VALUE,
  0.1,
  1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  Number.POSITIVE_INFINITY,
  '',
  'B',
  'a',
  'a\0',
  'a\0b',
  'aa',
  'é',
  '\uffff',
  '😀', // U+1F600 is above U+FFFF, though its UTF-16 units are below
  { a: 1 },
  ['a'],
  new ObjectId('000000000000000000000001'),
  new ObjectId('ff0000000000000000000000'),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Date(1),
]

test('when values of all types are keyed, then their keys stand in the order of the manual', () => {
  for (const [i, a] of ascending.entries())
    for (const [j, b] of ascending.entries()) expect([i, j, order(a, b)]).toEqual([i, j, Math.sign(i - j)])
})

test('when keys stand one behind the other, then their values are read back, up to one that cannot be', () => {
  const values = [null, true, 'a', Number.NaN, -2.5, 0, 1e9, '日本', false, Number.NEGATIVE_INFINITY, '']
  const reader = readerOf(Buffer.concat(values.map(keyOf)))
  for (const value of values) expect([reader.isAtEnd(), reader.next()]).toEqual([false, value])
  expect(reader.isAtEnd()).toBe(true)
  for (const other of ['a\0b', ['a'], { a: 1 }, new Date(0)]) {
    const { next } = readerOf(Buffer.concat([keyOf(1), keyOf(other)]))
    expect([next(), next()]).toEqual([1, undefined])
  }
})

test('when values are equal, then their keys are', () => {
  expect(keyOf(-0)).toEqual(keyOf(0))
  expect(keyOf(undefined)).toEqual(keyOf(null))
  expect(keyOf({ a: [1, { b: 'x' }] })).toEqual(keyOf({ a: [1, { b: 'x' }] }))
  expect(keyOf({ a: 1, b: 2 })).not.toEqual(keyOf({ b: 2, a: 1 }))
})

test('when a value of a type that is only stored is keyed or compared, then it is refused', () => {
  const stored = [new Timestamp({ t: 1, i: 1 }), new Binary(Buffer.from([0])), Long.MAX_VALUE]
  for (const value of stored)
    for (const work of [() => keyOf(value), () => compareValues(1, value)])
      expect(work).toThrow(expect.objectContaining({ reply: expect.objectContaining({ code: 238 }) }))
})

test('when any two doubles are keyed, then their keys stand in their order', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true }),
      fc.double({ noNaN: true }),
      (a, b) => order(a, b) === Math.sign(a - b || (a > b ? 1 : a < b ? -1 : 0)),
    ),
  )
})

test('when two texts are keyed, then the keys have the order of their bytes, up and down', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const expected = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const down = Math.sign(Buffer.compare(inverted(keyOf(a)), inverted(keyOf(b))))
      return order(a, b) === expected && down === (-expected || 0)
    }),
  )
})

test('when keys are compound, then the first field decides, then the second in its own direction', () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.string({ maxLength: 2 }),
    fc.constant(null),
    fc.boolean(),
  )
  fc.assert(
    fc.property(fc.tuple(value, value), fc.tuple(value, value), (a, b) => {
      const expected = order(a[0], b[0]) || -order(a[1], b[1])
      return Math.sign(Buffer.compare(compoundKey(a, [1, -1]), compoundKey(b, [1, -1]))) === (expected || 0)
    }),
  )
})
