import { speak } from '../testing/speak.ts'
import { spokenTime } from './spoken-time.ts'

afterEach(() => speak('en'))

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
