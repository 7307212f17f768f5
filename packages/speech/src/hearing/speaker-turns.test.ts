import { inTurns, keepingNames, rejoined, type SpeakerTurn } from './speaker-turns.ts'
import type { Segment } from './speech.ts'

const turn = (speaker: string, from: number, to: number): SpeakerTurn => ({ speaker, from, to })
const segment = (text: string, facts: Partial<Segment> = {}): Segment => ({
  id: '7',
  from: 0,
  to: 10,
  text,
  confidence: null,
  ...facts,
})
/** One word per second. */
const timed = (text: string, facts: Partial<Segment> = {}) =>
  segment(text, {
    words: text.split(' ').map((word, at) => ({ text: word, from: at, to: at + 0.9, confidence: 1 })),
    ...facts,
  })
const said = (segments: Segment[]) => segments.map(({ speaker, text }) => `${speaker} ${text}`)

const turns = [turn('1', 0, 3), turn('2', 3.2, 10)]

test('when words have times, then a line is cut at the word, and times go on', () => {
  const cut = inTurns([timed('did you see it yes I did see it')], turns, 'en')
  expect(cut).toMatchObject([
    { id: '7', speaker: '1', text: 'did you see', from: 0, to: 2.9, confidence: 1 },
    { id: '7-2', speaker: '2', text: 'it yes I did see it', from: 3, to: 10 },
  ])
  expect(cut.map(({ words = [] }) => words.length)).toEqual([3, 6])
})

/** Words of 0.3 s. */
const quick = (text: string) =>
  segment(text, {
    words: text
      .split(' ')
      .map((word, at) => ({ text: word, from: 0.3 * at, to: 0.3 * at + 0.3, confidence: 1 })),
  })

test.each([
  ['go forward ten meters. Ten of clubs.', ['1 go forward ten meters.', '2 Ten of clubs.']],
  ['not a young man. Four queens of clubs', ['1 not a young man.', '2 Four queens of clubs']],
  ['go on ten meters, unless he was', ['1 go on ten', '2 meters, unless he was']],
  ['一 二 三。 四 五 六', ['1 一 二 三。', '2 四 五 六']],
  ['one two three four five six', ['1 one two three', '2 four five six']],
])('when a change is near the end of a sentence, then the line is cut there: %s', (text, expected) => {
  expect(said(inTurns([quick(text)], [turn('1', 0, 0.95), turn('2', 0.95, 9)], 'en'))).toEqual(expected)
})

test('when a line ends with the first word of the next one’s speaker, then that is given to them', () => {
  const two = [quick('seven of hearts. He'), { ...quick('might even'), id: '8', from: 10, to: 12 }]
  const cut = inTurns(two, [turn('1', 0, 1.25), turn('2', 1.25, 12)], 'en')
  expect(said(cut)).toEqual(['1 seven of hearts.', '2 He', '2 might even'])
})

test('when somebody says one word between two sentences, then it stays theirs', () => {
  const three = [turn('1', 0, 0.9), turn('2', 0.9, 1.2), turn('1', 1.2, 3)]
  expect(said(inTurns([quick('did you go? Yes. And then you came.')], three, 'en'))).toEqual([
    '1 did you go?',
    '2 Yes.',
    '1 And then you came.',
  ])
})

test.each<[string, string, string | null, string[]]>([
  [
    'sentences have no times',
    'Did you see it? Yes, I did see it, and it was good.',
    'en',
    ['1 Did you see it?', '2 Yes, I did see it, and it was good.'],
  ],
  [
    'there is one sentence',
    'did you see it yes I did see it and it was good',
    'en',
    ['1 did you see it', '2 yes I did see it and it was good'],
  ],
  [
    'no spaces are written',
    '我今天去了公园然后回家吃饭看书睡觉了',
    'zh',
    ['1 我今天去了', '2 公园然后回家吃饭看书睡觉了'],
  ],
])('when %s, then it is cut by its shares of the speech', (_, text, language, expected) => {
  expect(said(inTurns([segment(text)], turns, language))).toEqual(expected)
})

test('when a text was corrected by hand, then no word of it is lost, moved or doubled', () => {
  const text = 'Did you «see» it?  Yes — I did, 3.5 times.\nReally'
  for (const words of [undefined, timed('other words than these').words]) {
    const cut = inTurns([segment(text, words ? { words } : {})], turns, 'en')
    expect(
      cut
        .map(each => each.text)
        .join(' ')
        .split(/\s+/),
    ).toEqual(text.split(/\s+/))
  }
})

test('when turns lie beside a line, then it has the nearest speaker, whole', () => {
  expect(said(inTurns([segment('a b', { from: 3.05, to: 3.15 })], turns, 'en'))).toEqual(['1 a b'])
  expect(inTurns([segment('a b')], [], 'en')).toEqual([segment('a b')])
})

test('when lines are cut and joined again, then they are as before', () => {
  const before = [
    timed('did you see it yes I did'),
    segment('And then? We went home. It was late.', { id: '8', from: 10, to: 20 }),
  ]
  const cut = inTurns(before, [...turns, turn('2', 10, 14), turn('1', 14, 20)], 'en')
  expect(cut.length).toBeGreaterThan(3)
  const rest = ({ confidence: _confidence, ...segment }: Segment) => segment
  expect(rejoined(cut, 'en').map(rest)).toEqual(before.map(rest))
})

test('when a long note changes speakers all the time, then times never go back', () => {
  const words = Array.from({ length: 500 }, (_, at) => `w${at}`).join(' ')
  const many = Array.from({ length: 200 }, (_, at) => turn(String((at % 3) + 1), at * 2.5, at * 2.5 + 2.4))
  const cut = inTurns([timed(words, { to: 500 })], many, 'en')
  const times = cut.flatMap(({ from, to }) => [from, to])
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(cut.map(({ text }) => text).join(' ')).toBe(words)
  expect(new Set(cut.map(({ id }) => id)).size).toBe(cut.length)
})

const lines = (...who: string[]) =>
  who.map((speaker, at) => segment('a', { id: `${at}`, from: 10 * at, to: 10 * at + 10, speaker }))
const named = (...names: (string | null)[]) => names.map((name, at) => ({ id: `${at + 1}`, name }))

test.each([
  [
    'the same voices come in another order',
    lines('1', '2', '2'),
    named('Ada', 'Bob'),
    lines('2', '1', '1'),
    2,
    ['Bob', 'Ada'],
  ],
  [
    'a third one is found',
    lines('1', '2', '2', '2'),
    named('Ada', 'Bob'),
    lines('1', '2', '2', '3'),
    3,
    ['Ada', 'Bob', null],
  ],
  ['two become one', lines('1', '1', '2'), named('Ada', 'Bob'), lines('1', '1', '1'), 1, ['Ada']],
  [
    'who had no name said it',
    lines('1', '2', '2'),
    named('Ada', null),
    lines('1', '2', '2'),
    2,
    ['Ada', null],
  ],
  ['two have the same name', lines('1', '2'), named('Ada', 'Ada'), lines('1', '2'), 2, ['Ada', 'Ada']],
  ['nobody was told apart before', lines('', ''), [], lines('1', '2'), 2, [null, null]],
])(
  'when speakers are told apart again and %s, then a name stays with its voice',
  (_, segments, speakers, now, count, names) => {
    const found = named(...Array<null>(count).fill(null))
    const kept = keepingNames({ segments: now, speakers: found }, { segments, speakers })
    expect(kept.map(({ name }) => name)).toEqual(names)
  },
)
