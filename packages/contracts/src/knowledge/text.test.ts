import {
  beginningOf,
  endsSentence,
  joinerOf,
  sentencesOf,
  sharesOf,
  timeAt,
  UNSPACED,
  wordSegmenter,
} from './text.ts'

test.each([
  [
    'I met Mr. Smith and Dr. Jones. They live in St. Louis.',
    ['I met Mr. Smith and Dr. Jones.', 'They live in St. Louis.'],
  ],
  ['Es gibt Tiere, z.B. Hunde. Am 3. Mai!', ['Es gibt Tiere, z.B. Hunde.', 'Am 3. Mai!']],
  ['It cost 3.50 dollars in 1990. Then it rose.', ['It cost 3.50 dollars in 1990.', 'Then it rose.']],
  ['J. R. Tolkien wrote it. “Really?” Yes.', ['J. R. Tolkien wrote it.', '“Really?”', 'Yes.']],
  ['La Sra. Díaz vino. ¿Y el Dr. Paz? No.', ['La Sra. Díaz vino.', '¿Y el Dr. Paz?', 'No.']],
  ['今日は。元気ですか？', ['今日は。', '元気ですか？']],
  ['मैं आया। वह गया॥ ठीक है?', ['मैं आया।', 'वह गया॥', 'ठीक है?']],
  ['كيف حالك؟ أنا بخير. شكرا', ['كيف حالك؟', 'أنا بخير.', 'شكرا']],
  ['آپ کیسے ہیں؟ ٹھیک ہوں۔ شکریہ', ['آپ کیسے ہیں؟', 'ٹھیک ہوں۔', 'شکریہ']],
  ['no end', ['no end']],
  ['  ', []],
])('when %j is cut, then it is into whole sentences', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences)
})

test.each([
  ['Mr.', false],
  ['z.B.', false],
  ['done.', true],
  ['really?”', true],
  ['and', false],
  ['नमस्ते।', true],
  ['गया॥', true],
  ['حالك؟', true],
  ['ہوں۔', true],
  ['ですか？」', true],
  ['សួស្តី។', true],
  ['မင်္ဂလာပါ။', true],
  ['ባስታወቀው።', true],
])('when a word is %j, then a sentence ends with it: %p', (word, isEnd) => {
  expect(endsSentence(word)).toBe(isEnd)
})

test.each([
  ['hello world and all', 11, 'hello world'],
  ['hello world and all', 14, 'hello world'],
  ['hello', 5, 'hello'],
  ['hello', 60, 'hello'],
  // There is no space nearby, so the word is cut.
  [`a ${'x'.repeat(30)}`, 20, `a`],
  ['x'.repeat(30), 20, 'x'.repeat(20)],
  ['今天天气很好我们去公园', 5, '今天天气'],
  ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 10, '👨‍👩‍👧'],
  ['👨‍👩‍👧👨‍👩‍👧', 4, '👨‍'],
  ['🙏🙏', 3, '🙏'],
])('when the beginning of %j has at most %d units, then it is %j', (text, most, beginning) => {
  expect(beginningOf(text, most)).toBe(beginning)
})

test('when a text is long, then only what is near its beginning is cut into words: it may be cut piece by piece', () => {
  const segment = wordSegmenter.segment.bind(wordSegmenter)
  const lengths: number[] = []
  wordSegmenter.segment = text => {
    lengths.push(text.length)
    return segment(text)
  }
  expect(beginningOf('今天天气很好我们去公园'.repeat(1_000), 5)).toBe('今天天气')
  wordSegmenter.segment = segment
  expect(lengths).toEqual([105])
})

test('when a time is divided among texts, then by their length', () => {
  const span = { from: 10, to: 20 }
  expect(sharesOf(span, ['a', '', 'bbbb'])).toEqual([
    { from: 10, to: 12 },
    { from: 12, to: 12 },
    { from: 12, to: 20 },
  ])
  expect(sharesOf(span, ['', ''])).toEqual([
    { from: 10, to: 10 },
    { from: 10, to: 10 },
  ])
  expect([timeAt(span, 1, 4), timeAt(span, 0, 0)]).toEqual([12.5, 10])
})

test.each(['今', 'あ', 'ー', 'ก', 'ລ', 'ខ', 'မ', 'བ'])('when %s is written, then without spaces', letter => {
  expect(letter).toMatch(new RegExp(`^${UNSPACED}$`, 'v'))
})
test.each(['a', '한', 'अ', 'ع', '。', ' ', '1'])('when %j is written, then not', letter => {
  expect(letter).not.toMatch(new RegExp(`^${UNSPACED}$`, 'v'))
})
test.each([
  ['ja', ''],
  ['bo', ''],
  ['ko', ' '],
  ['auto', ' '],
  [null, ' '],
])('when texts in %s are joined, then with %j', (language, joiner) => {
  expect(joinerOf(language)).toBe(joiner)
})
