import {
  derivedId,
  type Envelope,
  MediaAnnounced,
  MessageRefused,
  NoteWithdrawn,
  Source,
} from '@voxscribe/contracts/events'
import type { Reason } from '@voxscribe/contracts/reasons'
import { type Documents, deleteAll, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { InboundMedia, NOTE_WAITS_MS } from './inbound.ts'

/** Longer than the 7 days for which webhooks are redelivered. */
const KEPT_MS = 30 * 86_400_000

const ReceivedMedia = InboundMedia.extend({
  mediaId: z.string(),
  /** Id of the withdrawn media whose object is reused. */
  keptAs: z.string().optional(),
})
type ReceivedMedia = z.infer<typeof ReceivedMedia>

const Receipt = z.object({
  /** Channel and the provider's message id. */
  _id: z.string(),
  keys: z.array(z.string()),
  source: Source,
  traceId: z.string(),
  media: z.array(ReceivedMedia),
  /** The account that the notes belong to; null without one. */
  userId: z.string().nullable(),
  /** Until when an unknown sender's notes wait to be linked; null if they don't. */
  waitingUntil: z.date().nullable(),
  /** Whether the notes were withdrawn from an account: the next one needs proof of the number, not just a claim. */
  isWithdrawn: z.boolean().optional(),
  expiresAt: z.date(),
})
type Receipt = z.infer<typeof Receipt>

/** A receipt before it's decided whether its notes wait. */
export type Draft = Omit<Receipt, 'expiresAt' | 'waitingUntil' | 'isWithdrawn' | 'userId'>

const receiptSchema = schemaOf(Receipt)
  .index({ keys: 1, waitingUntil: 1 })
  .index({ waitingUntil: 1 })
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** One of our messages that was read, by a hash of its id, because WhatsApp's ids contain the number. */
const SeenRecord = z.object({ _id: z.string(), expiresAt: z.date() })
const seenSchema = schemaOf(SeenRecord).index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Returns the id and trace of an event that a message causes, the same for each delivery. */
export const originOf = ({ _id, traceId }: Draft, name: string) => ({ id: derivedId(name, _id), traceId })

/** Returns the event that refuses a message for this reason; notification replies to it. `userId`: the sender's, if known. */
export const refused = (draft: Draft, why: Reason, userId?: string): Envelope =>
  MessageRefused.create({ reason: why, userId, source: draft.source }, originOf(draft, 'message-refused'))

/** The account that a note goes to, and whether it only claims the note's number. */
interface Owner {
  userId: string
  claimed: boolean
}

/** State of media when their note leaves its account. */
export type Left = 'stored' | 'to-fetch' | 'useless'

/** Returns the announcement of a receipt's media, the same for each call. */
export const announced = (
  receipt: Pick<Receipt, 'source' | 'traceId'>,
  media: ReceivedMedia,
  { userId, claimed }: Owner,
): Envelope =>
  MediaAnnounced.create(
    {
      mediaId: media.mediaId,
      userId,
      providerMediaId: media.providerMediaId,
      fileName: media.fileName,
      sha256: media.sha256,
      keptAs: media.keptAs,
      source: claimed ? { ...receipt.source, claimed } : receipt.source,
    },
    { id: derivedId('media-announced', media.mediaId), traceId: receipt.traceId },
  )

/** Stores a receipt, with its events, for each message with consequences; redeliveries are detected by it. */
export function createReceipts(documents: Documents, now: () => Date) {
  const receipts = documents.outboxModel('receipts', receiptSchema, { owner: 'userId' })
  const seen = documents.model('seen', seenSchema, {
    owner: null,
    because: 'hashes of ids of messages of ours',
  })
  const seenId = (channel: Source['channel'], messageId: string) => derivedId('seen', channel, messageId)

  return {
    byId: (id: string) => receipts.findById(id).lean(),

    /** Records that one of our messages was read. Idempotent. */
    markSeen: (channel: Source['channel'], messageId: string): Promise<boolean> =>
      insertOnce(seen, {
        _id: seenId(channel, messageId),
        expiresAt: new Date(now().getTime() + KEPT_MS),
      }),
    wasSeen: async (channel: Source['channel'], messageId: string): Promise<boolean> =>
      (await seen.exists({ _id: seenId(channel, messageId) })) !== null,

    /** Returns false for a known receipt, which stays unchanged. */
    add(receipt: Draft, userId: string | null, waits: boolean, outbox: Envelope[]): Promise<boolean> {
      const at = now().getTime()
      return insertOnce(receipts, {
        ...receipt,
        userId,
        waitingUntil: waits ? new Date(at + NOTE_WAITS_MS) : null,
        expiresAt: new Date(at + KEPT_MS),
        outbox,
      })
    },

    /** Returns the note of a message, or of the last message with one; undefined if the account has none. */
    async noteOf(userId: string, keys: string[], message?: string): Promise<string | undefined> {
      const which = message ? { _id: message } : { keys: { $in: keys } }
      const found = receipts.findOne({ ...which, userId, media: { $ne: [] } }).sort({ expiresAt: -1 })
      return (await found.lean())?.media[0]?.mediaId
    },

    waitingFrom: (keys: string[]) =>
      receipts.find({ keys: { $in: keys }, waitingUntil: { $gt: now() } }).lean(),

    /** Announces the notes of a message that waited for its sender to be linked. Idempotent. */
    async assign(receipt: Receipt, owner: Owner): Promise<void> {
      const events = receipt.media.map(media => announced(receipt, media, owner))
      await receipts.updateOne(
        { _id: receipt._id, waitingUntil: { $ne: null } },
        { $set: { waitingUntil: null, userId: owner.userId }, $push: { outbox: { $each: events } } },
      )
    },

    /**
     * Returns notes that wait since a time, for an account that only claims their number; withdrawn ones need proof.
     */
    waitingForClaim(which: { keys: { $in: string[] } } | { _id: string }, since = new Date(0)) {
      const after = Math.max(now().getTime(), since.getTime() + NOTE_WAITS_MS)
      const waiting = { ...which, isWithdrawn: { $ne: true }, waitingUntil: { $gt: new Date(after) } }
      return receipts.find(waiting).lean()
    },

    /** Drops the notes of a waiting message. Returns false if it isn't waiting. */
    drop: async (_id: string): Promise<boolean> => {
      const set = { $set: { waitingUntil: null, media: [] } }
      return (await receipts.updateOne({ _id, waitingUntil: { $ne: null } }, set)).matchedCount === 1
    },

    /** Returns this account's receipts from these senders. */
    ownedBy: (userId: string, keys: string[]) =>
      receipts.find({ keys: { $in: keys }, waitingUntil: null, userId }).lean(),

    /** Withdraws a message's notes. They wait for the next account, under new ids; rejected media are left out. */
    async withdraw({ _id, media, traceId }: Receipt, userId: string, left: Map<string, Left>): Promise<void> {
      const withdrawn = media.map(({ mediaId }) =>
        NoteWithdrawn.create({ mediaId, userId }, { id: derivedId('note-withdrawn', mediaId), traceId }),
      )
      const renewed = media
        .filter(({ mediaId }) => left.get(mediaId) !== 'useless')
        .map(({ mediaId, keptAs: _before, ...kept }) => ({
          ...kept,
          mediaId: derivedId('again', mediaId),
          ...(left.get(mediaId) === 'stored' ? { keptAs: mediaId } : {}),
        }))
      const at = now().getTime()
      const waitingUntil = renewed.length ? new Date(at + NOTE_WAITS_MS) : null
      const expiresAt = new Date(at + KEPT_MS)
      await receipts.updateOne(
        { _id, waitingUntil: null, userId },
        {
          $set: { userId: null, media: renewed, isWithdrawn: true, waitingUntil, expiresAt },
          $push: { outbox: { $each: withdrawn } },
        },
      )
    },

    /** Deletes receipts from these senders before a time that belong to no account. */
    forgetFrom: (keys: string[], before: Date) =>
      deleteAll(receipts, {
        keys: { $in: keys },
        userId: null,
        expiresAt: { $lt: new Date(before.getTime() + KEPT_MS) },
      }),

    /** Returns receipts whose wait is over, oldest first. */
    expiredWaits: (channel: Source['channel']) =>
      receipts.find({ waitingUntil: { $lte: now() }, 'source.channel': channel }).sort({ waitingUntil: 1 }),
    endWait: (id: string) =>
      receipts.updateOne({ _id: id, waitingUntil: { $lte: now() } }, { $set: { waitingUntil: null } }),
  }
}
export type Receipts = ReturnType<typeof createReceipts>
