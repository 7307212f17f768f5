import { derivedId, MediaExpired } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Media } from './media.ts'

const AT_ONCE = 100

/** Deletes the media whose time is over and tells so. The object goes first: a crash in between repeats both. */
export async function deleteOverdue(media: Media, blobs: Blobs): Promise<void> {
  for (;;) {
    const overdue = await media.overdue(AT_ONCE)
    for (const { _id: mediaId, userId, objectKey } of overdue) {
      if (objectKey) await blobs.delete(objectKey)
      const expired = MediaExpired.create({ mediaId, userId }, { id: derivedId('media-expired', mediaId) })
      await media.gone(mediaId, 'expired', [expired])
    }
    if (overdue.length < AT_ONCE) return
  }
}

/** The person deleted the note: its object goes at once. */
export async function deleteMedium(media: Media, blobs: Blobs, mediaId: string): Promise<void> {
  const medium = await media.byId(mediaId)
  if (!medium?.objectKey) return
  await blobs.delete(medium.objectKey)
  await media.gone(mediaId, 'deleted', [])
}
