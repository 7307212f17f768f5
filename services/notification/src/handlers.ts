import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import type { Deps } from './news/deps.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'

/** Follow a message of the person, which has opened the chat for 24 hours: what waits for that goes out first. */
const OPENING = [
  'ChatOpened',
  'MediaAnnounced',
  'BalanceTold',
  'NoteCommandDone',
  'LanguageChosen',
  'SenderLinked',
  'MessageRefused',
] as const
type Opening = EventOf<(typeof OPENING)[number]>

export function createHandlers(deps: Deps): HandlersFor<'notification'> {
  const handlers = {
    ...createNoteHandlers(deps),
    ...createSenderHandlers(deps),
    ...createAccountHandlers(deps),
    ...createBillingHandlers(deps),
    async ChatOpened() {},
  }
  const opening = OPENING.map(name => [
    name,
    async (event: Opening) => {
      await deps.answers.sendWaiting(event.data.source)
      await (handlers[name] as (event: Opening) => Promise<void>)(event)
    },
  ])
  return { ...handlers, ...Object.fromEntries(opening) }
}
