import { derivedId, MediaExpired } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Media, Medium } from './media.ts'

const AT_ONCE = 100

/**
 * Deletes the media whose time is over and tells so. One that cannot be deleted does not hold up the others: it is
 * tried again at the next run. Throws then, with all that went wrong.
 */
export async function deleteOverdue(media: Media, blobs: Blobs): Promise<void> {
  for (;;) {
    const overdue = await media.overdue(AT_ONCE)
    const problems: unknown[] = []
    for (const medium of overdue) await expire(media, blobs, medium).catch(error => problems.push(error))
    if (problems.length) throw new AggregateError(problems, 'Some audio could not be deleted')
    if (overdue.length < AT_ONCE) return
  }
}

/** The object goes first: a crash in between repeats both. */
async function expire(
  media: Media,
  blobs: Blobs,
  { _id: mediaId, userId, objectKey }: Medium,
): Promise<void> {
  if (objectKey) await blobs.delete(objectKey)
  const expired = MediaExpired.create({ mediaId, userId }, { id: derivedId('media-expired', mediaId) })
  await media.gone(mediaId, 'expired', [expired])
}

/** The person deleted the note: its object goes at once. What could not be fetched will not be fetched later. */
export async function deleteMedium(media: Media, blobs: Blobs, mediaId: string): Promise<void> {
  const medium = await media.byId(mediaId)
  if (medium?.objectKey) await blobs.delete(medium.objectKey)
  if (medium) await media.gone(mediaId, 'deleted', [])
}
