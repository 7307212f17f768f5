import type { EventOf } from '@voxscribe/contracts/events'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import { z } from 'zod'
import { claimOnce, insertOnce, keepNewest } from '../database/document-writes.ts'
import { type Documents, schemaOf } from '../database/documents.ts'
import { openOnce } from '../database/open-once.ts'
import { refusal } from '../http/problem.ts'
import { type AccessClaims, type Admission, isOutdated, type TokenCheck } from '../http/tokens.ts'

/** An account that was erased or blocked, or a session, key or generation of tokens that has ended. By id only. */
const ClosedAccount = z.object({
  _id: z.string(),
  /** Nothing may be made for it any more, by requests and messages that were under way. */
  erasedAt: z.date().optional(),
  /** When the next sweep of an erased account is due; null: there were enough. */
  sweepAt: z.date().nullable().optional(),
  /** Sweeps that were done; unset: none. */
  sweeps: z.int().optional(),
  forgetAt: z.date().optional(),
  /** Whether an operator blocks it: its data stay, but it neither does nor shows anything. False once that was lifted. */
  blocked: z.boolean().optional(),
  /** Access tokens of an older one are refused. */
  generation: z.number().optional(),
  /** The one that began with the password. */
  passwordGeneration: z.number().optional(),
  /** The account's, of the newest event about the above. */
  revision: z.number().optional(),
})
type ClosedAccount = z.infer<typeof ClosedAccount>

/** Waits before each sweep for what work under way may leave: counted, as clocks may differ by more. */
const SWEEPS_MS = [10_000, 60_000, 600_000, 3_000_000]
const AT_ONCE = 20

const closedSchema = schemaOf(ClosedAccount)
  .index({ sweepAt: 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

export type Closed = ReturnType<typeof createClosed>

/**
 * The accounts that a service has to forget, or refuses while they are blocked, and the access that has ended. Which were
 * erased is known in memory: of what another process has erased by `beingSwept`, which finds each account for an hour,
 * and until then by the sweeps, which delete what was written in between.
 */
export function createClosed(documents: Pick<Documents, 'model'>) {
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

  /** Accounts that wait for a sweep, soonest first; those that others have erased are known from here on. */
  async function beingSwept(): Promise<ClosedAccount[]> {
    const found = await closed
      .find({ sweepAt: { $gt: new Date(0) } }, { sweepAt: 1, sweeps: 1 })
      .sort({ sweepAt: 1 })
      .lean<ClosedAccount[]>()
    for (const { _id } of found) erased.add(_id)
    return found
  }

  return {
    /** Whether access tokens with these claims are over: one read at most, as it is made for every call. */
    async refuses(claims: AccessClaims, whileBlocked = false): Promise<boolean> {
      const { userId, sessionId, keyId } = claims
      const ids = [userId, sessionId ?? keyId ?? []].flat()
      return (await find(ids)).some(
        ({ _id, erasedAt, blocked, ...begun }) =>
          _id !== userId || erasedAt || (blocked && !whileBlocked) || isOutdated(claims, begun),
      )
    },
    /** The generation that began with the account's password: sessions, keys and links made earlier have ended. */
    passwordGenerationOf: async (userId: string): Promise<number> =>
      (await read(userId))?.passwordGeneration ?? 0,
    /** Without a read. */
    async isErased(userId: string): Promise<boolean> {
      await knowErased()
      return erased.has(userId)
    },
    /** Whether it was erased or is blocked; or, for what was made in a generation, has got a new password since. */
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
    /** Notes by the newest event whether an account is blocked, and its generations; nothing is stored of most. */
    learn: async ({ userId: _id, ...data }: EventOf<'UserUpdated'>['data']): Promise<void> => {
      const { blocked, generation = 0, passwordGeneration = 0, revision } = data
      if (blocked === undefined && !generation) return
      const begun = { generation, passwordGeneration, revision }
      const news = { _id, ...(blocked !== undefined && { blocked }), ...begun }
      await keepNewest(closed, 'revision', news)
    },
    /** Notes that a sign-in or an API key has ended, until its last access token has run out. */
    end: async ({ bearerId: _id, until }: EventOf<'AccessEnded'>['data']): Promise<void> => {
      await insertOnce(closed, { _id, forgetAt: new Date(until) })
    },
    async due(): Promise<ClosedAccount[]> {
      const at = new Date()
      return (await beingSwept()).filter(({ sweepAt }) => sweepAt && sweepAt <= at).slice(0, AT_ONCE)
    },
    /** Two processes that swept at once count as one. */
    swept: async ({ _id, sweeps = 0, sweepAt }: ClosedAccount): Promise<void> => {
      await closed.updateOne({ _id, sweepAt }, { $set: nextSweep(sweeps + 1) })
    },
  }
}

/** Refuses the access tokens of closed accounts, and those that have ended, which would last some minutes longer. */
export const admitting =
  (checkToken: TokenCheck, closed: Closed): Admission =>
  async (authorization, whileBlocked) => {
    const claims = checkToken(authorization)
    if (await closed.refuses(claims, whileBlocked)) throw refusal('unauthorized')
    return claims
  }
