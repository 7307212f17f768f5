import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Media } from './media/media.ts'
import type { OnMediaAnnounced } from './media/on-media-announced.ts'
import { deleteMedia } from './media/retention.ts'
import type { Accounts } from './senders/accounts.ts'
import type { Bindings } from './senders/bindings.ts'
import type { GiveNotes } from './senders/give-notes.ts'
import { createOnAccountNews } from './senders/on-account-news.ts'
import { phoneKey } from './senders/senders.ts'
import type { WithdrawNotes } from './senders/withdraw-notes.ts'

interface Deps {
  accounts: Accounts
  bindings: Bindings
  media: Media
  blobs: Blobs
  withdrawNotes: WithdrawNotes
  giveNotes: GiveNotes
  onMediaAnnounced: OnMediaAnnounced
}

/**
 * Events about an account or a note that is deleted are acknowledged: there is nothing left to change. Media announced
 * for a deleted account are stored like others, until their note is deleted or their days are over.
 */
export function createHandlers(deps: Deps): HandlersFor<'ingestion'> {
  const { accounts, bindings, media, blobs, withdrawNotes } = deps
  const onAccountNews = createOnAccountNews(deps)
  return {
    UserRegistered: onAccountNews,
    UserUpdated: onAccountNews,
    OwnershipAsked: ({ data, occurredAt }) =>
      accounts.asked(data.userId, new Date(data.phoneClaimedAt), new Date(occurredAt)),
    NumberDisowned: async ({ data }) =>
      withdrawNotes(data.userId, await bindings.keysWith(phoneKey(data.phone))),
    MediaAnnounced: deps.onMediaAnnounced.handle,
    TranscriptionDeleted: event => deleteMedia(media, blobs, event.data.mediaId),
  }
}
