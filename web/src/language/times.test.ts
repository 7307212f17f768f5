import { activate } from '@voxscribe/languages'
import { speak } from '../testing/speak.ts'
import { i18n } from './i18n.ts'
import { clockTime, spokenTime } from './times.ts'

afterEach(() => speak('en'))

test.each([
  ['en', '1:02:05', '0:07'],
  ['ar-EG', '١:٠٢:٠٥', '٠:٠٧'],
] as const)('when a time is shown in %s, then in the digits of that place', (locale, ...said) => {
  activate(i18n, locale, {})
  expect([clockTime(3725), clockTime(7.9)]).toEqual(said)
})

test.each([
  ['en', '1 minute, 1 second'],
  ['de', '1 Minute, 1 Sekunde'],
  ['fr', '1 minute et 1 seconde'],
] as const)('when a time is said in %s, then in the words of that language', (language, said) => {
  speak(language)
  expect(spokenTime(61).replace(/\s/g, ' ')).toBe(said)
})

test('when a browser has no Intl.DurationFormat, then lengths are written as elsewhere', () => {
  const { DurationFormat } = Intl
  Reflect.deleteProperty(Intl, 'DurationFormat')
  expect([3725, 60, 0].map(spokenTime)).toEqual(['1 hour, 2 minutes, 5 seconds', '1 minute', '0 seconds'])
  Object.assign(Intl, { DurationFormat })
})
