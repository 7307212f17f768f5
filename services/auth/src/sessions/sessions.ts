import { randomUUID } from 'node:crypto'
import type { SignedInDevice } from '@voxscribe/contracts/http'
import { type Documents, hashOf, newSecret, type Problem, refusal, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'

/** Two tabs may refresh with the same token: within this time the later one gets 409, and nothing is revoked. */
const GRACE_MS = 10_000
/** More rotations than this in the grace time count as reuse. */
const SPENT_KEPT = 20
const LISTED = 100

/** One sign-in and all refresh tokens that follow from it. */
const Session = z.object({
  _id: z.string(),
  userId: z.string(),
  /** The account's generation at the sign-in. */
  generation: z.number(),
  tokenHash: z.string(),
  /** The last rotated tokens, oldest first. */
  spent: z.array(z.object({ tokenHash: z.string(), at: z.date() })),
  /** The last renewal, until its token is used. Its response may be lost, so the token before it still works. */
  unused: z.string().optional(),
  device: z.string(),
  createdAt: z.date(),
  /** Time of the last renewal. */
  usedAt: z.date(),
  expiresAt: z.date(),
})
type Session = z.infer<typeof Session>

const sessionSchema = schemaOf(Session)
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Publishes that the access tokens of a session or an API key have ended. */
export type PublishEnded = (userId: string, bearerId: string) => Promise<void>

type Owner = Pick<User, '_id' | 'generation'>

/** Shows the id, half of a refresh token. Alone it can only end the session, and access tokens contain it as well. */
const presentDevice = (
  { _id: id, device, createdAt, usedAt }: Session,
  current?: string,
): SignedInDevice => ({
  id,
  device,
  createdAt: createdAt.toISOString(),
  lastUsedAt: usedAt.toISOString(),
  current: id === current,
})

/**
 * Refresh tokens are `<session id>.<secret>`; only a hash of the secret is stored. A client with a session's id has had
 * one of its tokens. So an id with any secret but the current one, or the previous one while the current one is unused,
 * is a token used twice, and the session ends.
 */
export function createSessions(documents: Documents, ttlMs: number, publishEnded: PublishEnded) {
  const sessions = documents.model<Session>('sessions', sessionSchema, { owner: 'userId' })
  /** Publishes first: if that fails, the session is still there and can be ended again. */
  async function end(which: { _id: string; userId?: string }): Promise<boolean> {
    const session = await sessions.findOne(which, { userId: 1 }).lean<Session>()
    if (!session) return false
    await publishEnded(session.userId, session._id)
    return (await sessions.deleteOne({ _id: session._id })).deletedCount === 1
  }

  /** Exchanges a refresh token. All but one of simultaneous calls throw 409; throws 401 if ended, unknown or reused. */
  async function rotate(text: string) {
    const { id, hash } = readToken(text)
    const session = await sessions.findById(id).lean<Session>()
    const spent = session && spentAfter(session, hash)
    if (!spent) throw await refuse(session, hash)
    const next = newToken(id)
    const now = new Date()
    const change = {
      tokenHash: next.hash,
      spent: spent.slice(-SPENT_KEPT),
      unused: randomUUID(),
      usedAt: now,
      expiresAt: new Date(now.getTime() + ttlMs),
    }
    const asRead = { _id: id, tokenHash: session.tokenHash, unused: session.unused ?? null }
    const { modifiedCount } = await sessions.updateOne(asRead, { $set: change })
    if (!modifiedCount) return rotate(text)
    const { userId, generation } = session
    return { id, refreshToken: next.text, renewal: change.unused, userId, generation }
  }

  return {
    /** Returns the session's id and its first refresh token. */
    start: async (user: Owner, device: string) => {
      const token = newToken(randomUUID())
      const now = new Date()
      await sessions.create({
        _id: token.id,
        userId: user._id,
        generation: user.generation,
        tokenHash: token.hash,
        spent: [],
        device,
        createdAt: now,
        usedAt: now,
        expiresAt: new Date(now.getTime() + ttlMs),
      })
      return { id: token.id, refreshToken: token.text }
    },

    /** Whether the person's session still exists. */
    exists: async (_id: string, userId: string) => (await sessions.exists({ _id, userId })) !== null,

    /** Whether the person's session began within `withinMs`. */
    isFresh: async (_id: string, userId: string, withinMs: number) =>
      (await sessions.exists({ _id, userId, createdAt: { $gt: new Date(Date.now() - withinMs) } })) !== null,

    /** Last used first. `current`: the caller's session. */
    of: async ({ _id: userId, generation }: Owner, current?: string): Promise<SignedInDevice[]> => {
      const lasting = { userId, generation, expiresAt: { $gt: new Date() } }
      const found = await sessions.find(lasting).sort({ usedAt: -1 }).limit(LISTED).lean<Session[]>()
      return found.map(session => presentDevice(session, current))
    },

    rotate,

    /** Records that an access token of this renewal was used, so its response has arrived. */
    noteUse: async (_id: string, renewal: string): Promise<void> => {
      await sessions.updateOne({ _id, unused: renewal }, { $unset: { unused: 1 } })
    },

    /** Ends the session of a refresh token, if it exists. */
    endOf: (text: string) => end({ _id: readToken(text).id }),
    /** Returns false if the person has no such session. */
    end: (userId: string, _id: string): Promise<boolean> => end({ _id, userId }),
    /** Deletes sessions without an event; for use after a write that has ended their access tokens. */
    endAllOf: async (userId: string): Promise<void> => {
      await sessions.deleteMany({ userId })
    },
  }

  async function refuse(session: Session | null, hash: string): Promise<Problem> {
    if (!session) return refusal('unauthorized')
    const spent = session.spent.find(token => token.tokenHash === hash)
    if (spent && isInGrace(spent.at)) return refusal('already_refreshed')
    await end({ _id: session._id })
    return refusal(session.tokenHash === hash ? 'token_expired' : 'unauthorized')
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

/** Returns the spent tokens after a token's exchange; undefined if the session doesn't accept the token. */
function spentAfter(
  { tokenHash, spent, unused, expiresAt }: Session,
  hash: string,
): Session['spent'] | undefined {
  const at = new Date()
  if (expiresAt <= at) return undefined
  if (hash === tokenHash) return [...spent, { tokenHash, at }]
  const last = spent.at(-1)
  const isLost = unused && last?.tokenHash === hash && !isInGrace(last.at)
  return isLost ? [...spent.slice(0, -1), { tokenHash, at }, { tokenHash: hash, at }] : undefined
}

const isInGrace = (at: Date): boolean => Date.now() - at.getTime() <= GRACE_MS
