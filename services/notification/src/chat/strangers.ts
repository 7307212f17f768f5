import type { Source } from '@voxscribe/contracts/events'
import { claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** An unknown sender who was answered how to sign up. */
const Stranger = z.object({
  /** `<channel>:<address>` */
  _id: z.string(),
  /** The message that was answered. */
  eventId: z.string(),
  at: z.date(),
})

const DAY_MS = 24 * 3600 * 1000

const strangerSchema = schemaOf(Stranger).index({ at: 1 }, { expireAfterSeconds: DAY_MS / 1000 })

export function createStrangers(documents: Documents) {
  const strangers = documents.model('strangers', strangerSchema)
  return {
    /** Claims the sender's one answer a day for this message. Idempotent. */
    claim: async ({ channel, address }: Source, eventId: string, now: Date): Promise<boolean> => {
      const mayAnswer = { $or: [{ eventId }, { at: { $lt: new Date(now.getTime() - DAY_MS) } }] }
      return claimOnce(strangers, { _id: `${channel}:${address}`, eventId, at: now }, mayAnswer)
    },
  }
}
export type Strangers = ReturnType<typeof createStrangers>
