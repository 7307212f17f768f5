import { randomUUID } from 'node:crypto'
import type { Envelope } from '@voxscribe/contracts/events'
import { MediaExpired, TranscriptionDeleted } from '@voxscribe/contracts/events'

/** A flow as small as the tests need: one event with two receivers, one with a single one. */
export const sampleTopology = (alpha = 'alpha', beta = 'beta') => ({
  MediaExpired: { event: MediaExpired, to: [alpha, beta] },
  TranscriptionDeleted: { event: TranscriptionDeleted, to: [alpha] },
})

const data = (userId: string) => ({ mediaId: randomUUID(), userId })
/** An event for alpha and beta; `userId` distinguishes it from others. */
export const anEvent = (userId: string): Envelope => MediaExpired.create(data(userId))
/** An event for alpha alone. */
export const anEventForAlpha = (userId: string): Envelope => TranscriptionDeleted.create(data(userId))

export const userOf = (event: Envelope) => (event.data as { userId: string }).userId
