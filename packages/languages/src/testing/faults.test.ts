import { bareIn, countedIn, isHalfPlural, undeclared, unitsIn } from './faults.ts'

test.each([
  ['You’ve used 80% of it', ['0%']],
  ['1 Sek.. Neue Minuten', ['1 Sek']],
  ['hasta {megabytes} MB', ['} MB']],
  ['il {percent}%', ['}%']],
  ['\u2068{percent}\u2069٪ من دقائقك', ['}\u2069٪']],
  ['after # s', ['# s']],
  ['{size}, MP3 or M4A', []],
  ['{count, plural, one {# second} other {# seconds}}', []],
])('when a text is "%s", then the figures beside units are %j', (text, units) => {
  expect(unitsIn(text)).toEqual(units)
})

test.each([
  ['The link works for {days} days.', ['} days']],
  ['A note of 14 seconds', ['4 seconds']],
  ['{days, plural, one {The link works for # day.} other {The link works for # days.}}', []],
])('when an English text is "%s", then what it counts without a plural is %j', (text, counted) => {
  expect(countedIn(text)).toEqual(counted)
})

test.each([
  ['{count, plural, one {# note} other {# notes}} deleted', true],
  ['Kept for {days, plural, one {# day} other {# days}}', true],
  ['{count, plural, one {# note deleted} other {# notes deleted}}', false],
  ['{days, plural, one {after # day} other {after # days}}|key', false],
  ['{done} of {total}', false],
])('when a text is "%s", then words outside its plural: %s', (text, half) => {
  expect(isHalfPlural(text)).toBe(half)
})

test.each([
  ['دقائقك حتى {date}', ['date']],
  ['دقائقك حتى \u2068{date}\u2069', []],
  ['المزيد: {url}', []],
])('when an Arabic text is "%s", then the values that nothing isolates are %j', (text, bare) => {
  expect(bareIn(text)).toEqual(bare)
})

test('when two files use a message, then somebody declares that it means the same in both', () => {
  const price = `money === 0 ? i18n.t('Free') : i18n.t("Don\\'t")`
  const sources = new Map([
    ['price.tsx', price],
    ['plan.tsx', `<Card name={i18n.t('Free')} of={/*i18n*/ 'Pro'} /> <Trans id="Pro" />`],
  ])
  expect(undeclared(sources, {})).toEqual(['Free'])
  expect(undeclared(sources, { Free: 'costs nothing' })).toEqual([])
})
