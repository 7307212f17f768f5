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
  expect(linkCodeIn(text).code).toBe('VX-ABCD2345')
})

test.each([
  'VX-ABCDEFGHJ',
  'my code is VX-ABCDEF7',
  'My code: VX-ABCDEFG1.',
  'VX–123',
  'vx-',
  'vx-123 ',
  'VX ABCD2345',
])('when a person writes %s, then a code is meant', text => {
  expect(linkCodeIn(text).isMeant).toBe(true)
})

test.each(['I drive a VX-220', 'The VX-8DR, please', 'my AB-123', 'VX standard for all'])(
  'when a person writes %s about something else, then no code is meant',
  text => {
    expect(linkCodeIn(text).isMeant).toBe(false)
  },
)

test.each(['Hello', 'VX', 'VX is a code', 'AVX-ABCD2345', 'VXABCD23456', 'VX ABCD234', ''])(
  'when a text is “%s”, then there is no code in it',
  text => {
    expect(linkCodeIn(text)).toEqual({ isMeant: false })
  },
)
