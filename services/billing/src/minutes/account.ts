import { type Envelope, type EventOf, messageOf, type NoteSource } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { PLAN_NAMES, PLANS, type PlanName } from '@voxscribe/contracts/plans'
import { z } from 'zod'
import { monthAround } from './months.ts'

/** Seconds reserved for a note that is being transcribed. */
const Reservation = z.object({
  transcriptionId: z.string(),
  seconds: z.number(),
  /** The attempt that holds them: 1, then one more for each refresh. */
  attempt: z.number(),
  /** The number that they also count for; null for paid seconds and for an account without a number. */
  phone: z.string().nullable(),
})

/** Free seconds of this account that also count for a number, until the month ends. */
export const NumberUse = z.object({
  phone: z.string(),
  seconds: z.number(),
  until: z.date(),
})
export type NumberUse = z.infer<typeof NumberUse>

export const NoteMinutes = z.object({
  _id: z.string(),
  /** Charged once. `seconds`: without those returned. `phone`: the number that they also count for. */
  charged: z.object({ seconds: z.number(), phone: z.string().nullable() }).nullable(),
  /** The note was never this account's, so nothing more is reserved or charged for it. */
  isReturned: z.boolean(),
  /** The newest attempt that has ended; events of it and of earlier attempts are too late. */
  endedAttempt: z.number(),
  at: z.date(),
})
export type NoteMinutes = z.infer<typeof NoteMinutes>

export const newNote = (_id: string): NoteMinutes => ({
  _id,
  charged: null,
  isReturned: false,
  endedAttempt: 0,
  at: new Date(0),
})

/** The account's record of the paid plan. */
export const Subscription = z.object({
  id: z.string(),
  state: z.enum(['active', 'paused', 'canceling', 'ended']),
  /** A payment failed, and Stripe is retrying it. */
  paymentProblem: z.boolean(),
  /** End of the last period that was paid and whose minutes were granted. */
  grantedUntil: z.date(),
  /** In the currency's smallest unit. */
  price: z.number(),
  currency: z.string(),
  /** Stripe's billing interval of the price: `month`. */
  interval: z.string(),
})
export type Subscription = z.infer<typeof Subscription>

/** A purchase that was started and, as far as we know, hasn't ended. */
export const OpenCheckout = z.object({
  sessionId: z.string(),
  url: z.string(),
  expiresAt: z.date(),
})
export type OpenCheckout = z.infer<typeof OpenCheckout>

/** A user's minutes and plan. Written as a whole; `version` counts the writes. */
export const Account = z.object({
  userId: z.string(),
  version: z.number(),
  /** Created before the registration event arrived, which then sets the anchor. */
  provisional: z.boolean(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** E.164 digits in the spelling of `lineOf`, like all numbers here; null without a number. */
  phone: z.string().nullable(),
  phoneClaimedAt: z.date().nullable(),
  /** The newest proof that a number is the account's: a message from it with the account's link code. */
  proof: z.object({ phone: z.string(), at: z.date() }).nullable(),
  /** Auth's revision of the e-mail, name and number; -1 before the first. */
  contactRevision: z.number(),
  plan: z.enum(PLAN_NAMES),
  /** Free months are counted from here: from sign-up, or from the end of the last paid period. */
  anchor: z.date(),
  periodStart: z.date(),
  periodEnd: z.date(),
  /** Infinity: no limit. */
  totalSeconds: z.number(),
  usedSeconds: z.number(),
  reservations: z.array(Reservation),
  numberUses: z.array(NumberUse),
  /** Seconds of a free month here; Infinity without a limit. Set on reading, never stored. */
  freeSeconds: z.number(),
  /** Free seconds that other accounts used with this account's number. Set on reading, never stored. */
  elsewhereSeconds: z.number(),
  customerId: z.string().nullable(),
  /** A changed e-mail or name hasn't been sent to Stripe yet. */
  customerStale: z.boolean(),
  subscription: Subscription.nullable(),
  checkout: OpenCheckout.nullable(),
  /** Counts ended purchases, so that each new one has its own idempotency key at Stripe. */
  checkoutRound: z.number(),
  /** Counts applied responses of Stripe; one that was requested before the last is discarded. */
  stripeRevision: z.number(),
  /** Whether an operator blocks the account. Unset: it has never been blocked. */
  blocked: z.boolean().optional(),
  /** The subscription canceled because of the block; the end of the block undoes that. */
  canceledByBlock: z.string().nullish(),
  /** When to ask Stripe, in case a webhook was lost. */
  recheckAt: z.date().nullable(),
  recheckFailures: z.number(),
})
export type Account = z.infer<typeof Account>

/** The result of a rule: the account's next state, with the events and the note's minutes that belong to the step. */
export interface AccountStep {
  account: Account
  events: Envelope[]
  note?: NoteMinutes | undefined
}

/** A step without events or changes to a note's minutes. */
export const stateOnly = (account: Account): AccountStep => ({ account, events: [] })

/** Seconds of a plan's period; for a free plan, the default, which the installation may override. */
export const secondsOf = (plan: PlanName): number => PLANS[plan].minutes * 60

/** Rounds to the millisecond, so that sums of any length stay exact. */
export const exact = (seconds: number): number => Math.round(seconds * 1000) / 1000

export const reservedSeconds = (account: Account): number =>
  exact(account.reservations.reduce((sum, { seconds }) => sum + seconds, 0))

/** Seconds that count as used. Free minutes belong to both account and number; the one that has used more counts. */
export function countedSeconds(account: Account): number {
  if (account.plan !== 'free') return account.usedSeconds
  const ofNumber = account.numberUses
    .filter(({ phone, until }) => phone === account.phone && until.getTime() === account.periodEnd.getTime())
    .reduce((sum, { seconds }) => sum + seconds, account.elsewhereSeconds)
  return Math.min(account.totalSeconds, Math.max(account.usedSeconds, exact(ofNumber)))
}

/** Seconds that aren't used yet, including reserved ones. */
export const unusedSeconds = (account: Account): number =>
  Math.max(0, exact(account.totalSeconds - countedSeconds(account)))

/** Seconds available for a new note. */
export const remainingSeconds = (account: Account): number =>
  Math.max(0, exact(unusedSeconds(account) - reservedSeconds(account)))

/** Presents an amount of seconds or minutes: null without a limit. */
export const limited = (amount: number): number | null => (Number.isFinite(amount) ? amount : null)

/** The fields of the free plan, with the month around `at`, counted from `anchor`. */
export function freePlan({ freeSeconds }: Pick<Account, 'freeSeconds'>, anchor: Date, at: Date) {
  const { start, end } = monthAround(anchor, at)
  return { plan: 'free' as const, anchor, periodStart: start, periodEnd: end, totalSeconds: freeSeconds }
}

/** The account of a person whose registration event hasn't arrived yet. */
export const provisionalAccount = (userId: string, at: Date, freeSeconds: number): Account => ({
  userId,
  version: 0,
  provisional: true,
  email: null,
  name: null,
  phone: null,
  phoneClaimedAt: null,
  proof: null,
  contactRevision: -1,
  ...freePlan({ freeSeconds }, at, at),
  freeSeconds,
  usedSeconds: 0,
  reservations: [],
  numberUses: [],
  elsewhereSeconds: 0,
  customerId: null,
  customerStale: false,
  subscription: null,
  checkout: null,
  checkoutRound: 0,
  stripeRevision: 0,
  recheckAt: null,
  recheckFailures: 0,
})

type Contact = EventOf<'UserUpdated'>['data']

/** Adds a registration: contact data, and the start of the free months. Idempotent. */
export function register(
  account: Account,
  user: EventOf<'UserRegistered'>['data'],
  at: Date,
): AccountStep | null {
  if (!account.provisional) return null
  const anchor = new Date(user.registeredAt)
  const known = { ...account, ...newerContact(account, user, at), provisional: false }
  return stateOnly({ ...known, ...(account.plan === 'free' ? freePlan(account, anchor, at) : { anchor }) })
}

export const proveNumber = (account: Account, phone: string | null, at: Date): AccountStep | null =>
  phone && at > (account.proof?.at ?? NEVER)
    ? stateOnly({ ...account, proof: { phone: lineOf(phone), at } })
    : null

const NEVER = new Date(0)

/** Returns the number that a note's free seconds count for. A number that is only claimed doesn't count for uploads. */
export function numberToCount(account: Account, source: NoteSource): string | null {
  const { plan, phone, phoneClaimedAt, proof } = account
  if (plan !== 'free' || !phone) return null
  const isProved = proof?.phone === phone && proof.at >= (phoneClaimedAt ?? NEVER)
  return isProved || lineOf(messageOf(source)?.address ?? '') === phone ? phone : null
}

/** Applies a changed profile, unless the account has a newer revision. */
export function updateContact(account: Account, user: Contact, at: Date): AccountStep | null {
  const contact = newerContact(account, user, at)
  return contact && stateOnly({ ...account, ...contact })
}

function newerContact(account: Account, user: Contact, at: Date) {
  if (user.revision <= account.contactRevision) return null
  const { email, revision: contactRevision } = user
  const name = `${user.firstName} ${user.lastName}`.trim()
  const isStale = account.customerId !== null && (email !== account.email || name !== account.name)
  const phoneClaimedAt = new Date(user.phoneClaimedAt)
  const { blocked = false } = user
  const isBlockNew = account.subscription !== null && blocked !== (account.blocked ?? false)
  return {
    email,
    name,
    phone: user.phone && lineOf(user.phone),
    phoneClaimedAt,
    contactRevision,
    blocked,
    ...(isStale && { customerStale: true }),
    ...((isStale || isBlockNew) && { recheckAt: at }),
  }
}
