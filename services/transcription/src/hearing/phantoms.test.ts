import { phantomIn } from './phantoms.ts'

const segment = (text: string, noSpeech?: number) => ({
  from: 0,
  to: 3,
  text,
  confidence: null,
  ...(noSpeech === undefined ? {} : { noSpeech }),
})

test.each([
  ['a known sentence where nobody speaks', segment(' Thanks for watching!', 0.9), 'known'],
  [
    'a known sentence in another language',
    segment('Sous-titres réalisés par la communauté d’Amara.org', 0.8),
    'known',
  ],
  ['any text where nobody speaks', segment('Hello there.', 0.95), 'silence'],
  ['a text that repeats itself', segment('and then we went home '.repeat(12)), 'repeating'],
])('when a segment is %s, then it is a phantom', (_what, given, why) => {
  expect(phantomIn(given)).toBe(why)
})

test.each([
  ['a known sentence that somebody says', segment('Thanks for watching!', 0.1)],
  ['a known sentence of an engine without probabilities', segment('Thanks for watching!')],
  ['a short repeated word', segment('No, no, no, no, no, no.')],
  [
    'an ordinary long sentence',
    segment(
      'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.',
    ),
  ],
])('when a segment is %s, then it stays', (_what, given) => {
  expect(phantomIn(given)).toBeUndefined()
})
