import { derivedId, type EventOf } from '@voxscribe/contracts/events'
import { deleteAll } from '@voxscribe/service'
import type { Deps } from './deps.ts'
import { erasedMail } from './mail/mails.ts'
import { i18nOf } from './sending/people.ts'

/** Returns the function that deletes an account's addresses, then sends one mail that confirms the erasure. */
export function createErase({ mails, people, sendings, messages, supportEmail }: Deps) {
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    if (!event) return
    await forgetAddresses(event)
    const mail = erasedMail(i18nOf(event.data), event.data, supportEmail)
    await mails.aboutSafety(`erased:${derivedId('erased', userId)}`, userId, mail)
  }

  async function forgetAddresses({ data, occurredAt }: EventOf<'AccountErased'>): Promise<void> {
    const { userId, phone, email } = data
    const { chat, provedEmail } = (await people.byId(userId)) ?? {}
    const addresses = [email, phone, chat?.address, provedEmail].filter(address => address != null)
    await sendings.forgetTo(addresses, new Date(occurredAt))
    await deleteAll(messages, { email, at: { $lt: new Date(occurredAt) } })
  }
}
