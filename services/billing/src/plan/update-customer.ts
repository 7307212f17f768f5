import { stateOnly } from '../minutes/account.ts'
import type { Accounts } from '../minutes/accounts.ts'
import type { StripeCalls } from '../stripe/calls.ts'

interface Deps {
  accounts: Accounts
  stripe: StripeCalls
}

export type UpdateCustomer = (userId: string) => Promise<void>

/** Tells Stripe of a changed e-mail or name, if it has a customer of this account. Idempotent. */
export function createUpdateCustomer({ accounts, stripe }: Deps): UpdateCustomer {
  return async userId => {
    const { customerId, customerStale, email, name, contactRevision } = await accounts.current(userId)
    if (!customerId || !customerStale || !email) return
    await stripe.updateCustomer(customerId, { email, name, revision: contactRevision })
    await accounts.change(userId, current =>
      // A change made meanwhile still has to be sent.
      current.contactRevision === contactRevision ? stateOnly({ ...current, customerStale: false }) : null,
    )
  }
}
