import type { Envelope, Reason } from '@voxscribe/contracts/events'
import { type Documents, isDuplicateKey, type WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'
import { DOWNLOAD_FAILED } from './rejections.ts'

const DAY_MS = 86_400_000
/** How long it is remembered that a medium was there: longer than anything is redelivered. */
const REMEMBERED_MS = 60 * DAY_MS

export interface Medium {
  _id: string
  userId: string
  status: 'stored' | 'rejected' | 'expired' | 'deleted'
  objectKey: string | null
  /** Code of the reason of a rejection. */
  rejectedFor: string | null
  /** When the object is to be deleted; null when there is none. */
  deleteAt: Date | null
  /** When the document itself goes. */
  forgetAt: Date | null
}

/** What became of each medium; the bytes are in the blob store. */
export function createMedia(documents: Documents, now: () => Date, retentionDays: number) {
  const media = documents.outboxModel<Medium & WithOutbox>(
    'media',
    new Schema<Medium & WithOutbox>({
      _id: String,
      userId: String,
      status: String,
      objectKey: String,
      rejectedFor: String,
      deleteAt: Date,
      forgetAt: Date,
    })
      .index({ deleteAt: 1 })
      .index({ forgetAt: 1 }, { expireAfterSeconds: 0 }),
  )
  const later = (ms: number) => new Date(now().getTime() + ms)

  /** A download that was given up may be taken up again (a dead letter that is put back); anything else is final. */
  async function settle(id: string, outcome: Omit<Medium, '_id'>, event: Envelope): Promise<void> {
    try {
      await media.create({ _id: id, ...outcome, outbox: [event] })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      const givenUp = { _id: id, status: 'rejected' as const, rejectedFor: DOWNLOAD_FAILED.code }
      await media.updateOne(givenUp, { $set: outcome, $push: { outbox: event } })
    }
  }

  return {
    byId: (id: string) => media.findById(id).lean(),

    /** Whether there is nothing left to fetch. */
    async isSettled(id: string): Promise<boolean> {
      const known = await media.findById(id).lean()
      return known !== null && known.rejectedFor !== DOWNLOAD_FAILED.code
    },

    /** Answers whether the object is wanted: not when the note was deleted while it was fetched once more. */
    async stored(id: string, userId: string, objectKey: string, event: Envelope): Promise<boolean> {
      const outcome = {
        userId,
        status: 'stored' as const,
        objectKey,
        rejectedFor: null,
        deleteAt: later(retentionDays * DAY_MS),
        forgetAt: null,
      }
      await settle(id, outcome, event)
      return (await media.exists({ _id: id, objectKey })) !== null
    },

    rejected: (id: string, userId: string, reason: Reason, event: Envelope) =>
      settle(
        id,
        {
          userId,
          status: 'rejected',
          objectKey: null,
          rejectedFor: reason.code,
          deleteAt: null,
          forgetAt: later(REMEMBERED_MS),
        },
        event,
      ),

    overdue: (limit: number) =>
      media
        .find({ deleteAt: { $lte: now() } })
        .sort({ deleteAt: 1 })
        .limit(limit)
        .lean(),

    /** Remembers one that is not there yet as deleted: a download that is under way finds that it is not wanted. */
    async bury(id: string, userId: string): Promise<void> {
      const outcome = {
        userId,
        status: 'deleted' as const,
        objectKey: null,
        rejectedFor: null,
        deleteAt: null,
        forgetAt: later(REMEMBERED_MS),
      }
      try {
        await media.create({ _id: id, ...outcome })
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
      }
    },

    /** Its object could not be deleted now. */
    deleteLater: (id: string, ms: number) =>
      media.updateOne({ _id: id, deleteAt: { $ne: null } }, { $set: { deleteAt: later(ms) } }),

    /** After its object was deleted, or when there will be none; `false` when it is not as it was read. */
    async gone(
      { _id, objectKey }: Medium,
      status: 'expired' | 'deleted',
      events: Envelope[],
    ): Promise<boolean> {
      const { matchedCount } = await media.updateOne(
        { _id, objectKey, status: { $in: ['stored', 'rejected'] } },
        {
          $set: {
            status,
            objectKey: null,
            rejectedFor: null,
            deleteAt: null,
            forgetAt: later(REMEMBERED_MS),
          },
          $push: { outbox: { $each: events } },
        },
      )
      return matchedCount === 1
    },
  }
}
export type Media = ReturnType<typeof createMedia>
