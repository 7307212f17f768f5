import type { EventOf } from '@voxscribe/contracts/events'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import { z } from 'zod'
import { claimOnce, insertOnce, keepNewest } from '../database/document-writes.ts'
import { type Documents, schemaOf } from '../database/documents.ts'
import { openOnce } from '../database/open-once.ts'
import { refusal } from '../http/problem.ts'
import { type AccessClaims, type Admission, isOutdated, type TokenCheck } from '../http/tokens.ts'

/** An account that was erased or blocked, or a session, key or token generation that has ended. Contains only ids. */
const ClosedAccount = z.object({
  _id: z.string(),
  /** Set once nothing may be created for the account any more, even by requests and messages under way. */
  erasedAt: z.date().optional(),
  /** Time of the next sweep of an erased account; null after the last one. */
  sweepAt: z.date().nullable().optional(),
  /** Number of completed sweeps; unset: 0. */
  sweeps: z.int().optional(),
  forgetAt: z.date().optional(),
  /** Whether an operator has blocked it: its data stay, but it can do and show nothing. False once unblocked. */
  blocked: z.boolean().optional(),
  /** Access tokens of an older generation are refused. */
  generation: z.number().optional(),
  /** Generation that began with the current password. */
  passwordGeneration: z.number().optional(),
  /** The account's revision in the newest event about these fields. */
  revision: z.number().optional(),
})
type ClosedAccount = z.infer<typeof ClosedAccount>

/** Delay before each sweep, which deletes what running work left. Sweeps are counted, because clocks may differ. */
const SWEEPS_MS = [10_000, 60_000, 600_000, 3_000_000]
const AT_ONCE = 20

const closedSchema = schemaOf(ClosedAccount)
  .index({ sweepAt: 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

export type ClosedAccounts = ReturnType<typeof createClosedAccounts>

/**
 * The accounts that a service has to forget, or refuses while they are blocked, and the access that has ended. Erased
 * accounts are known in memory. Those that another process has erased are found by `beingSwept`, for an hour after the
 * erasure; the sweeps delete what was written before that.
 */
export function createClosedAccounts(documents: Pick<Documents, 'model'>) {
  const closed = documents.model<ClosedAccount>('closed_accounts', closedSchema, {
    owner: null,
    because: 'ids without anything personal keep what is under way from writing again',
  })
  const nextSweep = (sweeps: number) => {
    const wait = SWEEPS_MS[sweeps]
    return { sweeps, sweepAt: wait === undefined ? null : new Date(Date.now() + wait) }
  }
  const find = (ids: string[]) =>
    closed.collection.find<ClosedAccount>({ _id: { $in: ids as never[] } }).toArray()
  const read = async (userId: string) => (await find([userId]))[0]

  const erased = new Set<string>()
  const readErased = async () => {
    const found = closed.collection.find({ erasedAt: { $gt: new Date(0) } }, { projection: { _id: 1 } })
    for await (const { _id } of found) erased.add(String(_id))
  }
  const knowErased = openOnce(readErased)

  /** Returns accounts that wait for a sweep, soonest first, and remembers those that other processes have erased. */
  async function beingSwept(): Promise<ClosedAccount[]> {
    const found = await closed
      .find({ sweepAt: { $gt: new Date(0) } }, { sweepAt: 1, sweeps: 1 })
      .sort({ sweepAt: 1 })
      .lean<ClosedAccount[]>()
    for (const { _id } of found) erased.add(_id)
    return found
  }

  return {
    /** Whether access tokens with these claims have ended. Made for every call, so it reads at most once. */
    async refuses(claims: AccessClaims, whileBlocked = false): Promise<boolean> {
      const { userId, sessionId, keyId } = claims
      const ids = [userId, sessionId ?? keyId ?? []].flat()
      return (await find(ids)).some(
        ({ _id, erasedAt, blocked, ...begun }) =>
          _id !== userId || erasedAt || (blocked && !whileBlocked) || isOutdated(claims, begun),
      )
    },
    /** Generation that began with the account's password: sessions, keys and links from before have ended. */
    passwordGenerationOf: async (userId: string): Promise<number> =>
      (await read(userId))?.passwordGeneration ?? 0,
    /** Reads only from memory. */
    async isErased(userId: string): Promise<boolean> {
      await knowErased()
      return erased.has(userId)
    },
    /** Whether the account is erased or blocked, or, with `generation`, has had a new password since then. */
    has: async (userId: string, generation = Number.POSITIVE_INFINITY): Promise<boolean> => {
      const account = await read(userId)
      return Boolean(account?.erasedAt || account?.blocked || generation < (account?.passwordGeneration ?? 0))
    },
    erase: async (userId: string): Promise<void> => {
      const erasedAt = new Date()
      const forgetAt = new Date(erasedAt.getTime() + REDELIVERED_MS)
      const account = { _id: userId, erasedAt, ...nextSweep(0), forgetAt }
      await claimOnce(closed, account, { erasedAt: null })
      erased.add(userId)
    },
    /** Stores from the newest event whether an account is blocked, and its generations. Most need no document. */
    recordUpdate: async ({ userId: _id, ...data }: EventOf<'UserUpdated'>['data']): Promise<void> => {
      const { blocked, generation = 0, passwordGeneration = 0, revision } = data
      if (blocked === undefined && !generation) return
      const begun = { generation, passwordGeneration, revision }
      const news = { _id, ...(blocked !== undefined && { blocked }), ...begun }
      await keepNewest(closed, 'revision', news)
    },
    /** Stores that a session or an API key has ended, until its last access token has expired. */
    recordEnd: async ({ bearerId: _id, until }: EventOf<'AccessEnded'>['data']): Promise<void> => {
      await insertOnce(closed, { _id, forgetAt: new Date(until) })
    },
    async due(): Promise<ClosedAccount[]> {
      const at = new Date()
      return (await beingSwept()).filter(({ sweepAt }) => sweepAt && sweepAt <= at).slice(0, AT_ONCE)
    },
    /** Counts a sweep once, even if two processes made it at the same time. */
    swept: async ({ _id, sweeps = 0, sweepAt }: ClosedAccount): Promise<void> => {
      await closed.updateOne({ _id, sweepAt }, { $set: nextSweep(sweeps + 1) })
    },
  }
}

/** Refuses tokens of closed accounts, and of ended sessions and keys, which would otherwise work for some minutes. */
export const admitting =
  (checkToken: TokenCheck, closed: ClosedAccounts): Admission =>
  async (authorization, whileBlocked) => {
    const claims = checkToken(authorization)
    if (await closed.refuses(claims, whileBlocked)) throw refusal('unauthorized')
    return claims
  }
