import { randomUUID } from 'node:crypto'
import type { Model, QueryFilter } from 'mongoose'
import { insertOnce } from './document-writes.ts'

/** Marks a document as being worked on by a process, which keeps incrementing `beat`. */
export interface Lease {
  owner: string
  /** Distinguishes this lease from others of the same owner, which also start at beat 0. */
  term: number
  beat: number
}

/** A document that this process works on. */
export interface Held<T> {
  claimed: T
  /** Aborted when another process has taken the document over, when it is dropped, or when this process stops. */
  signal: AbortSignal
  /** For a call that costs money once it is made: like `signal`, but at the stop only after the time for draining. */
  callSignal: AbortSignal
  /** Stops renewing. Call it once the result is written, and with it the lease cleared or the document deleted. */
  end(): void
  /** Clears the lease and writes these fields if the document matches `where`. Returns whether it did. */
  release(set?: Record<string, unknown>, where?: Record<string, unknown>): Promise<boolean>
}

export type Hold = Omit<ReturnType<typeof createHold>, 'take'>

export interface HoldOptions {
  /** Silence after which another process, such as this one's successor, takes over. */
  leaseMs: number
  /** Milliseconds on a monotonic clock. */
  elapsed?: () => number
}

/** Thrown or used as an abort reason when this process has lost a document. */
export class HoldLost extends Error {
  override name = 'HoldLost'
}

/** Renewals per lease: one may fail or be late. */
const RENEWALS = 5
/** More than the number of documents that other processes hold; forgetting one only delays its takeover. */
const MAX_WATCHED = 10_000

/**
 * The one way to mark a document as being worked on: a lease in `field`, written together with everything else that the
 * claim writes. Services define one with `documents.hold`, which also frees those of dead processes. Leases are judged by
 * change, never by a time in the document, because clocks of machines differ: a lease has run out once this process has
 * watched it unchanged for `leaseMs` on its own clock. The time between two readings counts for at most half of
 * `leaseMs`: if they are further apart, this process or the database was stalled, and the owner could not renew either.
 * So a takeover needs at least three readings.
 */
export function createHold<Document extends { _id: string }>(
  model: Model<Document>,
  field: string,
  { leaseMs, elapsed = () => performance.now() }: HoldOptions,
) {
  const owner = randomUUID()
  let terms = 0
  const held = new Map<number, { id: string; abort: AbortController; abortCall: AbortController }>()
  /** Reasons for the stop. Documents claimed after it are aborted from the beginning. */
  let [stop, stopOfCalls]: (Error | null)[] = [null, null]
  const watched = new Map<string, { beat: string; silentMs: number; lookedAt: number }>()
  const isOurs = (_id: string, term: number) => ({ _id, [`${field}.owner`]: owner, [`${field}.term`]: term })
  // Bypasses mongoose's middleware, as no events are written here.
  const write = async (filter: object, update: object) =>
    model.collection.updateOne(filter as never, update as never)

  const leaseIn = (document: unknown) =>
    field
      .split('.')
      .reduce((at, name) => (at as Record<string, unknown> | null)?.[name], document) as Lease | null

  function hasRunOut(id: string, lease: Lease): boolean {
    const beat = `${lease.owner} ${lease.term} ${lease.beat}`
    const known = watched.get(id)
    const lookedAt = elapsed()
    if (known?.beat === beat) {
      known.silentMs += Math.min(lookedAt - known.lookedAt, leaseMs / 2)
      known.lookedAt = lookedAt
      return known.silentMs >= leaseMs
    }
    if (watched.size >= MAX_WATCHED) watched.clear()
    watched.set(id, { beat, silentMs: 0, lookedAt })
    return false
  }

  async function renew(id: string, term: number): Promise<void> {
    // If the database doesn't answer, the lease stays as it is until another process replaces it.
    const renewed = await write(isOurs(id, term), { $inc: { [`${field}.beat`]: 1 } }).catch(() => null)
    if (renewed?.matchedCount === 0) lose(term)
  }

  function lose(term: number): void {
    held.get(term)?.abort.abort(new HoldLost())
    held.get(term)?.abortCall.abort(new HoldLost())
  }

  /** Whether a lease, as read, may be replaced: it is unset, or its process has died. Call it for each reading. */
  function isFree(id: string, lease: Lease | null | undefined): boolean {
    if (!lease) return true
    return lease.owner === owner ? !held.has(lease.term) : hasRunOut(id, lease)
  }

  /** Returns the filter for a document whose lease is still as it was read. */
  const asRead = (lease: Lease | null | undefined): Record<string, unknown> =>
    lease
      ? Object.fromEntries(Object.entries(lease).map(([name, value]) => [`${field}.${name}`, value]))
      : { [field]: null }

  /** Claims a document by the caller's write, which chooses it if no id is given, and renews it. Null: too late. */
  async function claim<T>(
    id: string | undefined,
    writeLease: (lease: Lease) => PromiseLike<T | null | false>,
  ): Promise<Held<Exclude<T, boolean>> | null> {
    const term = ++terms
    const entry = { id: id ?? '', abort: new AbortController(), abortCall: new AbortController() }
    const { abort, abortCall } = entry
    held.set(term, entry)
    if (stop) abort.abort(stop)
    if (stopOfCalls) abortCall.abort(stopOfCalls)
    let claimed: T | null | false = null
    try {
      claimed = await writeLease({ owner, term, beat: 0 })
    } finally {
      if (!claimed) held.delete(term)
    }
    if (!claimed) return null
    entry.id = (claimed as unknown as { _id: string })._id
    watched.delete(entry.id)
    const renewing = setInterval(renew, leaseMs / RENEWALS, entry.id, term).unref()
    const end = () => {
      clearInterval(renewing)
      held.delete(term)
    }
    return {
      claimed: claimed as Exclude<T, boolean>,
      signal: abort.signal,
      callSignal: abortCall.signal,
      end,
      async release(set = {}, where = {}) {
        const filter = { ...where, ...isOurs(entry.id, term) }
        const { matchedCount } = await write(filter, { $set: { ...set, [field]: null } }).finally(end)
        return matchedCount > 0
      },
    }
  }

  /** Claims a free document that matches `where`, or inserts `fresh`. Call it repeatedly: each reading counts. */
  async function take(_id: string, where?: QueryFilter<Document>, fresh?: Omit<Document, '_id'>) {
    const first = await claim(_id, async lease => {
      const document = { ...fresh, _id, [field]: lease } as unknown as Document
      return fresh !== undefined && (await insertOnce(model, document)) && document
    })
    if (first) return first
    const filter = { ...where, _id } as QueryFilter<Document>
    const found = await model.findOne(filter).lean()
    const lease = leaseIn(found)
    if (!found || !isFree(_id, lease)) return null
    return claim(_id, async mine => {
      const free = { ...filter, ...asRead(lease) } as QueryFilter<Document>
      const set = { $set: { [field]: mine } } as never
      return (await model.findOneAndUpdate(free, set, { returnDocument: 'after' }).lean()) as Document | null
    })
  }

  /** Clears leases of dead processes. `documents.hold` has a job call it: each reading counts. */
  async function freeDead(): Promise<void> {
    const leased = { [`${field}.owner`]: { $gt: '' } } as QueryFilter<Document>
    const [around = field] = field.split('.')
    const documents = (await model
      .find(leased, { [around]: 1 })
      .limit(MAX_WATCHED)
      .lean()) as Document[]
    for (const document of documents) {
      const { _id } = document
      const lease = leaseIn(document)
      if (isFree(_id, lease)) await write({ _id, ...asRead(lease) }, { $set: { [field]: null } })
    }
  }

  return {
    /** Id of this process as an owner of leases. */
    owner,
    claim,
    take,
    freeDead,
    /** Aborts the work on a document that no longer needs it. */
    drop(id: string): void {
      for (const [term, each] of held) if (each.id === id) lose(term)
    },
    /** Aborts all signals with this reason, because the process stops; signals of calls after `drainMs`. */
    close(reason: Error, drainMs = 0): void {
      stop = reason
      for (const { abort } of held.values()) abort.abort(reason)
      const abortCalls = () => {
        stopOfCalls = reason
        for (const { abortCall } of held.values()) abortCall.abort(reason)
      }
      if (drainMs) setTimeout(abortCalls, drainMs).unref()
      else abortCalls()
    },
  }
}
