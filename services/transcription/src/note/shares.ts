import { createHmac } from 'node:crypto'
import { type Documents, deleteAll, hashOf, newSecret, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** Link by which anyone can read a note. Stored apart from the note, which may have megabytes: each view is a write. */
const ShareRecord = z.object({
  /** Id of the note or conversation. */
  _id: z.string(),
  of: z.literal('conversation').optional(),
  userId: z.string(),
  /** The account's generation when the link was made; a new password ends the link. */
  generation: z.number(),
  /** Random value from which the link's token is derived. */
  seed: z.string(),
  /** Hash of the token, which is not stored. */
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

/** Derives a link's token from the key of its note and the link's seed. */
export const tokenOf = (key: string, seed: string): string =>
  createHmac('sha256', key).update(`share ${seed}`).digest('base64url')

const DAY_MS = 86_400_000

export function createShares(documents: Documents, now: () => Date) {
  const shares = documents.model('shares', shareSchema, { owner: 'userId' })
  const running = () => ({ expiresAt: { $gt: now() } })
  return {
    /** Creates a link, which replaces the note's previous one. */
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
    forNote: (noteId: string) => shares.findOne({ _id: noteId, ...running() }).lean(),
    byToken: (token: string) => shares.findOne({ hash: hashOf(token), ...running() }).lean(),
    /** Returns the link with this token and counts a view. */
    viewed: (token: string) =>
      shares.findOneAndUpdate({ hash: hashOf(token), ...running() }, { $inc: { views: 1 } }).lean(),
  }
}
export type Shares = ReturnType<typeof createShares>
