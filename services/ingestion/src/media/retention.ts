import { derivedId, MediaExpired } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Left } from '../senders/receipts.ts'
import type { Media, MediaRecord } from './media.ts'
import { DOWNLOAD_FAILED } from './rejections.ts'

/** Deletes overdue media and publishes that. The object goes first: a crash in between repeats both. */
export async function expire(media: Media, blobs: Blobs, record: MediaRecord): Promise<void> {
  const { _id: mediaId, userId, objectKey } = record
  if (objectKey) await blobs.delete(objectKey)
  const expired = MediaExpired.create({ mediaId, userId }, { id: derivedId('media-expired', mediaId) })
  await media.gone(record, 'expired', [expired])
}

/**
 * Deletes the object of a deleted note at once, and ends its download. `isWithdrawn`: only that of a withdrawn note, once
 * its next owner's note has its own copy; otherwise a withdrawn note no longer belongs to the account that deletes it.
 */
export async function deleteMedia(
  media: Media,
  blobs: Blobs,
  note: { mediaId: string; userId: string },
  isWithdrawn = false,
): Promise<void> {
  const { mediaId, userId } = note
  const record = await media.byId(mediaId)
  if (record ? isOver(record) : isWithdrawn || (await media.bury(mediaId, userId, 'deleted'))) return
  if (record && (record.status === 'withdrawn') !== isWithdrawn) return
  if (record?.objectKey) await blobs.delete(record.objectKey)
  // If it has just been fetched, there is another object.
  if (!record || !(await media.gone(record, 'deleted', [])))
    await deleteMedia(media, blobs, note, isWithdrawn)
}

/**
 * Takes a note's media from their account. A stored object is kept, since the provider may have deleted its copy; a
 * download that waits or is under way is dropped.
 */
export async function withdrawMedia(media: Media, mediaId: string, userId: string): Promise<Left> {
  if (await media.withdrawn(mediaId)) return 'stored'
  if (await media.bury(mediaId, userId, 'dropped')) return 'to-fetch'
  const record = await media.byId(mediaId)
  if (record?.status === 'rejected' && record.rejectedFor !== DOWNLOAD_FAILED.code) return 'useless'
  if (!record || isOver(record)) return 'to-fetch'
  if (record.status !== 'stored' && (await media.gone(record, 'dropped', []))) return 'to-fetch'
  // It has just been stored.
  return withdrawMedia(media, mediaId, userId)
}

const isOver = ({ status }: MediaRecord) => ['dropped', 'deleted', 'expired'].includes(status)
