import { randomUUID } from 'node:crypto'
import { conflict, type Documents, type Problem, schemaOf, unauthorized } from '@voxscribe/service'
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
    start: async (user: Pick<User, '_id' | 'generation'>): Promise<string> => {
      const token = newToken(randomUUID())
      await sessions.create({
        _id: token.id,
        userId: user._id,
        generation: user.generation,
        tokenHash: token.hash,
        spent: [],
        expiresAt: new Date(Date.now() + ttlMs),
      })
      return token.text
    },

    /**
     * Exchanges a refresh token for the next one. Of several simultaneous exchanges only one succeeds: throws 409 for
     * the others, 401 for a token that has expired, is unknown or was used before.
     */
    rotate: async (text: string) => {
      const { id, hash } = readToken(text)
      const next = newToken(id)
      const now = new Date()
      const session = await sessions
        .findOneAndUpdate(
          { _id: id, tokenHash: hash, expiresAt: { $gt: now } },
          {
            $set: { tokenHash: next.hash, expiresAt: new Date(now.getTime() + ttlMs) },
            $push: { spent: { $each: [{ tokenHash: hash, at: now }], $slice: -SPENT_KEPT } },
          },
        )
        .lean<Session>()
      if (!session) throw await refuse(await sessions.findById(id).lean<Session>(), hash)
      return { refreshToken: next.text, userId: session.userId, generation: session.generation }
    },

    /** Ends the session that a refresh token belongs to, if there is one. */
    endOf: (text: string) => end(readToken(text).id),
    endAllOf: async (userId: string): Promise<void> => {
      await sessions.deleteMany({ userId })
    },
  }

  async function refuse(session: Session | null, hash: string): Promise<Problem> {
    if (!session) return unauthorized()
    const spent = session.spent.find(token => token.tokenHash === hash)
    if (spent && Date.now() - spent.at.getTime() <= GRACE_MS)
      return conflict('Already refreshed', 'already_refreshed')
    await end(session._id)
    return session.tokenHash === hash ? unauthorized('Token expired', 'token_expired') : unauthorized()
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
