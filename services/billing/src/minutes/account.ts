import { FREE_MINUTES, PAID_MINUTES } from '@voxscribe/contracts/business'
import type { Envelope } from '@voxscribe/contracts/events'
import { monthAround } from './months.ts'

/** Seconds held for a note that is being transcribed. */
export interface Reservation {
  transcriptionId: string
  seconds: number
  /** Which transcription of the medium holds them: 1, and one more for each refresh. */
  attempt: number
}

/**
 * One line of the account's ledger. What was reserved is in the end settled or released, so that
 * reserved − settled − released is what open reservations hold. Returned: settled for a note that was not theirs.
 */
export interface LedgerEntry {
  /** Derived from what it records: the same fact is the same entry. */
  id: string
  kind: 'reserved' | 'settled' | 'released' | 'returned'
  transcriptionId: string
  attempt: number
  seconds: number
  at: Date
}

/** What the account holds about the paid plan. */
export interface Subscription {
  /** Stripe's id. */
  id: string
  state: 'active' | 'canceling' | 'ended'
  /** A payment failed and Stripe is trying again. */
  paymentProblem: boolean
  /** End of the last period that was paid and given its minutes. */
  grantedUntil: Date
  /** In the currency's smallest unit. */
  price: number
  currency: string
}

/** A purchase that has been started and not been seen to end. */
export interface OpenCheckout {
  sessionId: string
  url: string
  expiresAt: Date
}

/** Everything about one user's minutes. It changes as a whole: `version` counts the changes. */
export interface Account {
  userId: string
  version: number
  /** Made before the user's registration was heard of; the registration then sets the anchor. */
  provisional: boolean
  email: string | null
  name: string | null
  plan: 'free' | 'monthly'
  /** Free months are counted from here: sign-up, or the end of the last paid period. */
  anchor: Date
  periodStart: Date
  periodEnd: Date
  totalSeconds: number
  usedSeconds: number
  reservations: Reservation[]
  customerId: string | null
  subscription: Subscription | null
  checkout: OpenCheckout | null
  /** Counts purchases that came to an end, so that each new one has a key of its own at Stripe. */
  checkoutRound: number
  /** Counts what was learned from Stripe: an answer asked for before the last change is not applied any more. */
  stripeRevision: number
  /** When Stripe should be asked, in case a webhook went missing. */
  recheckAt: Date | null
  /** Rechecks that failed in a row. */
  recheckFailures: number
}

/** What a rule makes of an account: its next state, with the events and ledger entries that belong to the step. */
export interface Step {
  account: Account
  events: Envelope[]
  entries: LedgerEntry[]
}

/** A step without events or ledger entries. */
export const stateOnly = (account: Account): Step => ({ account, events: [], entries: [] })

export const FREE_SECONDS = FREE_MINUTES * 60
export const PAID_SECONDS = PAID_MINUTES * 60

/** Seconds are kept to the millisecond: sums of any length stay exact. */
export const exact = (seconds: number): number => Math.round(seconds * 1000) / 1000

export const reservedSeconds = (account: Account): number =>
  exact(account.reservations.reduce((sum, { seconds }) => sum + seconds, 0))

/** What a new note may take. */
export const remainingSeconds = (account: Account): number =>
  Math.max(0, exact(account.totalSeconds - account.usedSeconds - reservedSeconds(account)))

/** The free plan's fields, with a month that is counted from `anchor`. */
export function freePlan(anchor: Date, now: Date) {
  const { start, end } = monthAround(anchor, now)
  return { plan: 'free' as const, anchor, periodStart: start, periodEnd: end, totalSeconds: FREE_SECONDS }
}

/** The account of someone whose registration has not arrived yet. */
export const provisionalAccount = (userId: string, now: Date): Account => ({
  userId,
  version: 0,
  provisional: true,
  email: null,
  name: null,
  ...freePlan(now, now),
  usedSeconds: 0,
  reservations: [],
  customerId: null,
  subscription: null,
  checkout: null,
  checkoutRound: 0,
  stripeRevision: 0,
  recheckAt: null,
  recheckFailures: 0,
})

/** The registration of a user: whose account it is and when the free months began. A repeat changes nothing. */
export function register(
  account: Account,
  user: { email: string; firstName: string; lastName: string; registeredAt: string },
  now: Date,
): Step | null {
  if (!account.provisional) return null
  const known = {
    ...account,
    provisional: false,
    email: user.email,
    name: `${user.firstName} ${user.lastName}`.trim(),
  }
  const registeredAt = new Date(user.registeredAt)
  const next =
    account.plan === 'free'
      ? { ...known, ...freePlan(registeredAt, now) }
      : { ...known, anchor: registeredAt }
  return stateOnly(next)
}
