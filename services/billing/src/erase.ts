import type { Account } from './minutes/account.ts'
import type { Accounts, Ledger } from './minutes/accounts.ts'
import type { Payments } from './plan/payments.ts'

/** Ends what an account has at Stripe: an open purchase, the subscription, the customer. */
export type ForgetCustomer = (account: Pick<Account, 'customerId' | 'checkout'>) => Promise<void>

interface Deps {
  accounts: Accounts
  ledger: Ledger
  payments: Payments
  forgetCustomer: ForgetCustomer
}

/** Returns the function that deletes everything of an account; the account goes last, as it names Stripe's customer. */
export const createErase =
  ({ accounts, ledger, payments, forgetCustomer }: Deps) =>
  async (userId: string): Promise<void> => {
    const account = await accounts.stored(userId)
    if (account) {
      await forgetCustomer(account)
      await accounts.erase(account)
    }
    await ledger.forgetOf(userId)
    await payments.forgetOf(userId)
  }
