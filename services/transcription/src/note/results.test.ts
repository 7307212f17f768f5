import { reason } from '@voxscribe/contracts/reasons'
import { TEXT_MAX_BYTES, withinLimits } from './results.ts'

const WORD = { from: 0, to: 1, text: 'word', confidence: null }
const segment = (id: number, text: string, words = 0) => ({
  id: `${id}`,
  from: 0,
  to: 1,
  text,
  confidence: null,
  ...(words && { words: Array.from({ length: words }, () => WORD) }),
})
const speechOf = (segments: ReturnType<typeof segment>[]) => ({
  text: segments.map(({ text }) => text).join(' '),
  segments,
  notices: [],
})

test('when a result is that of hours, then it is kept as it is', () => {
  const speech = speechOf(Array.from({ length: 2_000 }, (_, n) => segment(n, 'twelve words '.repeat(12), 12)))
  expect(withinLimits(speech)).toBe(speech)
})

test('when the times of words are too many, then the text is kept without them', () => {
  const speech = speechOf([segment(1, 'a', 30_000), segment(2, 'b', 30_000)])
  expect(withinLimits(speech)).toEqual(speechOf([segment(1, 'a'), segment(2, 'b')]))
})

test.each([
  ['many segments', Array.from({ length: 30_000 }, (_, n) => segment(n, 'ที่นี่ '.repeat(10)))],
  ['one segment', [segment(1, '🎉a'.repeat(TEXT_MAX_BYTES))]],
])('when the text of %s is too long, then it ends at the limit, with whole characters', (_name, segments) => {
  const { text, segments: kept, notices } = withinLimits(speechOf(segments))
  expect(notices).toEqual([reason('text_cut')])
  expect(Buffer.byteLength(text)).toBeGreaterThan(TEXT_MAX_BYTES - 10)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_MAX_BYTES)
  expect(Buffer.byteLength(speechOf(kept).text)).toBeLessThanOrEqual(TEXT_MAX_BYTES)
  expect(text.isWellFormed() && !text.includes('\ufffd')).toBe(true)
  expect(text.startsWith(kept[0]?.text ?? '-')).toBe(true)
})
