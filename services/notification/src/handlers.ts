import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Deps } from './news/deps.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'

export const createHandlers = (deps: Deps): HandlersFor<'notification'> => ({
  ...createNoteHandlers(deps),
  ...createSenderHandlers(deps),
  ...createAccountHandlers(deps),
  ...createBillingHandlers(deps),
})
