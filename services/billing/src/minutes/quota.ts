import {
  derivedId,
  type Envelope,
  type EventOf,
  QuotaExceeded,
  QuotaReserved,
  QuotaUpdated,
} from '@voxscribe/contracts/events'
import { percentPassed } from '@voxscribe/contracts/plans'
import {
  type Account,
  type AccountStep,
  countedSeconds,
  exact,
  freePlan,
  limited,
  type NoteMinutes,
  type NumberUse,
  numberToCount,
  remainingSeconds,
} from './account.ts'

/**
 * The rules of minutes. A note's measured seconds are reserved, then charged or released. A reservation that outlives
 * its period is charged to the period in which it is settled, but never more than was reserved, and never more than
 * that period has left: the rest is free. `past` is the state of the note's minutes.
 *
 * No reservation leaks. Each attempt ends with one event, TranscriptionCompleted or TranscriptionFailed, written
 * together with the note's state and retried until it is handled; transcription's sweeper ends attempts that make no
 * progress. An end that arrives before its attempt's request for minutes is recorded, and the request is then refused.
 */

export type Rule<Event> = (account: Account, past: NoteMinutes, cause: Event, at: Date) => AccountStep | null
export type AttemptEnd = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed'>

const openFor = (account: Account, transcriptionId: string) =>
  account.reservations.find(reservation => reservation.transcriptionId === transcriptionId)
const without = (account: Account, transcriptionId: string) =>
  account.reservations.filter(reservation => reservation.transcriptionId !== transcriptionId)

/** Free seconds that a number has used or reserved in the current month of each of these accounts. */
export function secondsOfNumber(
  phone: string | null,
  accounts: Pick<Account, 'numberUses' | 'reservations'>[],
  at: Date,
): number {
  const counted = accounts.flatMap(({ numberUses, reservations }) => [
    ...numberUses.filter(({ until }) => until > at),
    ...reservations,
  ])
  return phone ? exact(counted.reduce((sum, of) => sum + (of.phone === phone ? of.seconds : 0), 0)) : 0
}

/** Adds free seconds to a number's use in the current month; negative seconds take them back. */
function withUse({ numberUses, periodEnd }: Account, phone: string | null, seconds: number): NumberUse[] {
  if (!phone) return numberUses
  const isSame = (use: NumberUse) => use.phone === phone && use.until.getTime() === periodEnd.getTime()
  const before = numberUses.find(isSame)?.seconds ?? 0
  const use = { phone, seconds: exact(Math.max(0, before + seconds)), until: periodEnd }
  return [...numberUses.filter(other => !isSame(other)), use]
}

/** The account's minutes as published in events. */
export const quotaData = (account: Account) => ({
  userId: account.userId,
  usedSeconds: countedSeconds(account),
  totalSeconds: account.totalSeconds,
  plan: account.plan,
  periodStart: account.periodStart.toISOString(),
  periodEnd: account.periodEnd.toISOString(),
})

/** Returns the event about an account's minutes; [] without a limit. */
export const quotaEvents = (
  account: Account,
  eventOf: (data: ReturnType<typeof quotaData>) => Envelope,
): Envelope[] => (limited(account.totalSeconds) === null ? [] : [eventOf(quotaData(account))])

/** Begins the free month around `at` if the last one is over. Paid periods follow Stripe instead. */
export function rollOver(account: Account, at: Date): AccountStep | null {
  if (account.plan !== 'free' || at < account.periodEnd) return null
  const numberUses = account.numberUses.filter(({ until }) => until > at)
  const next = { ...account, ...freePlan(account, account.anchor, at), usedSeconds: 0, numberUses }
  const id = derivedId(account.userId, 'rolled-over', next.periodStart.toISOString())
  return { account: next, events: quotaEvents(next, data => QuotaUpdated.create(data, { id })) }
}

/** Reserves a note's seconds, or publishes that they exceed the balance. Repeating a charged note is free. */
export const reserve: Rule<EventOf<'MediaNormalised'>> = (account, past, cause, at) => {
  const { transcriptionId, attempt, userId, source } = cause.data
  const seconds = exact(cause.data.seconds)
  const answer = { transcriptionId, userId, seconds, attempt }
  const reserved = (after: Account, note?: NoteMinutes): AccountStep => ({
    account: after,
    events: [
      QuotaReserved.causedBy(cause, { ...answer, remainingSeconds: limited(remainingSeconds(after)) }),
    ],
    note,
  })
  if (past.isReturned) return null
  if (past.charged) return reserved(account)
  const open = openFor(account, transcriptionId)
  if (open?.attempt === attempt) return reserved(account)
  if ((open?.attempt ?? 0) > attempt || past.endedAttempt >= attempt) return null

  const freed = { ...account, reservations: without(account, transcriptionId) }
  const left = remainingSeconds(freed)
  if (seconds > left) {
    const exceeded = { ...answer, remainingSeconds: left, periodEnd: account.periodEnd.toISOString() }
    const note = open && { ...past, endedAttempt: open.attempt, at }
    return { account: freed, events: [QuotaExceeded.causedBy(cause, exceeded)], note }
  }
  const phone = numberToCount(account, source)
  const reservation = { transcriptionId, seconds, attempt, phone }
  // Recorded with 0 seconds, so that the number's next account finds the seconds reserved for it here.
  const numberUses = withUse(account, phone, 0)
  return reserved(
    { ...freed, numberUses, reservations: [...freed.reservations, reservation] },
    { ...past, at },
  )
}

/** Returns the account after a note's reservation is removed and these seconds are charged. */
const charged = (
  account: Account,
  transcriptionId: string,
  seconds: number,
  phone: string | null,
): Account => ({
  ...account,
  reservations: without(account, transcriptionId),
  usedSeconds: exact(account.usedSeconds + seconds),
  numberUses: account.plan === 'free' ? withUse(account, phone, seconds) : account.numberUses,
})

/** Returns the account as if a completed note were already charged with this many seconds, which it may be. */
export function asSettled(account: Account, transcriptionId: string, wanted: number): Account {
  const open = openFor(account, transcriptionId)
  return open ? charged(account, transcriptionId, Math.min(wanted, open.seconds), open.phone) : account
}

/**
 * Charges a completed note once, whichever of its attempts completes, and in whatever order the events arrive. Without
 * a reservation (the request for minutes is still in transit, or a newer attempt has released it), charges what is
 * left.
 */
export const settle: Rule<AttemptEnd> = (account, past, cause, at) => {
  const { transcriptionId, source } = cause.data
  const wanted = exact(cause.data.seconds)
  if (wanted === 0) return release(account, past, cause, at)
  if (past.charged || past.isReturned) return null
  const { seconds: held, phone } = openFor(account, transcriptionId) ?? {
    seconds: remainingSeconds(account),
    phone: numberToCount(account, source),
  }
  const unused = Math.max(0, exact(account.totalSeconds - account.usedSeconds))
  const seconds = Math.min(wanted, held, unused)
  const next = charged(account, transcriptionId, seconds, phone)
  const data = quotaData(next)
  return {
    account: next,
    // Below the first threshold nobody needs the event, so notes don't pay for publishing it.
    events: percentPassed(data.usedSeconds, data.totalSeconds) ? [QuotaUpdated.causedBy(cause, data)] : [],
    note: { ...past, charged: { seconds, phone }, at },
  }
}

/** Releases a failed note's reservation. Recorded even without one: its request for minutes may be in transit. */
const release: Rule<AttemptEnd> = (account, past, cause, at) => {
  const { transcriptionId, attempt } = cause.data
  const open = openFor(account, transcriptionId)
  const isLate = open ? open.attempt > attempt : past.charged || past.endedAttempt >= attempt
  if (isLate) return null
  return {
    account: { ...account, reservations: without(account, transcriptionId) },
    events: [],
    note: { ...past, endedAttempt: attempt, at },
  }
}

/** Returns what a withdrawn note was charged in this period. Recorded even if nothing was: other events may follow. */
export const giveBack: Rule<EventOf<'NoteWithdrawn'>> = (account, past, cause, at) => {
  if (past.isReturned) return null
  const { charged } = past
  const ofPeriod = charged && past.at >= account.periodStart ? charged.seconds : 0
  const seconds = Math.min(ofPeriod, account.usedSeconds)
  const next = {
    ...account,
    usedSeconds: exact(account.usedSeconds - seconds),
    numberUses: withUse(account, charged?.phone ?? null, -seconds),
    reservations: without(account, cause.data.mediaId),
  }
  const rest = charged && { ...charged, seconds: exact(charged.seconds - seconds) }
  return {
    account: next,
    events: seconds > 0 ? quotaEvents(next, data => QuotaUpdated.causedBy(cause, data)) : [],
    note: { ...past, charged: rest, isReturned: true, at },
  }
}
