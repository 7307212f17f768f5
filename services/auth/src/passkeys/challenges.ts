import { type Documents, hashOf, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const Challenge = z.object({
  /** The challenge's hash. */
  _id: z.string(),
  /** The person who adds a passkey; null: someone signs in. */
  userId: z.string().nullable(),
  expiresAt: z.date(),
})
type Challenge = z.infer<typeof Challenge>

const challengeSchema = schemaOf(Challenge)
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Keeps the challenges that authenticators sign, each once. */
export function createChallenges(documents: Documents, ttlMs: number) {
  const challenges = documents.model<Challenge>('passkey_challenges', challengeSchema, { owner: 'userId' })
  return {
    add: async (challenge: string, userId: string | null): Promise<void> => {
      await challenges.create({
        _id: hashOf(challenge),
        userId,
        expiresAt: new Date(Date.now() + ttlMs),
      })
    },
    /** Uses a challenge up, also one that was for somebody else. Returns whether it was for this purpose, in time. */
    async use(challenge: string, userId: string | null): Promise<boolean> {
      const _id = hashOf(challenge)
      const found = await challenges.findById(_id).lean<Challenge>()
      // Of several calls at once, one deletes it.
      const isFirst = (await challenges.deleteOne({ _id })).deletedCount === 1
      return isFirst && found?.userId === userId && found.expiresAt.getTime() > Date.now()
    },
  }
}
