import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Media } from './media/media.ts'
import { deleteMedia } from './media/retention.ts'
import type { Senders } from './senders/room.ts'
import { phoneKey } from './senders/senders.ts'

interface Deps extends Senders {
  media: Media
  blobs: Blobs
  onMediaAnnounced: HandlersFor<'ingestion'>['MediaAnnounced']
}

/**
 * Events about an account or a note that is deleted are acknowledged: there is nothing left to change. Media announced
 * for a deleted account are stored like others, until their note is deleted or their days are over.
 */
export function createHandlers(deps: Deps): HandlersFor<'ingestion'> {
  const { accounts, bindings, owners, media, blobs } = deps
  return {
    UserRegistered: owners.onAccountNews,
    UserUpdated: owners.onAccountNews,
    OwnershipAsked: ({ data, occurredAt }) =>
      accounts.asked(data.userId, new Date(data.phoneClaimedAt), new Date(occurredAt)),
    NumberDisowned: async ({ data }) =>
      owners.withdraw(data.userId, await bindings.keysWith(phoneKey(data.phone))),
    MediaAnnounced: deps.onMediaAnnounced,
    TranscriptionDeleted: event => deleteMedia(media, blobs, event.data),
  }
}
