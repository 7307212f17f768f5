import { derivedId, MediaExpired } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Media, Medium } from './media.ts'

const AT_ONCE = 100

/**
 * Deletes the media whose time is over and reports them. One that cannot be deleted goes to the end of the line for
 * `retryMs`: any number of them holds up nobody else. Throws at the end, with all that went wrong.
 */
export async function deleteOverdue(media: Media, blobs: Blobs, retryMs: number): Promise<void> {
  const problems: unknown[] = []
  for (;;) {
    const overdue = await media.overdue(AT_ONCE)
    for (const medium of overdue) {
      await expire(media, blobs, medium).catch(async error => {
        problems.push(error)
        await media.deleteLater(medium._id, retryMs)
      })
    }
    if (overdue.length < AT_ONCE) break
  }
  if (problems.length) throw new AggregateError(problems, 'Some audio could not be deleted')
}

/** The object goes first: a crash in between repeats both. */
async function expire(media: Media, blobs: Blobs, medium: Medium): Promise<void> {
  const { _id: mediaId, userId, objectKey } = medium
  if (objectKey) await blobs.delete(objectKey)
  const expired = MediaExpired.create({ mediaId, userId }, { id: derivedId('media-expired', mediaId) })
  await media.gone(medium, 'expired', [expired])
}

/** The person deleted the note: its object goes at once. What could not be fetched will not be fetched later. */
export async function deleteMedium(media: Media, blobs: Blobs, mediaId: string): Promise<void> {
  const medium = await media.byId(mediaId)
  if (!medium || medium.status === 'deleted' || medium.status === 'expired') return
  if (medium.objectKey) await blobs.delete(medium.objectKey)
  // When it was fetched in this very moment, there is another object.
  if (!(await media.gone(medium, 'deleted', []))) await deleteMedium(media, blobs, mediaId)
}

/** The note leaves its account: nothing of it stays, also when it is not there yet. */
export async function buryMedium(media: Media, blobs: Blobs, mediaId: string, userId: string): Promise<void> {
  await media.bury(mediaId, userId)
  await deleteMedium(media, blobs, mediaId)
}
