import { HUMAN_RIGHTS } from '../testing/human-rights.ts'
import { withoutMarks, withoutPhantoms } from './doubt.ts'

interface Given {
  text: string
  confidence?: number | null
  from?: number
  to?: number
  noSpeech?: number
  words?: string[]
}

/** Returns the remaining segments of a single part, and whether the note is doubtful. */
function clean(...given: Given[]) {
  const segments = given.map(({ words, ...segment }) => ({
    from: 0,
    to: 3,
    confidence: null,
    ...segment,
    ...(words && { words: words.map((text, at) => ({ from: at, to: at + 1, text, confidence: 0.3 })) }),
  }))
  const part = withoutMarks({ segments, language: 'auto', timesExact: true })
  const { parts, loops, isDoubtful } = withoutPhantoms([part], 'openai')
  const left = parts[0]?.segments ?? []
  return {
    texts: left.map(({ text }) => text),
    words: left[0]?.words?.map(({ text }) => text),
    loops,
    isDoubtful,
  }
}

const UNSURE = 0.2
const ARTICLES = Object.entries(HUMAN_RIGHTS)

describe('article 1 of the Declaration of Human Rights, from an engine that is unsure', () => {
  test.each(ARTICLES)('when it is said in %s, then all of it stays', (_language, text) => {
    expect(clean({ text, confidence: UNSURE }).texts).toEqual([text])
  })

  test('when ten different paragraphs are one segment, then all of it stays', () => {
    for (const [at] of ARTICLES.entries()) {
      const text = [...ARTICLES, ...ARTICLES]
        .slice(at, at + 10)
        .map(([, article]) => article)
        .join('\n')
      expect(clean({ text, confidence: UNSURE }).texts).toEqual([text])
    }
  })
})

test.each([
  ['numbered words without an end', Array.from({ length: 1_200 }, (_, at) => `word${at}`).join(' ')],
  ['a phrase three times', 'we went home, we went home, we went home'],
  ['the same sentence with others between', 'Yes. I see. Yes. And you? Yes. No. Yes. Well. Yes.'],
])('when a text is %s, then it stays', (_what, text) => {
  expect(clean({ text, confidence: UNSURE }).texts).toEqual([text])
})

test.each([
  ['words', 'and then we went home '.repeat(12), 'and then we went home'],
  [
    'a sentence at the end',
    `I will call you. ${'See you soon! '.repeat(4)}`,
    'I will call you. See you soon!',
  ],
  ['one word', 'so no, No, no, no, no, no but yes', 'so no, but yes'],
  ['loops in a loop', 'no no no no I said '.repeat(5), 'no I said'],
  ['a name before a bracket', `${'John '.repeat(6)}(the elder) spoke`, 'John (the elder) spoke'],
  ['Chinese', `今天${'谢谢观看'.repeat(6)}`, '今天谢谢观看'],
  ['Thai', `${'ขอบคุณครับ'.repeat(9)}ลาก่อน`, 'ขอบคุณครับลาก่อน'],
  ['Burmese', 'ကျေးဇူးတင်ပါတယ်'.repeat(5), 'ကျေးဇူးတင်ပါတယ်'],
  ['Tamil', 'நன்றி வணக்கம் '.repeat(8), 'நன்றி வணக்கம்'],
])('when an unsure engine repeats %s, then it stays once', (_what, text, once) => {
  expect(clean({ text, confidence: UNSURE })).toMatchObject({ texts: [once], isDoubtful: true })
})

test.each([
  ['sure', 0.5],
  ['without confidence', null],
])('when an engine that is %s repeats words, then it is believed', (_how, confidence) => {
  const text = 'Row, row, row, row your boat, row, row, row, row your boat.'
  expect(clean({ text, confidence }).texts).toEqual([text])
})

test('when a loop is cut, then its times are cut with it', () => {
  const text = 'well go go go go away'
  expect(clean({ text, confidence: UNSURE, words: text.split(' ') })).toMatchObject({
    texts: ['well go away'],
    words: ['well', 'go', 'away'],
  })
})

const SPOKEN = { text: 'Hello there.' }
const PHANTOM = { text: ' Thanks for watching!', noSpeech: 0.9 }

test('when a known sentence stands where nobody speaks, then it is dropped', () => {
  const french = { text: 'Sous-titres réalisés par la communauté d’Amara.org', noSpeech: 0.8 }
  expect(clean(SPOKEN, PHANTOM, french)).toMatchObject({ texts: ['Hello there.'], isDoubtful: false })
})

test('when a known sentence is all there is, then it stays and is doubtful', () => {
  expect(clean(PHANTOM, { text: ' ' })).toMatchObject({ texts: [PHANTOM.text, ' '], isDoubtful: true })
})

test.each([
  ['a known sentence that is spoken', { ...PHANTOM, noSpeech: 0.1 }],
  ['a known sentence of an engine without probabilities', { text: PHANTOM.text }],
  ['another sentence, however improbable', { ...SPOKEN, noSpeech: 0.99 }],
])('when a segment is %s, then it stays', (_what, given) => {
  expect(clean(SPOKEN, given)).toMatchObject({ texts: [SPOKEN.text, given.text], isDoubtful: false })
})

const SENTENCE = 'And Mr. John Dashwood had then leisure to consider how much there might be.'
const inTurn = (text: string, times: number) =>
  Array.from({ length: times }, (_, at) => ({ from: 4 * at, to: 4 * at + 4, text }))

describe.each([null, 0.9])('a model whose confidence is %s', confidence => {
  const cleaned = (...given: Given[]) => clean(...given.map(each => ({ confidence, ...each })))

  test.each([
    ['a name 88 times', [{ text: 'John '.repeat(88) }], ['John'], [{ text: 'John', times: 88 }]],
    [
      'a few words again and again',
      [
        {
          text: 'It is mine, or else, or be, or else, or be, or else, or be, or else, or be, or else, or be.',
        },
      ],
      ['It is mine, or else, or be,'],
      [{ text: 'or else, or be', times: 5 }],
    ],
    [
      'a sentence in one segment after another',
      inTurn(SENTENCE, 6),
      [SENTENCE],
      [{ text: SENTENCE.slice(0, -1), times: 6 }],
    ],
    [
      'a short one, too',
      inTurn('Thank you for coming.', 9),
      ['Thank you for coming.'],
      [{ text: 'Thank you for coming', times: 9 }],
    ],

    [
      'more in a second than anybody says',
      [{ text: 'I will go home. '.repeat(6) }],
      ['I will go home.'],
      [{ text: 'I will go home', times: 6 }],
    ],
  ])(
    'when it repeats %s, then that stays once, is told, and the note is doubtful',
    (_what, given, texts, loops) => {
      expect(cleaned(...given)).toMatchObject({ texts, loops, isDoubtful: true })
    },
  )

  test.each([
    ['a sentence three times', inTurn(SENTENCE, 3)],
    ['a refrain', inTurn('We will, we will rock you!', 4)],
    ['a word again and again', [{ to: 9, text: 'No, no, no, no, no, no, no, no, I said no.' }]],
    ['a telephone number', [{ to: 9, text: 'Call 0 0 0 0 0 0 0 0 0 0 0 0 0 7, or 55 55 55 55.' }]],
    ['a countdown', [{ to: 9, text: 'Five, four, three, two, one, zero, go, go, go, go!' }]],
  ])('when it says %s, then that stays', (_what, given) => {
    expect(cleaned(...given)).toMatchObject({
      texts: given.map(({ text }) => text),
      loops: [],
      isDoubtful: false,
    })
  })
})

test('when a model repeats a number 60 times, then a few stay, and the note is doubtful', () => {
  const cut = { texts: Array(4).fill('90'), loops: [{ text: '90', times: 60 }], isDoubtful: true }
  expect(clean(...inTurn('90', 60))).toMatchObject(cut)
})

test('when a note has 150,000 words, then finding loops takes as long as the text is', () => {
  const processorMs = (words: number) => {
    const text = Array.from({ length: words }, (_, at) => `w${at % 97}x${at % 89}`).join(' ')
    const before = process.threadCpuUsage()
    expect(clean({ to: 60_000, text }).texts).toEqual([text])
    return process.threadCpuUsage(before).user / 1000
  }
  // Comparing each word with every other would take a hundred times as long.
  expect(processorMs(150_000)).toBeLessThan(30 * (processorMs(15_000) + 10))
})

test.each([
  '[BLANK_AUDIO]',
  '(crying)',
  '[BLANK_AUDIO] [BLANK_AUDIO]',
  '(crying) [Music], ♪ ♪',
  '*sighs*.',
  '<noise>',
  '（笑）',
])('when a model writes %s for noise, then that is no text', text => {
  expect(clean({ text }, SPOKEN)).toMatchObject({ texts: [SPOKEN.text], isDoubtful: false })
})

test.each(['He (my brother) came [late].', '[Mary] said so.', 'It was (I think) May.', 'a * b * c'])(
  'when brackets are within a sentence, as in “%s”, then they stay',
  text => {
    expect(clean({ text }).texts).toEqual([text])
  },
)
