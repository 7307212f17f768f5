import type { HandlersFor } from '@voxscribe/contracts/events'
import { confirmationMail, supportMail } from '../mail/mails.ts'
import type { Deps } from './deps.ts'

/** Passes a message on to support, then confirms it to the sender. */
export function createContactHandlers({ outbound, supportEmail }: Deps) {
  return {
    async ContactMessageReceived({ id, data }) {
      await outbound.mail(`contact:${id}:support`, supportMail(data, supportEmail))
      await outbound.mail(`contact:${id}:confirmation`, confirmationMail(data, supportEmail))
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
