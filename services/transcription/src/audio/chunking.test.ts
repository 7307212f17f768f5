import { cutAtPauses } from './chunking.ts'

const loudFor = (seconds: number) => Array.from({ length: seconds * 10 }, () => 1000)

test('when the audio is short enough, then it stays whole', () => {
  expect(cutAtPauses(loudFor(10), 10, 60)).toEqual([{ from: 0, to: 10 }])
})

test('when there is a pause near the end of a part, then the cut is in it', () => {
  const levels = loudFor(100)
  for (let step = 500; step < 508; step++) levels[step] = 3
  const [first, second] = cutAtPauses(levels, 100, 60)
  expect(first!.to).toBeGreaterThan(50)
  expect(first!.to).toBeLessThan(50.8)
  expect(second).toEqual({ from: first!.to, to: 100 })
})

test('when no one ever pauses, then no part is longer than allowed and nothing is lost', () => {
  const spans = cutAtPauses(loudFor(1000), 1000, 60)
  expect(spans[0]!.from).toBe(0)
  expect(spans.at(-1)!.to).toBe(1000)
  for (const [index, { from, to }] of spans.entries()) {
    expect(to - from).toBeLessThanOrEqual(60)
    expect(to).toBeGreaterThan(from)
    if (index) expect(from).toBe(spans[index - 1]!.to)
  }
})

test.each([60.01, 60.05, 61, 100.73, 119.99, 120.04])(
  'when the audio is %s s long, then no part is shorter than a second',
  seconds => {
    const spans = cutAtPauses(loudFor(Math.ceil(seconds)), seconds, 60)
    for (const { from, to } of spans) {
      expect(to - from).toBeGreaterThanOrEqual(1)
      expect(to - from).toBeLessThanOrEqual(60)
    }
  },
)
