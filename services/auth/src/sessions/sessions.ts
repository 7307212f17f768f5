import { randomUUID } from 'node:crypto'
import { type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { hashOf, newSecret } from '../accounts/secrets.ts'
import type { User } from '../accounts/users.ts'

/** Two tabs may refresh with the same token: within this time the later one gets 409, and nothing is revoked. */
const GRACE_MS = 10_000
/** More rotations than this in the grace time count as reuse. */
const SPENT_KEPT = 20

/** One sign-in and all refresh tokens that followed from it. */
const Session = z.object({
  _id: z.string(),
  userId: z.string(),
  /** The account's generation at the sign-in. */
  generation: z.number(),
  tokenHash: z.string(),
  /** The tokens rotated last. */
  spent: z.array(z.object({ tokenHash: z.string(), at: z.date() })),
  expiresAt: z.date(),
})
type Session = z.infer<typeof Session>

const sessionSchema = schemaOf(Session)
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

type Rotation =
  | { outcome: 'rotated'; refreshToken: string; userId: string; generation: number }
  | { outcome: 'just-rotated' }
  | { outcome: 'expired' }
  | { outcome: 'refused' }

export type Sessions = ReturnType<typeof createSessions>

/**
 * Refresh tokens are `<session id>.<secret>`; only a hash of the secret is stored. A client with a session's id has had one
 * of its tokens, so an id with any secret but the current one is a token used twice: the session ends.
 */
export function createSessions(documents: Documents, ttlMs: number) {
  const sessions = documents.model<Session>('sessions', sessionSchema)
  const end = async (id: string) => {
    await sessions.deleteOne({ _id: id })
  }

  return {
    /** Returns the first refresh token. */
    start: async (user: Pick<User, '_id' | 'generation'>, now: Date): Promise<string> => {
      const token = newToken(randomUUID())
      await sessions.create({
        _id: token.id,
        userId: user._id,
        generation: user.generation,
        tokenHash: token.hash,
        spent: [],
        expiresAt: new Date(now.getTime() + ttlMs),
      })
      return token.text
    },

    /** Exchanges a refresh token for the next one. Of several simultaneous exchanges only one succeeds. */
    rotate: async (text: string, now: Date): Promise<Rotation> => {
      const { id, hash } = readToken(text)
      const next = newToken(id)
      const session = await sessions
        .findOneAndUpdate(
          { _id: id, tokenHash: hash, expiresAt: { $gt: now } },
          {
            $set: { tokenHash: next.hash, expiresAt: new Date(now.getTime() + ttlMs) },
            $push: { spent: { $each: [{ tokenHash: hash, at: now }], $slice: -SPENT_KEPT } },
          },
        )
        .lean<Session>()
      if (session) {
        const { userId, generation } = session
        return { outcome: 'rotated', refreshToken: next.text, userId, generation }
      }
      return refused(await sessions.findById(id).lean<Session>(), hash, now)
    },

    /** Ends the session that a refresh token belongs to, if there is one. */
    endOf: (text: string) => end(readToken(text).id),
    endAllOf: async (userId: string): Promise<void> => {
      await sessions.deleteMany({ userId })
    },
  }

  async function refused(session: Session | null, hash: string, now: Date): Promise<Rotation> {
    if (!session) return { outcome: 'refused' }
    const spent = session.spent.find(token => token.tokenHash === hash)
    if (spent && now.getTime() - spent.at.getTime() <= GRACE_MS) return { outcome: 'just-rotated' }
    await end(session._id)
    return { outcome: session.tokenHash === hash ? 'expired' : 'refused' }
  }
}

function newToken(id: string) {
  const secret = newSecret()
  return { id, text: `${id}.${secret}`, hash: hashOf(secret) }
}

function readToken(text: string) {
  const [id = '', ...secret] = text.split('.')
  return { id, hash: hashOf(secret.join('.')) }
}
