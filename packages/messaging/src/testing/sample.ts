import { randomUUID } from 'node:crypto'
import type { Envelope } from '@voxscribe/contracts/events'
import { MediaExpired, TranscriptionDeleted } from '@voxscribe/contracts/events'
import { pino } from 'pino'
import type { Bus } from '../bus.ts'
import { type OutboxSource, startRelay } from '../relay.ts'

/** The smallest flow that the tests need: one event with two receivers, and one with a single receiver. */
export const sampleTopology = (alpha = 'alpha', beta = 'beta') => ({
  MediaExpired: { event: MediaExpired, to: [alpha, beta] },
  TranscriptionDeleted: { event: TranscriptionDeleted, to: [alpha] },
})

const data = (userId: string) => ({ mediaId: randomUUID(), userId })
/** Creates an event for alpha and beta; `userId` distinguishes it from others. */
export const anEvent = (userId: string): Envelope => MediaExpired.create(data(userId))
export const anEventForAlpha = (userId: string): Envelope => TranscriptionDeleted.create(data(userId))

export const userOf = (event: Envelope) => (event.data as { userId: string }).userId

/** Collects the events passed to a handler. */
export function recorder() {
  const seen: Envelope[] = []
  return { seen, users: () => seen.map(userOf), handle: async (event: Envelope) => void seen.push(event) }
}

export const failing =
  (error = new Error('Not yet')) =>
  async (): Promise<void> => {
    throw error
  }

/** Relays the event of an outbox with one document. */
export function relayOf(event: Envelope) {
  const waiting = [event]
  const source: OutboxSource = {
    name: 'notes',
    pending: async () => (waiting.length ? [{ key: 'note', events: [...waiting] }] : []),
    remove: async () => void waiting.splice(0),
  }
  const relay = { sources: [source], log: pino({ level: 'silent' }), everyMs: 10, takeOverMs: 0 }
  return (bus: Bus) => startRelay({ bus, ...relay })
}
