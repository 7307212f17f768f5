import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import type { Reason } from '@voxscribe/contracts/reasons'
import { createHold, type Documents, type Held, insertOnce, type Lease, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { NOTE_WAITS_MS } from '../senders/inbound.ts'

const DAY_MS = 86_400_000
/** How long the record of deleted media is kept: longer than anything is redelivered. */
const REMEMBERED_MS = 60 * DAY_MS
/** Owner of media that never belonged to an account. */
const NOBODY = ''
const HOLD_MS = 20_000
const AT_ONCE = 10
/** Records read for a batch: other processes may hold the first ones. */
const LOOKED_AT = 200

/** A download that has yet to succeed. */
const Waiting = z.object({
  announced: z.custom<EventOf<'MediaAnnounced'>>(),
  /** Failures so far. */
  tries: z.number(),
  notBefore: z.date(),
  /** Whether MediaDelayed was published. */
  told: z.boolean(),
})
type Waiting = z.infer<typeof Waiting>

const MediaRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  /** Withdrawn: its note left its account; the object is kept for the next owner of the note. */
  status: z.enum(['waiting', 'stored', 'withdrawn', 'rejected', 'expired', 'deleted']),
  objectKey: z.string().nullable(),
  /** Code of the reason of a rejection. */
  rejectedFor: z.string().nullable(),
  waiting: Waiting.nullable(),
  /** The copy at Twilio, which has to be deleted there. */
  original: z.object({ url: z.string(), notBefore: z.date() }).nullable(),
  /** Held by the process that works on what is due. */
  lease: z.custom<Lease>().nullish(),
  /** When the object is to be deleted; null when there is none. */
  deleteAt: z.date().nullable(),
  /** When MongoDB deletes the document. */
  forgetAt: z.date().nullable(),
})
export type MediaRecord = z.infer<typeof MediaRecord>
type Outcome = Pick<MediaRecord, 'userId' | 'status'> & Partial<MediaRecord>

/** The field with the time from which each kind of work is due. */
const DUE = { fetch: 'waiting.notBefore', deleteOriginal: 'original.notBefore', expire: 'deleteAt' } as const

const mediaSchema = schemaOf(MediaRecord)
  .index({ [DUE.expire]: 1 })
  .index({ [DUE.fetch]: 1 }, { sparse: true })
  .index({ [DUE.deleteOriginal]: 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** The state of each note's media; the bytes are in the blob store. */
export function createMedia(documents: Documents, now: () => Date, retentionDays: number, isAlone: boolean) {
  const media = documents.outboxModel('media', mediaSchema)
  const hold = createHold(media, 'lease', { lastsMs: isAlone ? 0 : HOLD_MS })
  const later = (ms: number) => new Date(now().getTime() + ms)
  const nothing = {
    objectKey: null,
    rejectedFor: null,
    waiting: null,
    original: null,
    lease: null,
    deleteAt: null,
  }

  /** Writes an outcome, unless there is a final one. Returns whether it was the first. */
  async function settle(id: string, outcome: Outcome, events: Envelope[]): Promise<boolean> {
    const whole = { ...nothing, forgetAt: null, ...outcome }
    if (await insertOnce(media, { _id: id, ...whole, outbox: events })) return true
    const update = { $set: whole, $push: { outbox: { $each: events } } }
    await media.updateOne({ _id: id, status: 'waiting' }, update)
    return false
  }

  /** Claims records whose time in this field has come, oldest first. */
  async function claimDue(field: string): Promise<Held<MediaRecord>[]> {
    const filter = { [field]: { $lte: now() } }
    const found = await media
      .find(filter, { _id: 1 })
      .sort({ [field]: 1 })
      .limit(LOOKED_AT)
      .lean()
    const claimed: Held<MediaRecord>[] = []
    for (const { _id } of found) {
      if (claimed.length === AT_ONCE) break
      const held = await hold.take(_id, filter)
      if (held) claimed.push(held)
    }
    return claimed
  }

  const insertFinal = (id: string, outcome: Outcome) => {
    const record = { _id: id, ...nothing, forgetAt: later(REMEMBERED_MS), ...outcome }
    return insertOnce(media, { ...record, outbox: [] })
  }

  return {
    byId: (id: string) => media.findById(id).lean(),

    /**
     * Works through all records for which this work is due, each claimed meanwhile. One that fails is due again after
     * `retryMs`. Throws all failures at the end.
     */
    async workThrough(
      due: keyof typeof DUE,
      retryMs: number,
      work: (record: MediaRecord) => Promise<unknown>,
    ): Promise<void> {
      const field = DUE[due]
      const failures: unknown[] = []
      let claimed: Held<MediaRecord>[]
      const workOn = async ({ claimed: record, release }: Held<MediaRecord>) => {
        try {
          await work(record)
        } catch (error) {
          failures.push(error)
          const notBefore = { $set: { [field]: later(retryMs) } }
          await media.updateOne({ _id: record._id, [field]: { $ne: null } }, notBefore)
        } finally {
          await release()
        }
      }
      do {
        claimed = await claimDue(field)
        await Promise.all(claimed.map(workOn))
      } while (claimed.length === AT_ONCE)
      if (failures.length) throw new AggregateError(failures, `${due} failed for some media`)
    },

    /** Returns whether the object is kept: not when the note was deleted during the download. */
    async stored(
      id: string,
      { userId, objectKey, originalUrl }: { userId: string; objectKey: string; originalUrl: string | null },
      event: Envelope,
    ): Promise<boolean> {
      const original = originalUrl ? { url: originalUrl, notBefore: now() } : null
      const deleteAt = later(retentionDays * DAY_MS)
      const isNew = await settle(id, { userId, status: 'stored', objectKey, original, deleteAt }, [event])
      return isNew || (await media.exists({ _id: id, objectKey })) !== null
    },

    rejected: (
      id: string,
      { userId, reason, originalUrl }: { userId: string; reason: Reason; originalUrl: string | null },
      event: Envelope,
    ) => {
      const original = originalUrl ? { url: originalUrl, notBefore: now() } : null
      const forgetAt = later(REMEMBERED_MS)
      const outcome = { userId, status: 'rejected' as const, rejectedFor: reason.code, original, forgetAt }
      return settle(id, outcome, [event])
    },

    /** Records a download to try again. */
    waits: (id: string, userId: string, waiting: Waiting, events: Envelope[]) =>
      settle(id, { userId, status: 'waiting', waiting }, events),

    originalGone: (id: string) => media.updateOne({ _id: id }, { $set: { original: null } }),

    /** Records unknown media as deleted, so that a download under way is dropped. Returns whether they were unknown. */
    bury: (id: string, userId: string) => insertFinal(id, { userId, status: 'deleted' }),

    /** Takes stored media from their account; the object is kept for 7 days, as a note waits. Returns whether it was stored. */
    async withdrawn(id: string): Promise<boolean> {
      const set = { status: 'withdrawn' as const, deleteAt: later(NOTE_WAITS_MS) }
      const { matchedCount } = await media.updateOne({ _id: id, status: 'stored' }, { $set: set })
      return matchedCount === 1 || (await media.exists({ _id: id, status: 'withdrawn' })) !== null
    },

    /** Records media that were never fetched: only Twilio's copy is left to delete. */
    neverFetched: (id: string, url: string) =>
      insertFinal(id, { userId: NOBODY, status: 'expired', original: { url, notBefore: now() } }),

    /** Records that there is no object any more. Returns false when the record is no longer as it was read. */
    async gone(
      { _id, objectKey }: MediaRecord,
      status: 'expired' | 'deleted',
      events: Envelope[],
    ): Promise<boolean> {
      const { original: _kept, ...cleared } = nothing
      const { matchedCount } = await media.updateOne(
        { _id, objectKey, status: { $in: ['waiting', 'stored', 'withdrawn', 'rejected'] } },
        {
          $set: { status, ...cleared, forgetAt: later(REMEMBERED_MS) },
          $push: { outbox: { $each: events } },
        },
      )
      return matchedCount === 1
    },
  }
}
export type Media = ReturnType<typeof createMedia>
