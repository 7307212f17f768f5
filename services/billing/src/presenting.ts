import type {
  BillingDetails,
  Payment,
  SubscriptionStatus,
  UsageLine,
  VerifiedSession,
} from '@voxscribe/contracts/http'
import { CURRENCY, PLANS } from '@voxscribe/contracts/plans'
import { minutesOf } from '@voxscribe/contracts/wording'
import type { z } from 'zod'
import {
  type Account,
  countedSeconds,
  limited,
  remainingSeconds,
  type Subscription,
} from './minutes/account.ts'
import type { LedgerLine } from './minutes/accounts.ts'
import type { Verified } from './plan/manage-plan.ts'
import { amountOf } from './stripe/facts.ts'

const statusOf = ({ subscription }: Account) =>
  subscription && subscription.state !== 'ended' ? subscription.state : 'active'

const moneyOf = ({ price, currency }: Subscription) => ({ amount: amountOf(price, currency), currency })

export const presentStatus = (account: Account): SubscriptionStatus => ({
  plan: account.plan,
  status: statusOf(account),
  subscription_minutes: limited(minutesOf(account.totalSeconds)),
  used_minutes: minutesOf(countedSeconds(account)),
  remaining_minutes: limited(minutesOf(remainingSeconds(account))),
  current_period_end: account.periodEnd.toISOString(),
  payment_problem: account.subscription?.paymentProblem ?? false,
})

export const presentDetails = (account: Account, paymentHistory: Payment[]): BillingDetails => ({
  subscription: {
    status: statusOf(account),
    plan: account.plan,
    usedMinutes: minutesOf(countedSeconds(account)),
    subscriptionMinutes: limited(minutesOf(account.totalSeconds)),
    minutesLeft: limited(minutesOf(remainingSeconds(account))),
    ...(account.plan !== 'free' && account.subscription
      ? { ...moneyOf(account.subscription), interval: account.subscription.interval }
      : { amount: 0, currency: CURRENCY, interval: PLANS.monthly.interval }),
    currentPeriodStart: account.periodStart.toISOString(),
    currentPeriodEnd: account.periodEnd.toISOString(),
    paymentProblem: account.subscription?.paymentProblem ?? false,
  },
  paymentHistory,
})

export const presentLine = ({ _id, at, charged, heldSeconds, balanceSeconds }: LedgerLine): UsageLine => ({
  transcriptionId: _id,
  seconds: heldSeconds || (charged?.seconds ?? 0),
  at: at.toISOString(),
  balanceSeconds,
  ...(heldSeconds ? { reserved: true } : {}),
})

/** The payment status is `canceled` if the session expired, otherwise Stripe's own. */
export const presentVerified = ({ session, period }: Verified): z.infer<typeof VerifiedSession> => ({
  session: {
    id: session.id,
    paymentStatus: session.status === 'expired' ? 'canceled' : session.paymentStatus,
    currency: session.currency,
    amountTotal: amountOf(session.amountTotal, session.currency),
    createdAt: session.createdAt.toISOString(),
  },
  subscription: period && {
    currentPeriodStart: period.start.toISOString(),
    currentPeriodEnd: period.end.toISOString(),
  },
})
