import type { Account } from './minutes/account.ts'
import type { Accounts } from './minutes/accounts.ts'
import { belongsTo } from './plan/subscription.ts'
import type { StripeCalls } from './stripe/calls.ts'

/** Ends what an account has at Stripe (purchase, subscription, customer), then deletes the account, which names it. */
export const createErase =
  (accounts: Accounts, stripe: StripeCalls | undefined) =>
  async (userId: string): Promise<void> => {
    const account = await accounts.stored(userId)
    if (!account) return
    const { customerId, checkout } = account
    const session = checkout && (await stripe?.session(checkout.sessionId))
    if (session?.status === 'open') await stripe?.expireSession(session.id)
    if (customerId && stripe) await endCustomer(stripe, { ...account, userId, customerId })
    await accounts.erase(account)
  }

/** Deletes the customer. If another product on the same Stripe account bills it, only cancels our subscriptions. */
async function endCustomer(
  stripe: StripeCalls,
  account: Pick<Account, 'userId' | 'subscription'> & { customerId: string },
): Promise<void> {
  const { customerId } = account
  const billed = await Promise.all((await stripe.subscriptionsOf(customerId)).map(stripe.subscription))
  const lasting = billed.flatMap(found => (found && found.facts.standing !== 'over' ? [found.facts] : []))
  if (lasting.every(facts => belongsTo(account, facts))) return stripe.deleteCustomer(customerId)
  for (const facts of lasting) if (belongsTo(account, facts)) await stripe.cancelNow(facts.id)
}
