import type { Accounts } from '../minutes/accounts.ts'
import type { SessionFacts } from '../stripe/facts.ts'
import { closeCheckout } from './subscription.ts'
import type { Synchronise, Synchronised } from './synchronise.ts'

interface Deps {
  accounts: Accounts
  synchronise: Synchronise
}

export type PurchaseEnded = (
  userId: string,
  session: Pick<SessionFacts, 'id' | 'subscriptionId'>,
) => Promise<Synchronised>

/** Handles a Checkout session that is no longer open: the purchase takes effect, and another may begin. */
export function createPurchaseEnded({ accounts, synchronise }: Deps): PurchaseEnded {
  return async (userId, session) => {
    const learned = session.subscriptionId
      ? await synchronise(userId, session.subscriptionId)
      : { account: await accounts.current(userId), facts: null }
    if (learned.account.checkout?.sessionId !== session.id) return learned
    const { account } = await accounts.change(userId, current => closeCheckout(current, session.id))
    return { ...learned, account }
  }
}
