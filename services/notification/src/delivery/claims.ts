import type { Envelope } from '@voxscribe/contracts/events'
import { claimOnce, type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A message that goes out only once, or once a day, and the event that caused it. */
const Claim = z.object({
  /** The kind, and the person or period. */
  _id: z.string(),
  eventId: z.string(),
  /** When it may be claimed again; absent: never. */
  until: z.date().optional(),
})

export const DAY_MS = 86_400_000
const claimSchema = schemaOf(Claim).index({ until: 1 }, { expireAfterSeconds: 0 })

/** Claims of messages. Idempotent: the event that holds a claim gets it again. */
export function createClaims(documents: Documents) {
  const claims = documents.outboxModel('claims', claimSchema)
  return {
    /** With news of it in the same write. */
    once: async (_id: string, eventId: string, news: Envelope): Promise<boolean> =>
      (await insertOnce(claims, { _id, eventId, outbox: [news] })) ||
      (await claims.exists({ _id, eventId })) !== null,
    /** Again once `ms` are over. */
    onceIn: (ms: number, _id: string, eventId: string): Promise<boolean> =>
      claimOnce(
        claims,
        { _id, eventId, until: new Date(Date.now() + ms), outbox: [] },
        { $or: [{ eventId }, { until: { $lte: new Date() } }] },
      ),
  }
}
export type Claims = ReturnType<typeof createClaims>
