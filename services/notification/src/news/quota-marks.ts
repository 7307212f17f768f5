import { claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** The highest mark of a period that a person hears of. */
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
    /**
     * Whether this event is the one that tells of the mark; asked again for the same event, it still is. Whoever has
     * passed 100 % needs no late word of 80 %.
     */
    claim: async (period: string, percent: number, eventId: string, at: Date): Promise<boolean> => {
      const mayTell = { $or: [{ percent: { $lt: percent } }, { percent, eventId }] }
      return claimOnce(marks, { _id: period, percent, eventId, at }, mayTell)
    },
  }
}
export type QuotaMarks = ReturnType<typeof createQuotaMarks>
