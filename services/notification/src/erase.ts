import type { EventOf } from '@voxscribe/contracts/events'
import { deleteAll } from '@voxscribe/service'
import type { Dispatches } from './dispatch/dispatches.ts'
import { i18nOf } from './dispatch/people.ts'
import { erasedMail } from './mail/mails.ts'
import type { Deps } from './news/deps.ts'
import type { ContactMessages } from './routes.ts'

/** Returns the function that deletes everything of an account and mails that, once, to the address in the event. */
export function createErase(deps: Deps & { dispatches: Dispatches; messages: ContactMessages }) {
  const { outbound, answers, people, claims, dispatches, hooks, messages, supportEmail } = deps
  return async (userId: string, event?: EventOf<'AccountErased'>): Promise<void> => {
    await answers.forgetOf(userId)
    await claims.forgetOf(userId)
    await hooks.erase(userId)
    if (event) await forgetAddresses(event)
    await people.forget(userId)
    if (event)
      await outbound.mail(`erased:${userId}`, erasedMail(i18nOf(event.data), event.data, supportEmail))
  }

  async function forgetAddresses({ data, occurredAt }: EventOf<'AccountErased'>): Promise<void> {
    const { userId, phone, email } = data
    const chat = (await people.byId(userId))?.chat?.address
    await dispatches.forgetTo([email, phone ?? [], chat ?? []].flat(), new Date(occurredAt))
    await deleteAll(messages, { email, at: { $lt: new Date(occurredAt) } })
  }
}
