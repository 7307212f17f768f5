import { withoutOverlaps } from './overlaps.ts'

const segment = (from: number, to: number, text: string) => ({ from, to, text, confidence: null })
const texts = (spans: { segments: { text: string }[] }[]) =>
  spans.map(({ segments }) => segments.map(({ text }) => text))

/** Two spans that share the seconds 8 to 10 of a note. */
const met = (first: string, second: string) =>
  texts(
    withoutOverlaps([
      { from: 0, to: 10, segments: [segment(0, 10, first)] },
      { from: 8, to: 18, segments: [segment(8, 18, second)] },
    ]),
  )

test.each<[string, string, string, string, string]>([
  [
    'the same words are heard twice',
    'He was not an ill disposed young man, unless to be rather cold hearted and rather selfish is.',
    'And rather selfish is to be ill disposed: but he was, in general, well respected by all.',
    'He was not an ill disposed young man, unless to be rather cold hearted and rather',
    'selfish is to be ill disposed: but he was, in general, well respected by all.',
  ],
  [
    'a word is cut in two on either side',
    'on the last day of the summer we all met once more at the old harbour in the ev',
    'arbour in the evening to see the boats come home from the sea with their nets full',
    'on the last day of the summer we all met once more at the old harbour in',
    'the evening to see the boats come home from the sea with their nets full',
  ],
  [
    'one word is all that they share',
    'it took us the whole of the afternoon and most of the night to get here last yesterday',
    'Yesterday we were glad to be at home again and to have had something warm to eat',
    'it took us the whole of the afternoon and most of the night to get here last',
    'Yesterday we were glad to be at home again and to have had something warm to eat',
  ],
  [
    'they share none',
    'one two three four five six seven eight nine ten',
    'neuf dix onze douze treize quatorze quinze seize dixsept',
    'one two three four five six seven eight nine',
    'onze douze treize quatorze quinze seize dixsept',
  ],
  [
    'no spaces are written',
    '今天的天气很好我们一起去公园散步',
    '公园散步然后回家吃饭休息看书睡觉',
    '今天的天气很好我们一起去公园',
    '散步然后回家吃饭休息看书睡觉',
  ],
])('when %s, then each word is there once', (_what, first, second, kept, rest) => {
  expect(met(first, second)).toEqual([[kept], [rest]])
})

test('when somebody repeats what is in the overlap, then no sentence between is lost', () => {
  const heard = 'Eight of spades, four of clubs, seven of hearts, it was by.'
  const first = { from: 4.08, to: 9.5, segments: [segment(4.08, 9.5, heard)] }
  const sentences = [
    segment(7.5, 9.65, 'It was the best of times.'),
    segment(9.65, 11.9, 'It was the worst of times.'),
  ]
  expect(texts(withoutOverlaps([first, { from: 7.5, to: 14, segments: sentences }]))).toEqual([
    ['Eight of spades, four of clubs, seven of hearts, it'],
    ['was the best of times.', 'It was the worst of times.'],
  ])
})

test('when one of them has no text in the overlap, then the other keeps its own', () => {
  expect(met('all the words are in here', '')).toEqual([['all the words are in here'], ['']])
})

test('when a segment was recognised twice, then it is removed once, and others stay', () => {
  const again = {
    from: 8,
    to: 18,
    segments: [segment(8, 10, 'See you there.'), segment(10, 18, 'Good bye.')],
  }
  const first = { from: 0, to: 10, segments: [segment(0, 8, 'I am late.'), segment(8, 10, 'See you there.')] }
  expect(texts(withoutOverlaps([first, again]))).toEqual([
    ['I am late.', 'See'],
    ['you there.', 'Good bye.'],
  ])
})

test('when times are estimated, then one text ends at the second at which the next begins', () => {
  // Moonshine's pieces of a recording, whose estimates overlapped by 0.23 s.
  const [first, second] = withoutOverlaps([
    { from: 54.4, to: 59.4, segments: [segment(54.4, 59.4, 'is to be ill-disposed, had he married')] },
    {
      from: 57.4,
      to: 64.31,
      segments: [segment(57.4, 64.31, 'Had he married a more amiable woman, he might')],
    },
  ])
  expect(first?.segments[0]?.to).toBe(second?.segments[0]?.from)
  expect(second?.segments[0]?.from).toBeGreaterThan(57.4)
})

test('when words have times, then a segment that is cut keeps those of the words that stay', () => {
  const spoken = (from: number, text: string) => {
    const words = text
      .split(' ')
      .map((word, at) => ({ text: word, from: from + at, to: from + at + 0.9, confidence: 0.5 }))
    return { ...segment(from, words.at(-1)!.to, text), words }
  }
  const [first, second] = withoutOverlaps([
    { from: 0, to: 10, segments: [spoken(6, 'a b c d')] },
    { from: 8, to: 18, segments: [spoken(8, 'c d e')] },
  ])
  expect(first?.segments).toMatchObject([{ text: 'a b c', from: 6, to: 8.9 }])
  expect(first?.segments[0]?.words?.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  expect(second?.segments).toMatchObject([{ text: 'd e', from: 9, to: 10.9 }])
  expect(second?.segments[0]?.words?.map(({ text }) => text)).toEqual(['d', 'e'])
})

test('when spans do not overlap, then they stay as they are', () => {
  const spans = [
    { from: 0, to: 5, segments: [segment(0, 5, 'No, no.')] },
    { from: 5, to: 9, segments: [segment(5, 9, 'No, never.')] },
  ]
  expect(withoutOverlaps(spans)).toEqual(spans)
})
