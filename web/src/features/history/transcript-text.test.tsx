import { piecesOf } from './transcript-text.tsx'

const found = (text: string, search: string) =>
  piecesOf(text, search)
    .filter(piece => piece.found)
    .map(piece => piece.text)

describe('when a text is searched', () => {
  test.each([
    ['The train, the Train', 'train', ['train', 'Train']],
    ['costs (a lot) of $5.00', '(a lot)', ['(a lot)']],
    ['costs (a lot) of $5.00', '$5.00', ['$5.00']],
    ['5x00', '5.00', []],
    ['nothing here', '', []],
  ])('then in "%s" the words "%s" are found literally', (text, search, words) => {
    expect(found(text, search)).toEqual(words)
  })
  test('then no letter of it is lost', () => {
    const text = 'aXbxc'
    expect(
      piecesOf(text, 'x')
        .map(piece => piece.text)
        .join(''),
    ).toBe(text)
  })
})
