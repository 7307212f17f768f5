import type { Account } from './minutes/account.ts'
import type { Accounts } from './minutes/accounts.ts'

/** Ends what an account has at Stripe: an open purchase, the subscription, the customer. */
export type ForgetCustomer = (account: Pick<Account, 'customerId' | 'checkout'>) => Promise<void>

interface Deps {
  accounts: Accounts
  forgetCustomer: ForgetCustomer
}

/** Returns the function that ends what an account has at Stripe, and then the account, which names the customer. */
export const createErase =
  ({ accounts, forgetCustomer }: Deps) =>
  async (userId: string): Promise<void> => {
    const account = await accounts.stored(userId)
    if (!account) return
    await forgetCustomer(account)
    await accounts.erase(account)
  }
