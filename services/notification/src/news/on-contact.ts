import type { HandlersFor } from '@voxscribe/contracts/events'
import type { Outbound } from '../delivery/outbound.ts'
import { confirmationMail, supportMail } from '../mail/mails.ts'

interface Deps {
  outbound: Outbound
  supportEmail: string
}

/** Passes a message on to support, then confirms it to the sender. */
export function createContactHandlers({
  outbound,
  supportEmail,
}: Deps): Pick<HandlersFor<'notification'>, 'ContactMessageReceived'> {
  return {
    async ContactMessageReceived({ id, data }) {
      await outbound.mail(`contact:${id}:support`, supportMail(data, supportEmail))
      await outbound.mail(`contact:${id}:confirmation`, confirmationMail(data, supportEmail))
    },
  }
}
