import type { Source } from '@voxscribe/contracts/events'
import { claimOnce, type Documents } from '@voxscribe/service'
import { Schema } from 'mongoose'

/** An unknown sender who has been told how to sign up. */
interface Stranger {
  /** `<channel>:<address>` */
  _id: string
  /** The message that was answered. */
  eventId: string
  at: Date
}

const DAY_MS = 24 * 3600 * 1000

const strangerSchema = new Schema<Stranger>(
  { _id: String, eventId: String, at: Date },
  { versionKey: false },
).index({ at: 1 }, { expireAfterSeconds: DAY_MS / 1000 })

export function createStrangers(documents: Documents) {
  const Strangers = documents.model<Stranger>('strangers', strangerSchema)
  return {
    /** Whether this message is the one to answer today; asked again for the same message, it still is. */
    claim: async ({ channel, address }: Source, eventId: string, now: Date): Promise<boolean> => {
      const mayAnswer = { $or: [{ eventId }, { at: { $lt: new Date(now.getTime() - DAY_MS) } }] }
      return claimOnce(Strangers, { _id: `${channel}:${address}`, eventId, at: now }, mayAnswer)
    },
  }
}
export type Strangers = ReturnType<typeof createStrangers>
