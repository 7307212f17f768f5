import { claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** The highest threshold of a period that a person was warned of. */
const QuotaMark = z.object({
  /** Person, plan and period. */
  _id: z.string(),
  percent: z.number(),
  /** The event that passed it. */
  eventId: z.string(),
  at: z.date(),
})

/** Longer than a period. */
const KEPT_SECONDS = 90 * 24 * 3600

const quotaMarkSchema = schemaOf(QuotaMark).index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })

export function createQuotaMarks(documents: Documents) {
  const marks = documents.model('quota_marks', quotaMarkSchema)
  return {
    /** Claims the threshold for this event. Idempotent. After 100 %, 80 % is not claimed any more. */
    claim: async (period: string, percent: number, eventId: string, at: Date): Promise<boolean> => {
      const mayTell = { $or: [{ percent: { $lt: percent } }, { percent, eventId }] }
      return claimOnce(marks, { _id: period, percent, eventId, at }, mayTell)
    },
  }
}
export type QuotaMarks = ReturnType<typeof createQuotaMarks>
