import { AccountErased } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import type { User } from './users.ts'

/** Erases an account and frees its address, number and link code; its event makes other services erase theirs too. */
export async function eraseAccount(deps: Deps, user: User): Promise<void> {
  const { _id: userId, phone = null, email, firstName, uiLanguage } = user
  // Data that is found by address goes first, while the addresses are known.
  for (const address of [email, ...user.formerEmails.map(former => former.email)]) {
    await deps.requests.removeOf(address)
    await deps.invitations.endTo(address)
    await deps.limits.inviteTo.forget(address)
    await deps.limits.loginOfAccount.forget(address)
    await deps.limits.forgotOfAccount.forget(address)
  }
  const data = { userId, phone, email, firstName, uiLanguage }
  await deps.users.erase(user, AccountErased.create(data, { traceId: currentTrace() }))
  await deps.eraseOwned(userId)
}
