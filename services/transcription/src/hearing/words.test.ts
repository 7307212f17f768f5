import { countWords } from './words.ts'

test.each([
  ['', 0],
  ['one two  three.', 3],
  ["I'm here, aren't you?", 4],
  ['我们今天去公园', 4],
  ['สวัสดีครับ', 2],
])('when the text is "%s", then it has %d words', (text, words) => {
  expect(countWords(text)).toBe(words)
})
