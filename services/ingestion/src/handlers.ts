import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Media } from './media/media.ts'
import { phoneKey } from './senders/inbound.ts'
import type { Senders } from './senders/note-owners.ts'

type Handlers = HandlersFor<'ingestion'>

/**
 * Events about an account or a note that is deleted are acknowledged: there is nothing left to change. Media announced
 * for a deleted account are stored like others, until their note is deleted or their days are over.
 */
export const createHandlers = (
  { accounts, bindings, owners }: Senders,
  media: Media,
  MediaAnnounced: Handlers['MediaAnnounced'],
): Handlers => ({
  UserRegistered: owners.onAccountNews,
  UserUpdated: owners.onAccountNews,
  OwnershipAsked: accounts.asked,
  NumberDisowned: async ({ data }) =>
    owners.withdraw(data.userId, await bindings.keysWith(phoneKey(data.phone))),
  MediaAnnounced,
  TranscriptionDeleted: ({ data }) => media.remove(data.mediaId, data.userId),
})
