import { RECENT_PAYMENTS } from '@voxscribe/contracts/business'
import { api } from '@voxscribe/contracts/http'
import { implement, type Route } from '@voxscribe/service'
import type { Accounts, Ledger } from './minutes/accounts.ts'
import type { Payments } from './plan/payments.ts'
import { presentDetails, presentLine, presentStatus } from './presenting.ts'

interface Deps {
  accounts: Accounts
  ledger: Ledger
  payments: Payments
}

/** Reading one's plan, minutes and payments. */
export const readingRoutes = ({ accounts, ledger, payments }: Deps): Route[] => [
  implement(api.subscriptionStatus, async ({ userId }) => ({
    data: presentStatus(await accounts.current(userId)),
  })),
  implement(api.subscriptionDetails, async ({ userId }) => {
    const [account, recent] = await Promise.all([
      accounts.current(userId),
      payments.page(userId, { page: 1, limit: RECENT_PAYMENTS }),
    ])
    return { data: presentDetails(account, recent.payments) }
  }),
  implement(api.paymentHistory, async ({ userId, query }) => ({ data: await payments.page(userId, query) })),
  implement(api.usage, async ({ userId, query }) => {
    const { found, pagination } = await ledger.page(userId, query, await accounts.newestLine(userId))
    return { data: { usage: found.map(presentLine), pagination } }
  }),
]
