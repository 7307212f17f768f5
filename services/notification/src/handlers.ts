import { CHAT_OPENERS, type EventOf, type HandlersFor, type OpensChat } from '@voxscribe/contracts/events'
import type { Deps } from './deps.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'

export function createHandlers(deps: Deps): HandlersFor<'notification'> {
  const handlers = {
    ...createNoteHandlers(deps),
    ...createSenderHandlers(deps),
    ...createAccountHandlers(deps),
    ...createBillingHandlers(deps),
    async ChatOpened() {},
  }
  const opening = CHAT_OPENERS.map(name => [
    name,
    async (event: EventOf<OpensChat>) => {
      await deps.answers.sendWaiting(event.data)
      await (handlers[name] as (event: EventOf<OpensChat>) => Promise<void>)(event)
    },
  ])
  return { ...handlers, ...Object.fromEntries(opening) }
}
