import type { HandlersFor, Source } from '@voxscribe/contracts/events'
import type { Deps } from './news/deps.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'

type Handlers = HandlersFor<'notification'>

export function createHandlers(deps: Deps): Handlers {
  const handlers: Omit<Handlers, 'ChatOpened'> = {
    ...createNoteHandlers(deps),
    ...createSenderHandlers(deps),
    ...createAccountHandlers(deps),
    ...createBillingHandlers(deps),
  }
  /** A message of the person has opened the chat for 24 hours: what waits for that goes out first. */
  const opening =
    <E extends { data: { source: Source } }>(handle: (event: E) => Promise<void>) =>
    async (event: E): Promise<void> => {
      await deps.answers.sendWaiting(event.data.source)
      await handle(event)
    }
  const { MediaAnnounced, BalanceTold, NoteCommandDone, LanguageChosen, SenderLinked, MessageRefused } =
    handlers
  return {
    ...handlers,
    ChatOpened: opening(async () => {}),
    MediaAnnounced: opening(MediaAnnounced),
    BalanceTold: opening(BalanceTold),
    NoteCommandDone: opening(NoteCommandDone),
    LanguageChosen: opening(LanguageChosen),
    SenderLinked: opening(SenderLinked),
    MessageRefused: opening(MessageRefused),
  }
}
