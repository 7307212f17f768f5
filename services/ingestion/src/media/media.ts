import { derivedId, type Envelope, type EventOf, MediaExpired } from '@voxscribe/contracts/events'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import { type Blobs, type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { AudioChoice } from '../senders/accounts.ts'
import { NOTE_WAITS_MS } from '../senders/inbound.ts'
import type { Left } from '../senders/receipts.ts'
import { forAllDue } from './due.ts'
import { createStoring } from './storing.ts'

const DAY_MS = 86_400_000
const FORGOTTEN_AT_ONCE = 100
/** Reason code for rejecting a file that could not be fetched. */
export const DOWNLOAD_FAILED = 'download_failed'

const MediaRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  /**
   * `delayed`: not fetched yet; the person was notified. `withdrawn`: the note left its account, and the object is kept
   * for its next owner. `dropped`: the note left before the fetch; the provider keeps its copy.
   */
  status: z.enum(['delayed', 'stored', 'withdrawn', 'dropped', 'rejected', 'expired', 'deleted']),
  objectKey: z.string().nullable(),
  /** The reason's code if it was rejected. */
  rejectedFor: z.string().nullable(),
  /** When to delete the object; null without one. */
  deleteAt: z.date().nullable(),
  /** Days from storing to `deleteAt`. */
  keptDays: z.number().optional(),
  /** When the note's text was last completed. */
  textAt: z.date().optional(),
  /** When MongoDB deletes the document. */
  forgetAt: z.date().nullable(),
})
export type MediaRecord = z.infer<typeof MediaRecord>
type Outcome = Pick<MediaRecord, 'userId' | 'status'> & Partial<MediaRecord>

const NOTHING = { objectKey: null, rejectedFor: null, deleteAt: null }

const mediaSchema = schemaOf(MediaRecord)
  .index({ deleteAt: 1 })
  .index({ userId: 1 })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

const isOver = ({ status }: MediaRecord) => ['dropped', 'deleted', 'expired'].includes(status)

/** The state of each note's media, and their bytes in the blob store. */
export function createMedia(documents: Documents, blobs: Blobs, retentionDays: number) {
  const media = documents.outboxModel('media', mediaSchema, { owner: 'userId' })
  const isStored = async (_id: string, objectKey: string) => (await media.exists({ _id, objectKey })) !== null
  const storing = createStoring(documents, blobs, isStored)
  const later = (ms: number) => new Date(Date.now() + ms)
  const daysOf = (choice: AudioChoice | undefined) => Math.min(choice?.days ?? retentionDays, retentionDays)
  const byId = (id: string) => media.findById(id).lean<MediaRecord>()

  /** Writes an outcome unless there is a final one. Returns whether it's the first. */
  async function settle(_id: string, outcome: Outcome, events: Envelope[] = []): Promise<boolean> {
    const whole = { ...NOTHING, forgetAt: null, ...outcome }
    if (await insertOnce(media, { _id, ...whole, outbox: events })) return true
    const update = { $set: whole, $push: { outbox: { $each: events } } }
    await media.updateOne({ _id, status: 'delayed' }, update)
    return false
  }

  /** Records media that aren't stored as gone, so that a download is dropped. Returns whether they were unknown. */
  const recordAsGone = (id: string, userId: string, status: 'deleted' | 'dropped') =>
    settle(id, { userId, status, forgetAt: later(REDELIVERED_MS) })

  /** Deletes the object, then records it. Returns false if the record has changed: there may be another object. */
  async function end(
    { _id, objectKey }: MediaRecord,
    status: 'expired' | 'deleted' | 'dropped',
    events: Envelope[] = [],
  ): Promise<boolean> {
    if (objectKey) await blobs.delete(objectKey)
    const set = { status, ...NOTHING, forgetAt: later(REDELIVERED_MS) }
    const { matchedCount } = await media.updateOne(
      { _id, objectKey, status: { $in: ['delayed', 'stored', 'withdrawn', 'rejected'] } },
      { $set: set, $push: { outbox: { $each: events } } },
    )
    return matchedCount === 1
  }

  /**
   * Deletes the object of a deleted note at once, and ends its download. `isWithdrawn`: deletes only withdrawn media,
   * once the next owner's note has its own copy. Otherwise skips them, as they no longer belong to the account.
   */
  async function remove(mediaId: string, userId: string, isWithdrawn = false): Promise<void> {
    const record = await byId(mediaId)
    if (record ? isOver(record) : isWithdrawn || (await recordAsGone(mediaId, userId, 'deleted'))) return
    if (record && (record.status === 'withdrawn') !== isWithdrawn) return
    if (!record || !(await end(record, 'deleted'))) await remove(mediaId, userId, isWithdrawn)
  }

  /** Takes a note's media from its account. A stored object stays for 7 days, as the note does; a download ends. */
  async function withdraw(_id: string, userId: string): Promise<Left> {
    const set = { status: 'withdrawn' as const, deleteAt: later(NOTE_WAITS_MS) }
    if ((await media.updateOne({ _id, status: 'stored' }, { $set: set })).matchedCount) return 'stored'
    if (await recordAsGone(_id, userId, 'dropped')) return 'to-fetch'
    const record = await byId(_id)
    if (record?.status === 'withdrawn') return 'stored'
    if (record?.status === 'rejected' && record.rejectedFor !== DOWNLOAD_FAILED) return 'useless'
    if (!record || isOver(record)) return 'to-fetch'
    if (record.status !== 'stored' && (await end(record, 'dropped'))) return 'to-fetch'
    // It has been stored in the meantime.
    return withdraw(_id, userId)
  }

  /** Deletes the media whose retention is over, and publishes that. */
  const expire = (whose: { userId?: string }) =>
    forAllDue(
      () => media.find({ ...whose, deleteAt: { $lte: new Date() } }).sort({ deleteAt: 1 }),
      record => {
        const { _id: mediaId, userId } = record
        const origin = { id: derivedId('media-expired', mediaId) }
        return end(record, 'expired', [MediaExpired.create({ mediaId, userId }, origin)])
      },
    )

  return {
    byId,
    remove,
    withdraw,

    /** Ends the download of a revoked note. A stored object is deleted with its note, if that is deleted. */
    async revoke(mediaId: string, userId: string): Promise<void> {
      const record = await byId(mediaId)
      if (!record || record.status === 'delayed') await remove(mediaId, userId)
    },

    /** Stores a note's file. Returns false if the note was deleted in the meantime. */
    async store(path: string, event: EventOf<'MediaReceived'>, choice?: AudioChoice): Promise<boolean> {
      const { mediaId, userId, objectKey, bytes } = event.data
      await storing.begin(mediaId, objectKey)
      await blobs.putFile(objectKey, path, bytes)
      const keptDays = daysOf(choice)
      const stored = {
        userId,
        status: 'stored' as const,
        objectKey,
        keptDays,
        deleteAt: later(keptDays * DAY_MS),
      }
      const isKept = (await settle(mediaId, stored, [event])) || (await isStored(mediaId, objectKey))
      if (!isKept) await blobs.delete(objectKey)
      await storing.end(mediaId)
      return isKept
    },

    reject: (event: EventOf<'MediaRejected'>) => {
      const { mediaId, userId, reason } = event.data
      const forgetAt = later(REDELIVERED_MS)
      return settle(mediaId, { userId, status: 'rejected', rejectedFor: reason.code, forgetAt }, [event])
    },

    /** Records that the person was notified of a failing download. Idempotent. */
    delay: (event: EventOf<'MediaDelayed'>) => {
      const { mediaId: _id, userId } = event.data
      const status = 'delayed' as const
      return insertOnce(media, { _id, ...NOTHING, userId, status, forgetAt: null, outbox: [event] })
    },

    /** Deletes all media of an account, objects first. */
    async forgetOf(userId: string): Promise<void> {
      for (;;) {
        const found = await media.find({ userId }).limit(FORGOTTEN_AT_ONCE).lean<MediaRecord[]>()
        if (!found.length) return
        for (const { _id, objectKey } of found) {
          if (objectKey) await blobs.delete(objectKey)
          // Keeps the record if another object was stored in the meantime.
          await media.deleteOne({ _id, objectKey })
        }
      }
    },

    noteText: async ({ data, occurredAt }: EventOf<'TranscriptionCompleted'>): Promise<void> => {
      const set = { $set: { textAt: new Date(occurredAt) } }
      await media.updateOne({ _id: data.transcriptionId, status: 'stored' }, set)
    },

    /**
     * Deletes a person's stored audio or shortens its retention, but never lengthens it. Idempotent; called after each
     * write of a choice or a text. `until` (Unix time in milliseconds): later audio and texts stay.
     */
    async keepAsChosen(userId: string, choice: AudioChoice, until = Number.POSITIVE_INFINITY): Promise<void> {
      const keptDays = daysOf(choice)
      const { keep, since } = choice
      const stored = { userId, status: 'stored' as const }
      const write = (record: MediaRecord, end: Date) =>
        media.updateOne(
          { _id: record._id, ...stored, deleteAt: { $gt: end } },
          { $set: { keptDays, deleteAt: end } },
        )
      const unwanted = media.find({ ...stored, textAt: { $gte: since } }).lean<MediaRecord[]>()
      if (!keep)
        for await (const record of unwanted.cursor())
          if (Number(record.textAt) <= until) await write(record, new Date())
      const longer = media.find({ ...stored, keptDays: { $gt: keptDays } }).lean<MediaRecord[]>()
      for await (const record of longer.cursor()) {
        const storedAt = Number(record.deleteAt) - record.keptDays! * DAY_MS
        if (storedAt < since.getTime() || storedAt > until) continue
        await write(record, new Date(storedAt + keptDays * DAY_MS))
      }
      await expire({ userId })
    },

    expire: () => expire({}),
    deleteLeftovers: storing.deleteLeftovers,
  }
}
