import { kerning } from './classes.ts'

test.each([
  ['ordinary words', 'bread and milk '.repeat(1_000), false],
  ['one letter many times', `Yes! ${'a'.repeat(60_000)}`, '[font-kerning:none]'],
])('when a text has %s, then it is kerned only if that is quick', (_, text, look) => {
  expect(kerning(text)).toBe(look)
})
