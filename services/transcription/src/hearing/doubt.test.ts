import { HUMAN_RIGHTS } from '../testing/human-rights.ts'
import { withoutPhantoms } from './doubt.ts'

interface Given {
  text: string
  confidence?: number | null
  noSpeech?: number
  words?: string[]
}

/** Returns what is left of segments of one part, and whether the note is doubtful. */
function clean(...given: Given[]) {
  const segments = given.map(({ words, ...segment }) => ({
    from: 0,
    to: 3,
    confidence: null,
    ...segment,
    ...(words && { words: words.map((text, at) => ({ from: at, to: at + 1, text, confidence: 0.3 })) }),
  }))
  const { parts, isDoubtful } = withoutPhantoms([{ segments, language: 'auto', timesExact: true }], 'openai')
  const left = parts[0]?.segments ?? []
  return {
    texts: left.map(({ text }) => text),
    words: left[0]?.words?.map(({ text }) => text),
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
  ['Chinese', `今天${'谢谢观看'.repeat(6)}`, '今天谢谢观看'],
  ['Thai', `${'ขอบคุณครับ'.repeat(9)}ลาก่อน`, 'ขอบคุณครับลาก่อน'],
  ['Burmese', 'ကျေးဇူးတင်ပါတယ်'.repeat(5), 'ကျေးဇူးတင်ပါတယ်'],
  ['Tamil', 'நன்றி வணக்கம் '.repeat(8), 'நன்றி வணக்கம்'],
])('when an unsure engine repeats %s, then it stays once', (_what, text, once) => {
  expect(clean({ text, confidence: UNSURE })).toMatchObject({ texts: [once], isDoubtful: false })
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
