import { paragraphsOf, textInParagraphs } from './paragraphs.ts'
import { countWords } from './text.ts'

const said = (from: number, to: number, text: string) => ({ from, to, text })
const WORDS = Array.from({ length: 50 }, (_, at) => `word${at}`).join(' ')

test('when no pause reaches 1.5 s, then passages are one paragraph, else two', () => {
  const near = [said(0, 1, 'One.'), said(2.4, 3, 'Two.')]
  expect(paragraphsOf(near, 'en')).toEqual([{ from: 0, to: 3, text: 'One. Two.' }])
  const far = [said(0, 1, 'One'), said(2.5, 3, 'two')]
  expect(paragraphsOf(far, 'en')).toEqual(far)
})

test('when passages overlap, then the pause is counted from the latest end', () => {
  const passages = [said(0, 10, 'Long.'), said(1, 2, 'Within.'), said(10.5, 11, 'After.')]
  expect(paragraphsOf(passages, 'en')).toHaveLength(1)
})

test('when a paragraph has 80 words, then it ends with the next sentence', () => {
  const passages = [said(0, 1, WORDS), said(1, 2, WORDS), said(2, 3, 'the end.”'), said(3, 4, 'Next.')]
  expect(paragraphsOf(passages, 'en').map(({ text }) => text)).toEqual([
    `${WORDS} ${WORDS} the end.”`,
    'Next.',
  ])
  expect(paragraphsOf([said(0, 1, `${WORDS}.`), said(1, 2, 'More.')], 'en')).toHaveLength(1)
})

test('when a language is written without spaces, then passages are joined without them', () => {
  const passages = [said(0, 1, '你好。'), said(1, 2, '再见。')]
  expect(paragraphsOf(passages, 'zh')).toEqual([{ from: 0, to: 2, text: '你好。再见。' }])
})

test.each([
  ['zh', ['你好。', 'Hello.', 'Bye!', '再见。'], '你好。 Hello. Bye! 再见。'],
  ['en', ['Hello.', '你好。', '“再见”'], 'Hello. 你好。“再见”'],
  ['ja', ['会議は', '3', '時です。'], '会議は3時です。'],
  ['ko', ['안녕.', '또 봐.'], '안녕. 또 봐.'],
])(
  'when passages of %s are of two languages, then they are joined by the letters beside the seam',
  (language, texts, text) => {
    const passages = texts.map((each, at) => said(at, at + 1, each))
    expect(paragraphsOf(passages, language)).toEqual([{ from: 0, to: texts.length, text }])
  },
)

test('when passages were emptied by corrections, then they leave no gap', () => {
  expect(paragraphsOf([said(0, 1, 'One.'), said(1, 2, ' '), said(2, 3, 'Two.')], 'en')[0]?.text).toBe(
    'One. Two.',
  )
  expect(paragraphsOf([said(0, 1, '')], 'en')).toEqual([])
})

test.each([
  ['', 0],
  ['one two  three.', 3],
  ["I'm here, aren't you?", 4],
  ['我们今天去公园', 4],
  ['สวัสดีครับ', 2],
])('when the text is "%s", then it has %d words', (text, words) => {
  expect(countWords(text)).toBe(words)
})

test('when a text is sent in paragraphs, then empty lines separate them', () => {
  const passages = [said(0, 1, 'One.'), said(5, 6, 'Two.')]
  expect(textInParagraphs(passages, 'en', 'One. Two.')).toBe('One.\n\nTwo.')
  expect(textInParagraphs([], 'en', 'One. Two.')).toBe('One. Two.')
})
