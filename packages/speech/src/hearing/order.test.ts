import fc from 'fast-check'
import type { RawSegment } from '../engines/engine.ts'
import { withOrderedTimes } from './order.ts'

const seconds = fc.double({ min: -1, max: 100, noNaN: true })
const span = fc.record({
  from: seconds,
  to: seconds,
  text: fc.constant('word'),
  confidence: fc.constant(null),
})
const segment = fc
  .record({ words: fc.array(span, { maxLength: 5 }) })
  .chain(({ words }) => span.map((whole): RawSegment => (words.length ? { ...whole, words } : whole)))

test('whatever times an engine gives, segments and words are in order, end after they begin, and lie within the note', () => {
  fc.assert(
    fc.property(fc.array(segment), fc.double({ min: 0.05, max: 120, noNaN: true }), (heard, length) => {
      const segments = withOrderedTimes(heard, length)
      for (const spans of [segments, ...segments.map(({ words = [] }) => words)])
        for (const [at, { from, to }] of spans.entries()) {
          expect(from).toBeGreaterThanOrEqual(spans[at - 1]?.from ?? 0)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(length + 0.005)
        }
      expect(segments.map(({ text }) => text)).toEqual(heard.map(({ text }) => text))
    }),
  )
})

test('times that are in order stay as they are, overlapping ones too', () => {
  const heard = [
    { from: 0, to: 4.2, text: 'One', confidence: 0.9 },
    { from: 4, to: 6, text: 'Two', confidence: 0.9 },
  ]
  expect(withOrderedTimes(heard, 6)).toEqual(heard)
  expect(withOrderedTimes(heard, null)).toEqual(heard)
})
