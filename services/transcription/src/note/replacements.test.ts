import type { Segment } from '@voxscribe/speech'
import { withReplacements } from './replacements.ts'

const speechOf = (text: string, more: Partial<Segment> = {}) => ({
  text,
  segments: [{ id: '1', from: 0, to: 9, text, confidence: null, ...more }],
  wordCount: 0,
  spokenLanguage: 'en',
})
/** Returns the text after replacements such as `a → b`. */
function written(text: string, ...replacements: string[]) {
  const pairs = replacements.map(line => {
    const [heard = '', write = ''] = line.split(' → ')
    return { heard, write }
  })
  return withReplacements(speechOf(text), pairs).text
}

test.each([
  ['Norah and Norahs, Norah’s', ['Norah → Nora'], 'Nora and Norahs, Nora’s'],
  ['norah NORAH Norah', ['Norah → Nora'], 'norah NORAH Nora'],
  ['a b a', ['a → b', 'b → a'], 'b a b'],
  ['New York, New', ['New → Old', 'New York → NYC'], 'NYC, Old'],
  ['New Yorker', ['New → Old', 'New York → NYC'], 'Old Yorker'],
  ['anything .* goes', ['.* → !'], 'anything ! goes'],
  ['$& (x) \\d', ['(x) → $1$&'], '$& $1$& \\d'],
  ['Größe Grö', ['Grö → X'], 'Größe X'],
  ['नमस्ते नम', ['नम → x'], 'नमस्ते x'],
  ['كتابنا كتاب', ['كتاب → سفر'], 'كتابنا سفر'],
  ['我在东就京住', ['东就京 → 東京'], '我在東京住'],
  ['ไปNorahกันสวัสดี', ['Norah → Nora', 'สวัสดี → หวัดดี'], 'ไปNoraกันหวัดดี'],
  ['party 🎉!', ['🎉 → 🎂'], 'party 🎂!'],
  ['x1 1 x', ['1 → one'], 'x1 one x'],
])('when %j is replaced by %j, then it is %j', (text, replacements, result) => {
  expect(written(text, ...replacements)).toBe(result)
})

test('when there is nothing to replace, then the result is the same one', () => {
  const speech = speechOf('Nora')
  for (const replacements of [[], [{ heard: 'Norah', write: 'Nora' }]])
    expect(withReplacements(speech, replacements)).toBe(speech)
})

test('when words have times, then those that become one have the times of all, and the others keep theirs', () => {
  const words = ['I', 'met', 'no', 'Ra,', 'and', 'no', 'one'].map((text, at) => ({
    from: at,
    to: at + 0.5,
    text,
    confidence: at === 3 ? 0.4 : 0.8,
  }))
  const { segments, text, wordCount } = withReplacements(speechOf('I met no Ra, and no one', { words }), [
    { heard: 'no Ra', write: 'Nora' },
    { heard: 'one', write: 'body at all' },
  ])
  expect(text).toBe('I met Nora, and no body at all')
  expect(wordCount).toBe(8)
  expect(segments[0]?.words?.map(({ from, to, text }) => [from, to, text])).toEqual([
    [0, 0.5, 'I'],
    [1, 1.5, 'met'],
    [2, 3.5, 'Nora,'],
    [4, 4.5, 'and'],
    [5, 5.5, 'no'],
    [6, 6.5, 'body at all'],
  ])
  expect(segments[0]?.words?.[2]?.confidence).toBeCloseTo(0.6)
})
