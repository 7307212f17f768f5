import fc from 'fast-check'
import { splitText } from './split-text.ts'

const withoutSpace = (text: string) => text.replace(/\s+/g, '')
const lonelySurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

test('when a text fits, then it stays whole', () => {
  expect(splitText('One. Two.', 9)).toEqual(['One. Two.'])
})

test('when a text is blank, then there is nothing to send', () => {
  expect(splitText(' \n ', 10)).toEqual([])
})

test.each([
  ['paragraph', 'One. Two.\n\nThree. Four. Five.', 22, ['One. Two.', 'Three. Four. Five.']],
  ['line', 'One. Two.\nThree. Four. Five.', 22, ['One. Two.', 'Three. Four. Five.']],
  ['sentence', 'First one here. Second one there.', 22, ['First one here.', 'Second one there.']],
  ['sentence in quotes', '“First one here!” Second one.', 22, ['“First one here!”', 'Second one.']],
  ['sentence without spaces', '这是第一句。这是第二句。', 8, ['这是第一句。', '这是第二句。']],
  ['word', 'no end in this long line', 10, ['no end in', 'this long', 'line']],
])('when a text is too long, then it is cut after a %s', (_what, text, max, pieces) => {
  expect(splitText(text, max)).toEqual(pieces)
})

test('when a paragraph ends very early, then a later place is better than a tiny piece', () => {
  expect(splitText('Hi.\n\nThis is the first sentence. Then more.', 35)).toEqual([
    'Hi.\n\nThis is the first sentence.',
    'Then more.',
  ])
})

test('when there is no place to cut, then pairs of surrogates stay whole', () => {
  expect(splitText('😀😀😀', 3)).toEqual(['😀', '😀', '😀'])
})

test('when any text is cut, then every piece fits and nothing but space is lost, in order', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('. ', '\n\n', '\n', '! ', '。', '😀', '  ', '…” '),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 2, max: 60 }), (words, max) => {
      const text = words.join('')
      const pieces = splitText(text, max)
      expect(pieces.every(piece => piece.length > 0 && piece.length <= max)).toBe(true)
      expect(withoutSpace(pieces.join(''))).toBe(withoutSpace(text))
      if (!lonelySurrogate.test(text)) expect(pieces.some(piece => lonelySurrogate.test(piece))).toBe(false)
    }),
  )
})
