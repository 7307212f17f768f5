import { inPassages } from './passages.ts'

type Given = readonly [from: number, to: number, text: string]
const passages = (...given: Given[]) =>
  inPassages(
    given.map(([from, to, text]) => ({ from, to, text, confidence: null })),
    'en',
  ).map(({ from, to, text }) => [from, to, text])

test('when a sentence was heard in two pieces, then it is one passage', () => {
  expect(
    passages(
      [48.45, 55.04, 'He was rather cold-hearted and rather selfish, is'],
      [55.84, 58.13, 'to be ill-disposed.'],
      [58.13, 64.31, 'Had he married a more amiable woman.'],
    ),
  ).toEqual([
    [48.45, 58.13, 'He was rather cold-hearted and rather selfish, is to be ill-disposed.'],
    [58.13, 64.31, 'Had he married a more amiable woman.'],
  ])
})

test('when a piece begins a sentence with one word, then that word goes with its sentence', () => {
  const texts = passages(
    [0, 5, 'More respectable than he was.'],
    [5, 5.3, 'He'],
    [5.3, 9, 'might even have been made amiable.'],
  ).map(([, , text]) => text)
  expect(texts).toEqual(['More respectable than he was.', 'He might even have been made amiable.'])
})

test('when a piece ends in a pause within a sentence, then that ends a passage', () => {
  const given: Given[] = [
    [0, 6, 'Unless to be rather selfish is to be ill-disposed'],
    [6, 12, 'Had he married a more amiable woman.'],
  ]
  expect(passages(...given)).toEqual(given)
})

test.each([
  ['speech has no end of a sentence', 6, 6, 'and then we went', 16],
  ['numbers are dictated one by one', 2, 1, 'Seven.', 32],
])('when %s, then no passage is too long', (_what, every, lasts, text, most) => {
  const given = Array.from({ length: 100 }, (_, at) => [at * every, at * every + lasts, text] as const)
  for (const [from, to] of passages(...given) as [number, number][])
    expect(to - from).toBeLessThanOrEqual(most)
})

test('when estimated times overlap, then none begins before the one before it ends', () => {
  const times = passages(
    [0, 5, 'He was not an ill-disposed man.'],
    [4.2, 4.8, 'Had he married a woman.'],
    [4.5, 9, 'He might have been amiable.'],
  )
  expect(times.map(([from, to]) => [from, to])).toEqual([
    [0, 5],
    [5, 5],
    [5, 9],
  ])
})

test.each([
  ['first', 'Yes.', 'I will be there.', 'And you?', ['Yes. I will be there. And you?']],
  ['last', 'I will be there.', 'I am late.', 'Bye.', ['I will be there.', 'I am late. Bye.']],
  ['all there is', 'Yes.', 'No.', 'Yes.', ['Yes. No. Yes.']],
])('when a stray word is %s, then it joins what is beside it', (_where, first, second, third, expected) => {
  const texts = passages([0, 1, first], [1, 3, second], [3, 4, third]).map(([, , text]) => text)
  expect(texts).toEqual(expected)
})

test('when a word stands alone between pauses of 1.5 s, then it is a passage', () => {
  const given: Given[] = [
    [0, 4, 'Are you still there?'],
    [5.5, 6, 'Yes.'],
    [7.5, 9, 'I am still here.'],
  ]
  expect(passages(...given)).toEqual(given)
})

test('when passages are joined, then confidence is weighted by time', () => {
  const [passage] = inPassages(
    [
      { from: 0, to: 3, text: 'and we went', confidence: 0.4 },
      { from: 3, to: 4, text: 'home.', confidence: 0.8 },
    ],
    'en',
  )
  expect(passage?.confidence).toBeCloseTo(0.5)
})
