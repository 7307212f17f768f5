import type { Envelope } from '@voxscribe/contracts/events'
import type { Reason } from '@voxscribe/contracts/reasons'
import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { NOTE_WAITS_MS } from '../senders/inbound.ts'

const DAY_MS = 86_400_000
/** How long the record of deleted media is kept: longer than anything is redelivered. */
const REMEMBERED_MS = 60 * DAY_MS
const AT_ONCE = 10

const MediaRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  /**
   * Delayed: not fetched yet, and its person was told. Withdrawn: its note left its account; the object is kept for the
   * next owner of the note. Dropped: the same before it was fetched; the provider's copy is kept.
   */
  status: z.enum(['delayed', 'stored', 'withdrawn', 'dropped', 'rejected', 'expired', 'deleted']),
  objectKey: z.string().nullable(),
  /** Code of the reason of a rejection. */
  rejectedFor: z.string().nullable(),
  /** When the object is to be deleted; null when there is none. */
  deleteAt: z.date().nullable(),
  /** When MongoDB deletes the document. */
  forgetAt: z.date().nullable(),
})
export type MediaRecord = z.infer<typeof MediaRecord>
type Outcome = Pick<MediaRecord, 'userId' | 'status'> & Partial<MediaRecord>

const NOTHING = { objectKey: null, rejectedFor: null, deleteAt: null }

const mediaSchema = schemaOf(MediaRecord)
  .index({ deleteAt: 1 })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** The state of each note's media; the bytes are in the blob store. */
export function createMedia(documents: Documents, now: () => Date, retentionDays: number) {
  const media = documents.outboxModel('media', mediaSchema)
  const later = (ms: number) => new Date(now().getTime() + ms)

  /** Writes an outcome, unless there is a final one. Returns whether it was the first. */
  async function settle(id: string, outcome: Outcome, events: Envelope[] = []): Promise<boolean> {
    const whole = { ...NOTHING, forgetAt: null, ...outcome }
    if (await insertOnce(media, { _id: id, ...whole, outbox: events })) return true
    const update = { $set: whole, $push: { outbox: { $each: events } } }
    await media.updateOne({ _id: id, status: 'delayed' }, update)
    return false
  }

  return {
    byId: (id: string) => media.findById(id).lean(),

    /** Runs this for all media whose days are over. For one that fails it is due again after `retryMs`; all failures are thrown at the end. */
    async expire(retryMs: number, expire: (record: MediaRecord) => Promise<unknown>): Promise<void> {
      const failures: unknown[] = []
      let due: MediaRecord[]
      do {
        due = await media
          .find({ deleteAt: { $lte: now() } })
          .sort({ deleteAt: 1 })
          .limit(AT_ONCE)
          .lean()
        const expired = await Promise.allSettled(due.map(expire))
        for (const [index, outcome] of expired.entries()) {
          if (outcome.status === 'fulfilled') continue
          failures.push(outcome.reason)
          const still = { _id: due[index]!._id, deleteAt: { $ne: null } }
          await media.updateOne(still, { $set: { deleteAt: later(retryMs) } })
        }
      } while (due.length === AT_ONCE)
      if (failures.length) throw new AggregateError(failures, 'Some media could not be deleted')
    },

    /** Returns whether the object is kept: not when the note was deleted during the download. */
    async stored(id: string, userId: string, objectKey: string, event: Envelope): Promise<boolean> {
      const deleteAt = later(retentionDays * DAY_MS)
      const isNew = await settle(id, { userId, status: 'stored', objectKey, deleteAt }, [event])
      return isNew || (await media.exists({ _id: id, objectKey })) !== null
    },

    rejected: (id: string, userId: string, { code }: Reason, event: Envelope) => {
      const forgetAt = later(REMEMBERED_MS)
      return settle(id, { userId, status: 'rejected', rejectedFor: code, forgetAt }, [event])
    },

    /** Records that the person is told of a download that does not succeed. Idempotent. */
    delayed: (id: string, userId: string, event: Envelope) =>
      insertOnce(media, {
        _id: id,
        ...NOTHING,
        userId,
        status: 'delayed',
        forgetAt: null,
        outbox: [event],
      }),

    /** Records media that are not stored as gone, so that a download under way is dropped. Returns whether they were unknown. */
    bury: (id: string, userId: string, status: 'deleted' | 'dropped') =>
      settle(id, { userId, status, forgetAt: later(REMEMBERED_MS) }),

    /** Takes stored media from their account; the object is kept for 7 days, as a note waits. Returns whether it was stored. */
    async withdrawn(id: string): Promise<boolean> {
      const set = { status: 'withdrawn' as const, deleteAt: later(NOTE_WAITS_MS) }
      const { matchedCount } = await media.updateOne({ _id: id, status: 'stored' }, { $set: set })
      return matchedCount === 1 || (await media.exists({ _id: id, status: 'withdrawn' })) !== null
    },

    /** Records that there is no object any more. Returns false when the record is no longer as it was read. */
    async gone(
      { _id, objectKey }: MediaRecord,
      status: 'expired' | 'deleted' | 'dropped',
      events: Envelope[],
    ): Promise<boolean> {
      const { matchedCount } = await media.updateOne(
        { _id, objectKey, status: { $in: ['delayed', 'stored', 'withdrawn', 'rejected'] } },
        {
          $set: { status, ...NOTHING, forgetAt: later(REMEMBERED_MS) },
          $push: { outbox: { $each: events } },
        },
      )
      return matchedCount === 1
    },
  }
}
export type Media = ReturnType<typeof createMedia>
