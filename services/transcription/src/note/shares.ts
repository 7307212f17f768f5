import { createHmac } from 'node:crypto'
import { type Documents, deleteAll, hashOf, newSecret, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** The link by which anyone reads a note. Beside the note: a note may have megabytes, and each view is a write. */
const ShareRecord = z.object({
  /** The note's, or the conversation's. */
  _id: z.string(),
  of: z.literal('conversation').optional(),
  userId: z.string(),
  /** The account's, when it was made: a later password ends it. */
  generation: z.number(),
  /** Its own random id, of which the link's token is made. */
  seed: z.string(),
  /** Of the token, which is not stored. */
  hash: z.string(),
  audio: z.boolean(),
  expiresAt: z.date(),
  views: z.number(),
})
export type ShareRecord = z.infer<typeof ShareRecord>

const shareSchema = schemaOf(ShareRecord)
  .index({ hash: 1 }, { unique: true })
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** The token of a link, for who has the key of its note. */
export const tokenOf = (key: string, seed: string): string =>
  createHmac('sha256', key).update(`share ${seed}`).digest('base64url')

const DAY_MS = 86_400_000

export function createShares(documents: Documents, now: () => Date) {
  const shares = documents.model('shares', shareSchema, { owner: 'userId' })
  const running = () => ({ expiresAt: { $gt: now() } })
  return {
    /** Makes a link with the note's key, in place of its last one. */
    async begin(
      note: { _id: string; userId: string },
      key: string,
      generation: number,
      { days, audio, ...kind }: { days: number; audio: boolean; of?: 'conversation' },
    ) {
      const seed = newSecret()
      const token = tokenOf(key, seed)
      const expiresAt = new Date(now().getTime() + days * DAY_MS)
      const set = {
        userId: note.userId,
        generation,
        seed,
        hash: hashOf(token),
        audio,
        expiresAt,
        views: 0,
        ...kind,
      }
      await shares.updateOne({ _id: note._id }, { $set: set }, { upsert: true })
      return { token, expiresAt }
    },
    end: (noteId: string) => shares.deleteOne({ _id: noteId }),
    endBefore: (userId: string, generation: number) =>
      deleteAll(shares, { userId, generation: { $lt: generation } }),
    of: (noteId: string) => shares.findOne({ _id: noteId, ...running() }).lean(),
    byToken: (token: string) => shares.findOne({ hash: hashOf(token), ...running() }).lean(),
    /** The link with this token, with one view more. */
    viewed: (token: string) =>
      shares.findOneAndUpdate({ hash: hashOf(token), ...running() }, { $inc: { views: 1 } }).lean(),
  }
}
export type Shares = ReturnType<typeof createShares>
