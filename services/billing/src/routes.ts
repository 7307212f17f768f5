import { RECENT_PAYMENTS } from '@voxscribe/contracts/business'
import { api } from '@voxscribe/contracts/http'
import { implement, type Route } from '@voxscribe/service'
import type { Accounts } from './minutes/accounts.ts'
import type { Ledger } from './minutes/ledger.ts'
import type { Payments } from './plan/payments.ts'
import { pagination, presentDetails, presentLine, presentStatus } from './presenting.ts'

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
      payments.page(userId, 1, RECENT_PAYMENTS),
    ])
    return { data: presentDetails(account, recent.payments) }
  }),
  implement(api.paymentHistory, async ({ userId, query: { page, limit } }) => {
    const { payments: items, total } = await payments.page(userId, page, limit)
    return { data: { payments: items, pagination: pagination(page, limit, total) } }
  }),
  implement(api.usage, async ({ userId, query: { page, limit } }) => {
    await accounts.moveEntries(userId)
    const { lines, total } = await ledger.page(userId, page, limit)
    return { data: { usage: lines.map(presentLine), pagination: pagination(page, limit, total) } }
  }),
]
