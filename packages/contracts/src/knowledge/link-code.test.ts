import { linkCodeIn } from './business.ts'

test.each([
  'VX-ABCD2345',
  'Hi! My code: vx-abcd2345.',
  'VX–ABCD2345',
  'VX—ABCD2345',
  'VX−ABCD2345',
  'VX‑ABCD2345',
  'VX－ＡＢＣＤ２３４５',
  'VX - ABCD2345',
  'VX ABCD2345',
  'VX\u00A0ABCD2345',
  'VXABCD2345',
  '\u200EVX-\u200FABCD2345',
  '*VX-ABCD2345*',
])('when a person writes %s, then it is the code', text => {
  expect(linkCodeIn(text)).toBe('VX-ABCD2345')
})

test.each([
  ['VX-ABCDEFGHJ', 'VX-ABCDEFGHJ'],
  ['VX–123, please', 'VX–123,'],
  ['vx-', 'vx-'],
])('when %s begins like a code, then it is a wrong one', (text, wrong) => {
  expect(linkCodeIn(text)).toBe(wrong)
})

test.each(['Hello', 'VX', 'VX is a code', 'AVX-ABCD2345', 'VXABCD23456', 'VX ABCD234', ''])(
  'when a text is “%s”, then there is no code in it',
  text => {
    expect(linkCodeIn(text)).toBeUndefined()
  },
)
