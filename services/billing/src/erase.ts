import type { Accounts } from './minutes/accounts.ts'
import type { StripeCalls } from './stripe/calls.ts'

/** Ends what an account has at Stripe (an open purchase, subscription, customer), then the account, which names it. */
export const createErase =
  (accounts: Accounts, stripe: StripeCalls | undefined) =>
  async (userId: string): Promise<void> => {
    const account = await accounts.stored(userId)
    if (!account) return
    const { customerId, checkout } = account
    const session = checkout && (await stripe?.session(checkout.sessionId))
    if (session?.status === 'open') await stripe?.expireSession(session.id)
    if (customerId) await stripe?.deleteCustomer(customerId)
    await accounts.erase(account)
  }
