import { endsSentence, sentencesOf } from './engine.ts'

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
])('when a word is %j, then a sentence ends with it: %p', (word, isEnd) => {
  expect(endsSentence(word)).toBe(isEnd)
})
