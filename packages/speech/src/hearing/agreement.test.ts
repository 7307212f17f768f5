import { agreeing } from './agreement.ts'

const segment = (id: number, from: number, to: number, text: string) => ({
  id: `${id}`,
  from,
  to,
  text,
  confidence: null,
})
/** A second hearing: one word per second, from second 10 on. */
function heard(text: string) {
  const words = text.split(' ').map((word, at) => ({
    text: word,
    from: 10 + at,
    to: 10.8 + at,
    confidence: null,
  }))
  return [{ from: 10, to: 10 + words.length, text, confidence: null, words }]
}
const firstOf = (...texts: string[]) => ({
  segments: texts.map((text, at) => segment(at, at * 2, at * 2 + 2, text)),
  timesExact: false,
  confidence: null,
})
const wordsOf = (result: ReturnType<typeof agreeing>) => result.segments.flatMap(({ words = [] }) => words)
const markedIn = (result: ReturnType<typeof agreeing>) =>
  wordsOf(result).flatMap(({ text, confidence }) => (confidence === 0 ? [text] : []))

test('when both hear the same, then the words have the second’s times, and the note is sure', () => {
  const result = agreeing(firstOf('Come home,', 'please.'), heard('come home please'))
  expect(result).toMatchObject({ timesExact: true, confidence: 1 })
  expect(result.segments).toMatchObject([
    { from: 10, to: 11.8, text: 'Come home,', confidence: 1 },
    { from: 12, to: 12.8, text: 'please.', confidence: 1 },
  ])
  expect(wordsOf(result).map(({ text, from }) => [text, from])).toEqual([
    ['Come', 10],
    ['home,', 11],
    ['please.', 12],
  ])
  expect(markedIn(result)).toEqual([])
})

test('when a word differs, then it lies between its neighbours and is marked, and the text stays', () => {
  const said = 'the train to Basel leaves at nine from platform four tonight'
  const result = agreeing(firstOf(said), heard(said.replace('Basel', 'Bottle')))
  expect(result.segments[0]).toMatchObject({ text: said, confidence: 10 / 11 })
  expect(wordsOf(result)[3]).toMatchObject({ text: 'Basel', from: 12.8, to: 14, confidence: 0 })
  expect(markedIn(result)).toEqual(['Basel'])
})

test('when more than one word in ten differs, then the shortest runs are marked, one word in ten at most', () => {
  const words = Array.from({ length: 30 }, (_, at) => `word${at}`)
  const other = words.map((word, at) => ([3, 10, 11, 20, 21, 22].includes(at) ? 'else' : word))
  const result = agreeing(firstOf(words.join(' ')), heard(other.join(' ')))
  expect(markedIn(result)).toEqual(['word3', 'word10', 'word11'])
})

test('when less than 60 % match, then there are no times and no marks, only little confidence', () => {
  const result = agreeing(firstOf('one two three four five'), heard('one two else nothing more'))
  expect(result).toMatchObject({ timesExact: false, confidence: 0.4 })
  expect(result.segments).toEqual([{ ...segment(0, 0, 2, 'one two three four five'), confidence: 0.4 }])
})

test('when the engine gave times, then those of its segments stay, and words lie within them', () => {
  const first = { ...firstOf('come home', 'please'), timesExact: true }
  const { segments } = agreeing(first, heard('come home please'))
  expect(segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 4],
  ])
  for (const { from, to, words = [] } of segments)
    for (const word of words) expect(word.from >= from && word.to <= to && word.from <= word.to).toBe(true)
})

test.each([
  ['Thai', 'ฉันจะกลับบ้านพรุ่งนี้', 'ฉันจะกลับบ้านพรุ่งนี้'],
  ['Arabic', 'سأعود إلى البيت غدا', 'سأعود إلى البيت غدا'],
  ['emoji', 'see you 🎉 tomorrow', 'see you tomorrow'],
])('when the text is %s, then it is matched and unchanged', (_name, text, second) => {
  const result = agreeing(firstOf(text), heard(second))
  expect(result).toMatchObject({ timesExact: true, confidence: 1, segments: [{ text }] })
  expect(
    wordsOf(result)
      .map(({ text }) => text)
      .join(' '),
  ).toBe(text)
})

test.each([
  ['nothing', firstOf('one two'), []],
  ['words where there were none', firstOf(), heard('one two')],
  ['signs', firstOf('…'), heard('one')],
])('when the second hearing has %s, then nothing changes', (_name, first, again) => {
  expect(agreeing(first, again)).toEqual(first)
})

test('when an hour of other words is compared, then times still never run backwards', () => {
  const words = Array.from({ length: 6_000 }, (_, at) => `w${(at * 7919) % 1_000}`)
  const other = words.map((word, at) => (at % 3 ? word : `${word}x`))
  const placed = wordsOf(agreeing(firstOf(words.join(' ')), heard(other.join(' '))))
  expect(placed).toHaveLength(6_000)
  expect(placed.every(({ from }, at) => from >= (placed[at - 1]?.to ?? 0))).toBe(true)
})
