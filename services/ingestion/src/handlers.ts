import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import type { Deps } from './deps.ts'
import { createOnMediaAnnounced } from './media/on-media-announced.ts'
import { audioChoiceIn } from './senders/accounts.ts'
import { phoneKey, receiptId } from './senders/inbound.ts'
import { chosenOrAsked } from './webhooks/asked.ts'

/** Ignores events of a deleted account or note; media announced for it stay until their note or retention ends. */
export function createHandlers(deps: Deps): HandlersFor<'ingestion'> {
  const { accounts, bindings, owners, media, receipts } = deps
  const onAccountEvent = async (event: EventOf<'UserRegistered' | 'UserUpdated'>) => {
    await owners.onAccountEvent(event)
    const { userId, audio } = event.data
    // Applies to audio that existed at that time, even if a newer choice is already stored.
    if (audio) await media.keepAsChosen(userId, audioChoiceIn(audio), Date.parse(event.occurredAt))
    await keepAudioAsChosen(userId)
  }
  /** Applies the newest choice, even if an older event arrives late. */
  async function keepAudioAsChosen(userId: string) {
    const choice = (await accounts.byId(userId))?.audio
    if (choice) await media.keepAsChosen(userId, choice)
  }
  return {
    UserRegistered: onAccountEvent,
    UserUpdated: onAccountEvent,
    async TranscriptionCompleted(event) {
      await media.noteText(event)
      await keepAudioAsChosen(event.data.userId)
    },
    async MessageUnderstood({ id, traceId, data }) {
      const { userId, source } = data
      if (!(await accounts.byId(userId))) return
      const draft = {
        _id: `${receiptId(source.channel, source.messageId)}:${id}`,
        keys: [],
        source,
        traceId,
        media: [],
      }
      await receipts.add(draft, userId, false, [chosenOrAsked(data, draft)])
    },
    OwnershipAsked: accounts.recordQuestion,
    NumberChanged: owners.onNumberChanged,
    NoteRevoked: ({ data }) => media.revoke(data.mediaId, data.userId),
    NumberDisowned: async ({ data }) =>
      owners.withdraw(data.userId, await bindings.keysWith(phoneKey(data.phone))),
    MediaAnnounced: createOnMediaAnnounced(deps),
    TranscriptionDeleted: ({ data }) => media.remove(data.mediaId, data.userId),
  }
}
