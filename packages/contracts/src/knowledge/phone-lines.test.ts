import { lineOf, spellingsOf } from './phone-lines.ts'

test.each([
  ['5215512345678', '525512345678'],
  ['5511987654321', '551187654321'],
  ['2250102034567', '22502034567'],
  ['2250544123456', '22544123456'],
  ['2250707181399', '22507181399'],
  ['2290190123456', '22990123456'],
])('when a line is written %s or %s, then it is one line', (long, short) => {
  expect(spellingsOf(long)).toEqual([long, short])
  expect(spellingsOf(short)).toEqual([short, long])
  expect(lineOf(long)).toBe(short)
  expect(lineOf(short)).toBe(short)
})

test.each([
  '15550783881',
  '551132345678',
  '390612345678',
  '52',
  // A landline and a mobile number in Argentina.
  '541123456789',
  '5491123456789',
  // Ivory Coast: a landline, a number that was never short, and another operator's.
  '2252720312345',
  '2250718139912',
  '2250547723456',
  '22520312345',
])('when %s is written, then there is one way', digits => {
  expect(spellingsOf(digits)).toEqual([digits])
  expect(lineOf(digits)).toBe(digits)
})
