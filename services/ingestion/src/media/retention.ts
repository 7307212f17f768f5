import { derivedId, MediaExpired } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Left } from '../senders/receipts.ts'
import type { Media, MediaRecord } from './media.ts'
import { DOWNLOAD_FAILED } from './rejections.ts'

const AT_ONCE = 100

/**
 * Deletes the media whose time is over and reports them. One that cannot be deleted goes to the end of the line for
 * `retryMs`: any number of them holds up nobody else. Throws at the end, with all that went wrong.
 */
export async function deleteOverdue(media: Media, blobs: Blobs, retryMs: number): Promise<void> {
  const problems: unknown[] = []
  for (;;) {
    const overdue = await media.overdue(AT_ONCE)
    for (const record of overdue) {
      await expire(media, blobs, record).catch(async error => {
        problems.push(error)
        await media.deleteLater(record._id, retryMs)
      })
    }
    if (overdue.length < AT_ONCE) break
  }
  if (problems.length) throw new AggregateError(problems, 'Some audio could not be deleted')
}

/** The object goes first: a crash in between repeats both. */
async function expire(media: Media, blobs: Blobs, record: MediaRecord): Promise<void> {
  const { _id: mediaId, userId, objectKey } = record
  if (objectKey) await blobs.delete(objectKey)
  const expired = MediaExpired.create({ mediaId, userId }, { id: derivedId('media-expired', mediaId) })
  await media.gone(record, 'expired', [expired])
}

/** The person deleted the note: its object goes at once. What could not be fetched will not be fetched later. */
export async function deleteMedia(media: Media, blobs: Blobs, mediaId: string): Promise<void> {
  const record = await media.byId(mediaId)
  // A withdrawn note is no longer its account's to delete.
  if (record && record.status !== 'withdrawn') await dropMedia(media, blobs, record)
}

/** The object of a withdrawn note goes: there is a note of its person with the same bytes. */
export async function deleteWithdrawn(media: Media, blobs: Blobs, mediaId: string): Promise<void> {
  const record = await media.byId(mediaId)
  if (record?.status === 'withdrawn') await dropMedia(media, blobs, record)
}

async function dropMedia(media: Media, blobs: Blobs, record: MediaRecord): Promise<void> {
  if (record.status === 'deleted' || record.status === 'expired') return
  if (record.objectKey) await blobs.delete(record.objectKey)
  if (await media.gone(record, 'deleted', [])) return
  // If it has just been fetched, there is another object.
  await deleteMedia(media, blobs, record._id)
}

/**
 * The note leaves its account. What is stored of it is kept: the provider may have deleted its own. What is still to
 * be fetched, or is being fetched in this moment, is not fetched for this account any more.
 */
export async function withdrawMedia(media: Media, mediaId: string, userId: string): Promise<Left> {
  if (await media.withdrawn(mediaId)) return 'stored'
  if (await media.bury(mediaId, userId)) return 'to-fetch'
  const record = await media.byId(mediaId)
  if (record?.status === 'rejected' && record.rejectedFor !== DOWNLOAD_FAILED.code) return 'useless'
  const isOver = !record || record.status === 'deleted' || record.status === 'expired'
  if (isOver || (record.status !== 'stored' && (await media.gone(record, 'deleted', [])))) return 'to-fetch'
  // It has just been stored.
  return withdrawMedia(media, mediaId, userId)
}
