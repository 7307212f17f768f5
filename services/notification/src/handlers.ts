import type { HandlersFor } from '@voxscribe/contracts/events'
import { confirmationMail, supportMail } from './mail/mails.ts'
import type { Deps } from './news/deps.ts'
import { createAccountHandlers } from './news/on-accounts.ts'
import { createBillingHandlers } from './news/on-billing.ts'
import { createNoteHandlers } from './news/on-notes.ts'
import { createSenderHandlers } from './news/on-senders.ts'

export function createHandlers(deps: Deps): HandlersFor<'notification'> {
  return {
    ...createNoteHandlers(deps),
    ...createSenderHandlers(deps),
    ...createAccountHandlers(deps),
    ...createBillingHandlers(deps),
    /** Passes a message on to support, then confirms it to the sender. */
    async ContactMessageReceived({ id, data }) {
      await deps.outbound.mail(`contact:${id}:support`, supportMail(data, deps.supportEmail))
      await deps.outbound.mail(`contact:${id}:confirmation`, confirmationMail(data, deps.supportEmail))
    },
  }
}
