import { speak } from '../testing/speak.ts'
import { fileSize, megabytes, spokenTime } from './figures.ts'

afterEach(() => speak('en'))

test.each([
  ['en', '840 kB', '1.20 MB', '1234.50 MB', '1 minute, 1 second'],
  ['de', '840 kB', '1,20 MB', '1234,50 MB', '1 Minute, 1 Sekunde'],
  ['fr', '840 ko', '1,20 Mo', '1234,50 Mo', '1 minute et 1 seconde'],
] as const)('when sizes and times are said in %s, then with its sign and units', (language, ...said) => {
  speak(language)
  const MB = 1024 * 1024
  const figures = [fileSize(840 * 1024), fileSize(1.2 * MB), megabytes(1234.5 * MB), spokenTime(61)]
  expect(figures.map(text => text.replace(/\s/g, ' '))).toEqual(said)
})

test('when a browser has no Intl.DurationFormat, then lengths are written as elsewhere', () => {
  const { DurationFormat } = Intl
  Reflect.deleteProperty(Intl, 'DurationFormat')
  expect([3725, 60, 0].map(spokenTime)).toEqual(['1 hour, 2 minutes, 5 seconds', '1 minute', '0 seconds'])
  Object.assign(Intl, { DurationFormat })
})
