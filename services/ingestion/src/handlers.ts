import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
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
): Handlers => {
  const onAccountNews = async (event: EventOf<'UserRegistered' | 'UserUpdated'>) => {
    await owners.onAccountNews(event)
    await keepAudioAsChosen(event.data.userId)
  }
  /** By the newest choice, also when an older event comes late. */
  async function keepAudioAsChosen(userId: string) {
    const choice = (await accounts.byId(userId))?.audio
    if (choice) await media.keepAsChosen(userId, choice)
  }
  return {
    UserRegistered: onAccountNews,
    UserUpdated: onAccountNews,
    async TranscriptionCompleted(event) {
      await media.noteText(event)
      await keepAudioAsChosen(event.data.userId)
    },
    OwnershipAsked: accounts.asked,
    NumberDisowned: async ({ data }) =>
      owners.withdraw(data.userId, await bindings.keysWith(phoneKey(data.phone))),
    MediaAnnounced,
    TranscriptionDeleted: ({ data }) => media.remove(data.mediaId, data.userId),
  }
}
