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
/** Of those that are due; others may hold the first ones. */
const LOOKED_AT = 200

/** A download that has yet to succeed. */
const Waiting = z.object({
  announced: z.custom<EventOf<'MediaAnnounced'>>(),
  /** How often it was tried. */
  tries: z.number(),
  tryAt: z.date(),
  /** Whether the person has been told of the delay. */
  told: z.boolean(),
})
type Waiting = z.infer<typeof Waiting>

const MediaRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  /** Withdrawn: its note left its account; the object waits for the person that it belongs to. */
  status: z.enum(['waiting', 'stored', 'withdrawn', 'rejected', 'expired', 'deleted']),
  objectKey: z.string().nullable(),
  /** Code of the reason of a rejection. */
  rejectedFor: z.string().nullable(),
  waiting: Waiting.nullable(),
  /** At Twilio, which keeps it until somebody deletes it. */
  original: z.object({ url: z.string(), tryAt: z.date() }).nullable(),
  /** Held by the process that fetches it, or that deletes it at Twilio. */
  lease: z.custom<Lease>().nullish(),
  /** When the object is to be deleted; null when there is none. */
  deleteAt: z.date().nullable(),
  /** When the document itself goes. */
  forgetAt: z.date().nullable(),
})
export type MediaRecord = z.infer<typeof MediaRecord>
type Outcome = Pick<MediaRecord, 'userId' | 'status'> & Partial<MediaRecord>

const mediaSchema = schemaOf(MediaRecord)
  .index({ deleteAt: 1 })
  .index({ 'waiting.tryAt': 1 }, { sparse: true })
  .index({ 'original.tryAt': 1 }, { sparse: true })
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

  /** Claims those that are due, oldest first, for the work on them. */
  async function due(
    field: 'waiting' | 'original',
    limit: number,
    work: (record: MediaRecord) => Promise<void>,
  ) {
    const tryAt = `${field}.tryAt` as 'waiting.tryAt'
    const found = await media
      .find({ [tryAt]: { $lte: now() } })
      .sort({ [tryAt]: 1 })
      .limit(LOOKED_AT)
      .lean()
    const claimed: Held<MediaRecord>[] = []
    for (const record of found) {
      const { _id, lease } = record
      if (claimed.length === limit || !hold.isFree(_id, lease)) continue
      const asRead = { _id, [tryAt]: record[field]?.tryAt, ...hold.asRead(lease) }
      const held = await hold.claim(_id, async mine => {
        const { matchedCount } = await media.updateOne(asRead, { $set: { lease: mine } })
        return matchedCount === 1 && record
      })
      if (held) claimed.push(held)
    }
    await Promise.all(claimed.map(({ claimed: record, release }) => work(record).finally(release)))
    return claimed.length
  }

  return {
    byId: (id: string) => media.findById(id).lean(),

    /** Whether there is nothing left to fetch. */
    async isSettled(id: string): Promise<boolean> {
      const known = await media.findById(id).lean()
      return known !== null && known.status !== 'waiting'
    },

    /** Returns whether the object is wanted: not when the note was deleted while it was fetched once more. */
    async stored(
      id: string,
      { userId, objectKey, originalUrl }: { userId: string; objectKey: string; originalUrl: string | null },
      event: Envelope,
    ): Promise<boolean> {
      const original = originalUrl ? { url: originalUrl, tryAt: now() } : null
      const deleteAt = later(retentionDays * DAY_MS)
      const isNew = await settle(id, { userId, status: 'stored', objectKey, original, deleteAt }, [event])
      return isNew || (await media.exists({ _id: id, objectKey })) !== null
    },

    rejected: (
      id: string,
      { userId, reason, originalUrl }: { userId: string; reason: Reason; originalUrl: string | null },
      event: Envelope,
    ) => {
      const original = originalUrl ? { url: originalUrl, tryAt: now() } : null
      const forgetAt = later(REMEMBERED_MS)
      const outcome = { userId, status: 'rejected' as const, rejectedFor: reason.code, original, forgetAt }
      return settle(id, outcome, [event])
    },

    /** Tries again at that time. */
    waits: (id: string, userId: string, waiting: Waiting, events: Envelope[]) =>
      settle(id, { userId, status: 'waiting', waiting }, events),

    /** Fetches so many of those that are due, held meanwhile; returns how many there were. */
    fetchDue: (limit: number, fetch: (announced: EventOf<'MediaAnnounced'>) => Promise<void>) =>
      due('waiting', limit, async ({ waiting }) => {
        if (waiting) await fetch(waiting.announced)
      }),
    /** The same for originals at Twilio. */
    deleteDue: (limit: number, remove: (id: string, url: string) => Promise<void>) =>
      due('original', limit, async ({ _id, original }) => {
        if (original) await remove(_id, original.url)
      }),
    originalGone: (id: string) => media.updateOne({ _id: id }, { $set: { original: null } }),
    originalLater: (id: string, ms: number) =>
      media.updateOne({ _id: id, original: { $ne: null } }, { $set: { 'original.tryAt': later(ms) } }),

    overdue: (limit: number) =>
      media
        .find({ deleteAt: { $lte: now() } })
        .sort({ deleteAt: 1 })
        .limit(limit)
        .lean(),

    /** Remembers one that is not there yet as deleted: a download that is under way finds that it is not wanted. */
    bury: (id: string, userId: string) =>
      insertOnce(media, {
        _id: id,
        userId,
        status: 'deleted',
        ...nothing,
        forgetAt: later(REMEMBERED_MS),
        outbox: [],
      }),

    /**
     * The note of stored media leaves its account: the object is kept for as long as a note waits, at the longest.
     * Returns whether there is one.
     */
    async withdrawn(id: string): Promise<boolean> {
      const set = { status: 'withdrawn' as const, deleteAt: later(NOTE_WAITS_MS) }
      const { matchedCount } = await media.updateOne({ _id: id, status: 'stored' }, { $set: set })
      return matchedCount === 1 || (await media.exists({ _id: id, status: 'withdrawn' })) !== null
    },

    /** Media that were not fetched and never will be: only Twilio's copy is left to delete. */
    neverFetched: (id: string, url: string) =>
      insertOnce(media, {
        _id: id,
        userId: NOBODY,
        status: 'expired',
        ...nothing,
        original: { url, tryAt: now() },
        forgetAt: later(REMEMBERED_MS),
        outbox: [],
      }),

    /** Its object could not be deleted now. */
    deleteLater: (id: string, ms: number) =>
      media.updateOne({ _id: id, deleteAt: { $ne: null } }, { $set: { deleteAt: later(ms) } }),

    /** After its object was deleted, or when there will be none; `false` when it is not as it was read. */
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
