import type { Segment } from '@voxscribe/speech'
import fc from 'fast-check'
import { columnsOf } from './columns.ts'
import { type Cue, cuesOf } from './subtitles.ts'

const segment = (from: number, to: number, text: string, words?: Segment['words']): Segment => ({
  id: '1',
  from,
  to,
  text,
  confidence: null,
  ...(words ? { words } : {}),
})
const said = (cues: Cue[]) =>
  cues
    .flatMap(({ lines }) => lines)
    .join('')
    .replace(/\s/g, '')

const text = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.stringMatching(/^[一-龥。，]{1,200}$/),
  fc.stringMatching(/^[a-z😀é]{43,120}$/u),
)
const segments = fc
  .array(
    fc.record({
      pause: fc.double({ min: 0, max: 5, noNaN: true }),
      lasts: fc.double({ min: 0.05, max: 70, noNaN: true }),
      text,
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map(drawn => {
    let at = 0
    return drawn.map(({ pause, lasts, text }) => {
      const from = at + pause
      at = from + lasts
      return segment(from, at, text)
    })
  })

test('cues have two lines of 42, last at most 7 s, keep the time, and lose no word', () => {
  fc.assert(
    fc.property(segments, given => {
      const end = given.at(-1)!.to
      const cues = cuesOf(given, end)
      for (const [index, { from, to, lines }] of cues.entries()) {
        expect(lines.length).toBeLessThanOrEqual(2)
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(42)
        const next = cues[index + 1]?.from ?? Math.max(end, cues.length * 0.3)
        expect(to - from).toBeGreaterThan(Math.min(0.999, next - from - 0.002))
        expect(to - from).toBeGreaterThan(0.2999)
        expect(to - from).toBeLessThan(7.001)
        expect(to).toBeLessThan(next + 0.002)
      }
      expect(said(cues)).toBe(
        given
          .map(({ text }) => text)
          .join('')
          .replace(/\s/g, ''),
      )
    }),
    { numRuns: 200 },
  )
})

test('when a sentence is long, then it is cut where its words are, by the times that were heard', () => {
  const words =
    'Had he married a more amiable woman he might have been made still more respectable than he was'
      .split(' ')
      .map((word, index) => ({ from: index * 0.3, to: index * 0.3 + 0.25, text: word, confidence: 0.9 }))
  const heard = segment(0, 5.4, words.map(word => word.text).join(' '), words)
  expect(cuesOf([heard])).toEqual([
    {
      from: 0,
      to: expect.closeTo(4.15, 5),
      lines: ['Had he married a more amiable woman he', 'might have been made still more'],
    },
    { from: expect.closeTo(4.2, 5), to: expect.closeTo(5.35, 5), lines: ['respectable than he was'] },
  ])
})

test('when one word stands for a minute, then it goes after seven seconds', () => {
  expect(cuesOf([segment(3, 63, 'Hello')])).toEqual([{ from: 3, to: 10, lines: ['Hello'] }])
})

test('when short segments follow one another, then they share a cue', () => {
  const cues = cuesOf([segment(0, 0.2, 'One'), segment(0.2, 0.4, 'Two'), segment(5, 5.2, 'Three')], 60)
  expect(cues).toEqual([
    { from: 0, to: 1, lines: ['One Two'] },
    { from: 5, to: 6, lines: ['Three'] },
  ])
})

test.each([
  ['short', 'word'],
  ['long', 'a segment of forty-two characters and more in half a second'],
])('when a minute has 120 %s segments, then its cues end with it', (_length, text) => {
  const said = Array.from({ length: 120 }, (_, at) => segment(at / 2, at / 2 + 0.5, text))
  const cues = cuesOf(said, 60)
  expect(cues.at(-1)!.to).toBe(60)
  for (const { from, to } of cues) expect(to).toBeGreaterThan(from)
  if (text === 'word') for (const { from, to } of cues) expect(to - from).toBe(1)
})

test('when a word is longer than a line, then it is cut evenly, between graphemes', () => {
  const word = 'e\u0301'.repeat(43)
  expect(cuesOf([segment(0, 3, word)])[0]!.lines.map(columnsOf)).toEqual([22, 21])
})

test('when letters are wide, then each counts two columns', () => {
  const { lines } = cuesOf([segment(0, 6, '漢'.repeat(43))])[0]!
  expect(lines.map(columnsOf)).toEqual([42, 42])
  expect(cuesOf([segment(0, 4, '가나다라 '.repeat(8))])[0]!.lines[0]).toBe(
    '가나다라 가나다라 가나다라 가나다라',
  )
})

test.each([
  [
    'of no length',
    [
      [2, 2],
      [2, 2],
      [2, 2],
    ],
  ],
  [
    'out of order',
    [
      [5, 6],
      [3, 3],
      [1, 0.5],
    ],
  ],
  [
    'at the end of the note',
    [
      [9.9, 10],
      [9.95, 10],
      [10, 10],
    ],
  ],
])(
  'when segments are %s, then cues are in order, none shorter than 0.3 s, and none ends after the note',
  (_, times) => {
    const line = 'a line of forty-two characters is this one'
    const cues = cuesOf(
      times.map(([from, to]) => segment(from!, to!, `${line} ${line}`)),
      10,
    )
    expect(cues).toHaveLength(3)
    for (const [index, { from, to }] of cues.entries()) {
      expect(Math.round((to - from) * 1000)).toBeGreaterThanOrEqual(300)
      expect(from).toBeGreaterThanOrEqual(cues[index - 1]?.to ?? 0)
      expect(to).toBeLessThanOrEqual(10)
    }
  },
)
