import { createLoadTracker } from './overload.ts'

/** Adds this many webhooks at one time. */
function start(load: ReturnType<typeof createLoadTracker>, count: number, at: number): object[] {
  const webhooks = Array.from({ length: count }, () => ({}))
  for (const webhook of webhooks) load.started(webhook, at)
  return webhooks
}

test('when many webhooks come at once and are done within a second, then none is refused', () => {
  const load = createLoadTracker()
  const webhooks = start(load, 500, 0)
  for (let now = 10; now < 1_000; now += 2) {
    expect(load.isOverloaded(now, true)).toBe(false)
    load.finished(webhooks.pop()!)
  }
})

test('when they are late for over a second, then more are refused until few are left', () => {
  const load = createLoadTracker()
  const webhooks = start(load, 40, 0)
  expect(load.isOverloaded(150, false)).toBe(false)
  expect(load.isOverloaded(250, false)).toBe(false)
  expect(load.isOverloaded(1_300, false)).toBe(true)
  for (const webhook of webhooks.splice(0, 9)) load.finished(webhook)
  expect(load.isOverloaded(1_310, false)).toBe(false)
})

test('when a crowd returns at once, then it is refused at once; after a pause it is a new one', () => {
  const load = createLoadTracker()
  start(load, 40, 0)
  expect(load.isOverloaded(300, false)).toBe(false)
  expect(load.isOverloaded(2_000, false)).toBe(true)
  expect(load.isOverloaded(4_000, false)).toBe(true)
  expect(load.isOverloaded(7_500, false)).toBe(false)
})

test('when few are in progress, then none is refused, however late they and the process are', () => {
  const load = createLoadTracker()
  start(load, 31, 0)
  expect(load.isOverloaded(60_000, true)).toBe(false)
})
