import type { EventOf } from '@voxscribe/contracts/events'
import { deleteAll } from '@voxscribe/service'
import type { Dispatches } from './dispatch/dispatches.ts'
import { i18nOf } from './dispatch/people.ts'
import { erasedMail } from './mail/mails.ts'
import type { Deps } from './news/deps.ts'
import type { ContactMessages } from './routes.ts'

/** Returns the function that deletes everything of an account and mails that, once, to the address in the event. */
export function createErase(deps: Deps & { dispatches: Dispatches; messages: ContactMessages }) {
  const { mails, answers, people, claims, dispatches, hooks, messages, supportEmail } = deps
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    await answers.forgetOf(userId)
    await claims.forgetOf(userId)
    await hooks.erase(userId)
    if (event) await forgetAddresses(event)
    if (event)
      await mails.aboutSafety(
        `erased:${userId}`,
        userId,
        erasedMail(i18nOf(event.data), event.data, supportEmail),
      )
    await people.forget(userId)
  }

  async function forgetAddresses({ data, occurredAt }: EventOf<'AccountErased'>): Promise<void> {
    const { userId, phone, email } = data
    const { chat, provedEmail } = (await people.byId(userId)) ?? {}
    const addresses = [email, phone, chat?.address, provedEmail].filter(address => address != null)
    await dispatches.forgetTo(addresses, new Date(occurredAt))
    await deleteAll(messages, { email, at: { $lt: new Date(occurredAt) } })
  }
}
