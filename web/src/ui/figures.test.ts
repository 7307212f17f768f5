import { speak } from '../testing/speak.ts'
import { fileSize, megabytes } from './figures.ts'

afterEach(() => speak('en'))

test.each([
  ['en', '840 kB', '1.20 MB', '1234.50 MB'],
  ['de', '840 kB', '1,20 MB', '1234,50 MB'],
  ['fr', '840 ko', '1,20 Mo', '1234,50 Mo'],
] as const)('when sizes are said in %s, then with its sign and units', (language, ...said) => {
  speak(language)
  const MB = 1024 * 1024
  const figures = [fileSize(840 * 1024), fileSize(1.2 * MB), megabytes(1234.5 * MB)]
  expect(figures.map(text => text.replace(/\s/g, ' '))).toEqual(said)
})
