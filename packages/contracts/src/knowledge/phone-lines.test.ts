import { lineOf, spellingsOf } from './phone-lines.ts'

test.each([
  ['5215512345678', '525512345678'],
  ['5491123456789', '541123456789'],
  ['5511987654321', '551187654321'],
])('when a line is written %s or %s, then it is one line', (long, short) => {
  expect(spellingsOf(long)).toEqual([long, short])
  expect(spellingsOf(short)).toEqual([short, long])
  expect(lineOf(long)).toBe(short)
  expect(lineOf(short)).toBe(short)
})

test.each(['15550783881', '551132345678', '390612345678', '52'])(
  'when %s is written, then there is one way',
  digits => {
    expect(spellingsOf(digits)).toEqual([digits])
    expect(lineOf(digits)).toBe(digits)
  },
)
