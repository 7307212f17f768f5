import { claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A message that goes out only once, or once a day, and the event that caused it. */
const Claim = z.object({
  /** The kind, and the person or period. */
  _id: z.string(),
  eventId: z.string(),
  /** The highest threshold of a period that a person was warned of. */
  percent: z.number().optional(),
  until: z.date(),
})

const DAY_MS = 86_400_000
/** Longer than a period. */
const THRESHOLD_MS = 90 * DAY_MS

const claimSchema = schemaOf(Claim).index({ until: 1 }, { expireAfterSeconds: 0 })

/** Claims of messages. Idempotent: the event that holds a claim gets it again. */
export function createClaims(documents: Documents, now: () => Date) {
  const claims = documents.model('claims', claimSchema)
  const later = (ms: number) => new Date(now().getTime() + ms)
  return {
    daily: (_id: string, eventId: string): Promise<boolean> =>
      claimOnce(
        claims,
        { _id, eventId, until: later(DAY_MS) },
        { $or: [{ eventId }, { until: { $lte: now() } }] },
      ),
    /** A threshold of a period. After 100 %, 80 % is not claimed any more. */
    threshold: (period: string, percent: number, eventId: string): Promise<boolean> =>
      claimOnce(
        claims,
        { _id: `quota:${period}`, percent, eventId, until: later(THRESHOLD_MS) },
        { $or: [{ percent: { $lt: percent } }, { percent, eventId }] },
      ),
  }
}
export type Claims = ReturnType<typeof createClaims>
