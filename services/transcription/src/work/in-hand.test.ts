import { Later } from '@voxscribe/messaging'
import type { NoteRecord } from '../note/record.ts'
import { createInHand } from './in-hand.ts'

const ATTEMPT = { _id: 'note', attempt: 1 }

const inHand = () => createInHand({ renew: async () => true } as never, 60_000)
const found = async () => ATTEMPT as NoteRecord

test('when a note is to be heard while the answer about its length is still on its way, then nobody waits', async () => {
  const hands = inHand()
  const length = Promise.withResolvers<void>()
  const measuring = hands.work('measuring', ATTEMPT, found, () => length.promise)
  const heard: string[] = []
  await hands.work('listening', ATTEMPT, found, async ({ _id }) => void heard.push(_id))
  expect(heard).toEqual(['note'])
  length.resolve()
  await measuring
})

test('when a note is in hand for a step, then the same step comes later', async () => {
  const hands = inHand()
  const end = Promise.withResolvers<void>()
  const first = hands.work('listening', ATTEMPT, found, () => end.promise)
  await expect(hands.work('listening', ATTEMPT, found, async () => {})).rejects.toThrow(Later)
  expect(hands.has('listening', ATTEMPT)).toBe(true)
  expect(hands.has('measuring', ATTEMPT)).toBe(false)
  end.resolve()
  await first
  expect(hands.has('listening', ATTEMPT)).toBe(false)
})

test('when an attempt that has run out of time is stopped, then the next one goes on', async () => {
  const hands = inHand()
  const later = Promise.withResolvers<void>()
  const working = hands.work('listening', { ...ATTEMPT, attempt: 2 }, found, () => later.promise)
  hands.stop(ATTEMPT._id, 1)
  later.reject(new Error('The work broke'))
  await expect(working).rejects.toThrow('The work broke')
})
