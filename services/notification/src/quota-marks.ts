import { claimOnce, type Documents } from '@voxscribe/service'
import { Schema } from 'mongoose'

/** The highest mark of a period that a person hears of. */
interface QuotaMark {
  /** Person, plan and period. */
  _id: string
  percent: number
  /** The event that passed it. */
  eventId: string
  at: Date
}

/** Longer than a period. */
const KEPT_SECONDS = 90 * 24 * 3600

const quotaMarkSchema = new Schema<QuotaMark>(
  { _id: String, percent: Number, eventId: String, at: Date },
  { versionKey: false },
).index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })

export function createQuotaMarks(documents: Documents) {
  const Marks = documents.model<QuotaMark>('quota_marks', quotaMarkSchema)
  return {
    /**
     * Whether this event is the one that tells of the mark; asked again for the same event, it still is. Whoever has
     * passed 100 % needs no late word of 80 %.
     */
    claim: async (period: string, percent: number, eventId: string, at: Date): Promise<boolean> => {
      const mayTell = { $or: [{ percent: { $lt: percent } }, { percent, eventId }] }
      return claimOnce(Marks, { _id: period, percent, eventId, at }, mayTell)
    },
  }
}
export type QuotaMarks = ReturnType<typeof createQuotaMarks>
