import { createCrowd } from './overload.ts'

/** Adds this many webhooks at one time. */
function come(crowd: ReturnType<typeof createCrowd>, count: number, at: number): object[] {
  const webhooks = Array.from({ length: count }, () => ({}))
  for (const webhook of webhooks) crowd.hasCome(webhook, at)
  return webhooks
}

test('when many webhooks come at once and are done within a second, then none is refused', () => {
  const crowd = createCrowd()
  const webhooks = come(crowd, 500, 0)
  for (let now = 10; now < 1_000; now += 2) {
    expect(crowd.isTooMuch(now, true)).toBe(false)
    crowd.isDone(webhooks.pop()!)
  }
})

test('when they are late for over a second, then more are refused until few are left', () => {
  const crowd = createCrowd()
  const webhooks = come(crowd, 40, 0)
  expect(crowd.isTooMuch(150, false)).toBe(false)
  expect(crowd.isTooMuch(250, false)).toBe(false)
  expect(crowd.isTooMuch(1_300, false)).toBe(true)
  for (const webhook of webhooks.splice(0, 9)) crowd.isDone(webhook)
  expect(crowd.isTooMuch(1_310, false)).toBe(false)
})

test('when a crowd returns at once, then it is refused at once; after a pause it is a new one', () => {
  const crowd = createCrowd()
  come(crowd, 40, 0)
  expect(crowd.isTooMuch(300, false)).toBe(false)
  expect(crowd.isTooMuch(2_000, false)).toBe(true)
  expect(crowd.isTooMuch(4_000, false)).toBe(true)
  expect(crowd.isTooMuch(7_500, false)).toBe(false)
})

test('when few are in progress, then none is refused, however late they and the process are', () => {
  const crowd = createCrowd()
  come(crowd, 31, 0)
  expect(crowd.isTooMuch(60_000, true)).toBe(false)
})
