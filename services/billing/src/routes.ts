import { api } from '@voxscribe/contracts/http'
import { RECENT_PAYMENTS } from '@voxscribe/contracts/limits'
import { implement, type RateLimit, type Route } from '@voxscribe/service'
import { limited, remainingSeconds } from './minutes/account.ts'
import type { Accounts, Ledger } from './minutes/accounts.ts'
import { asSettled, quotaData } from './minutes/quota.ts'
import type { Payments } from './plan/payments.ts'
import { presentDetails, presentLine, presentStatus } from './presenting.ts'

interface Deps {
  accounts: Accounts
  ledger: Ledger
  payments: Payments
}

/** Routes to read one's own plan, minutes and payments. */
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

/** For the message after a note: the account's minutes, as if the note were already charged. */
export const balanceRoute = ({ accounts }: Pick<Deps, 'accounts'>): Route =>
  implement(api.balance, async ({ query: { userId, note, seconds } }) => {
    const settled = asSettled(await accounts.current(userId), note, seconds)
    const { totalSeconds, ...data } = quotaData(settled)
    return {
      data: {
        ...data,
        totalSeconds: limited(totalSeconds),
        remainingSeconds: limited(remainingSeconds(settled)),
      },
    }
  })

/** Limit on exports, counted here because an export reads the ledger first. */
export const EXPORTS = { points: 10, seconds: 3600 }
/** More payments than anyone has, at one a month. */
const ALL_PAYMENTS = { page: 1, limit: 1_000 }

/** Billing's part of the gateway's export of a person. */
export const exportRoute = ({ accounts, ledger, payments }: Deps, limit: RateLimit): Route =>
  implement(api.exportOfBilling, async ({ query: { userId } }) => {
    await limit.count(userId)
    const lines = ledger.all(userId, await accounts.newestLine(userId))
    const data = {
      payments: (await payments.page(userId, ALL_PAYMENTS)).payments,
      minutes: await Array.fromAsync(lines, presentLine),
    }
    return { data }
  })
