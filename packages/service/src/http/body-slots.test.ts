import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { createBodySlots } from './body-slots.ts'

let now = 0
let take: ReturnType<typeof createBodySlots>
beforeEach(() => {
  now = 0
  take = createBodySlots({ total: 6, perCaller: 2 }, () => now)
})

/** Starts a call whose file is still being sent. */
function call(userId: string) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  return { request, response, isTaken: take(userId, request, response) }
}
const areTaken = (...people: string[]) => people.map(person => call(person).isTaken)

test('when three people hold all places and go on sending, then another person waits 10 s at most', () => {
  const [first, second] = [call('a'), call('a')]
  expect(areTaken('b', 'b', 'c', 'c')).toEqual([true, true, true, true])
  now = 10_000
  expect(areTaken('d')).toEqual([false])
  now = 10_001
  expect(areTaken('d')).toEqual([true])
  expect([first.request.destroyed, second.request.destroyed]).toEqual([true, false])
  // Only for the first place: nobody interrupts others for a second one.
  expect(areTaken('d', 'e')).toEqual([false, true])
  expect(second.request.destroyed).toBe(true)
})

test('when the files have come whole, then none of them is broken off', () => {
  const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map(call)
  for (const { request } of calls) request.complete = true
  now = 60_000
  expect(areTaken('g')).toEqual([false])
})

test('when a call is answered, then its place is free, although the answer waits behind another', () => {
  const [first] = ['a', 'a', 'b', 'b', 'c', 'c'].map(call)
  expect(areTaken('d')).toEqual([false])
  first!.response.end('{}')
  expect(first!.response.writableFinished).toBe(false)
  expect(areTaken('d')).toEqual([true])
})
