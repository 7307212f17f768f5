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
 * The rules of minutes. Seconds are reserved with the measured length, settled with what is charged and released
 * otherwise. A reservation that outlives its period is charged to the period that is current when it is settled,
 * never more than was reserved and never more than that period still has: the rest is free.
 * `past` is the state of the note's minutes.
 *
 * No reservation leaks. Each attempt ends with one event, TranscriptionCompleted or TranscriptionFailed, written together
 * with the note's state and retried until it is handled; the sweeper of transcription ends attempts that make no more
 * progress. An end that overtakes its attempt's request for minutes is recorded, and the request is then refused.
 */

const openFor = (account: Account, transcriptionId: string) =>
  account.reservations.find(reservation => reservation.transcriptionId === transcriptionId)
const without = (account: Account, transcriptionId: string) =>
  account.reservations.filter(reservation => reservation.transcriptionId !== transcriptionId)

/** Free seconds that a number has used in the running month of each of these accounts, or holds in them. */
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

/** Adds free seconds to what the number has used in the running month; negative ones take them back. */
function withUse({ numberUses, periodEnd }: Account, phone: string | null, seconds: number): NumberUse[] {
  if (!phone) return numberUses
  const isSame = (use: NumberUse) => use.phone === phone && use.until.getTime() === periodEnd.getTime()
  const before = numberUses.find(isSame)?.seconds ?? 0
  const use = { phone, seconds: exact(Math.max(0, before + seconds)), until: periodEnd }
  return [...numberUses.filter(other => !isSame(other)), use]
}

/** The minutes of an account, as they are published. */
export const quotaData = (account: Account) => ({
  userId: account.userId,
  usedSeconds: countedSeconds(account),
  totalSeconds: account.totalSeconds,
  plan: account.plan,
  periodStart: account.periodStart.toISOString(),
  periodEnd: account.periodEnd.toISOString(),
})

/** The event about an account's minutes; none where they have no limit. */
export const quotaNews = (
  account: Account,
  eventOf: (data: ReturnType<typeof quotaData>) => Envelope,
): Envelope[] => (limited(account.totalSeconds) === null ? [] : [eventOf(quotaData(account))])

/** A free month that is over is followed by the one around `at`. Paid periods follow Stripe instead. */
export function rollOver(account: Account, at: Date): AccountStep | null {
  if (account.plan !== 'free' || at < account.periodEnd) return null
  const numberUses = account.numberUses.filter(({ until }) => until > at)
  const next = { ...account, ...freePlan(account, account.anchor, at), usedSeconds: 0, numberUses }
  const id = derivedId(account.userId, 'rolled-over', next.periodStart.toISOString())
  return { account: next, events: quotaNews(next, data => QuotaUpdated.create(data, { id })) }
}

/** Reserves a note's seconds, or publishes that they exceed what is left. A charged note is free to repeat. */
export function reserve(
  account: Account,
  past: NoteMinutes,
  cause: EventOf<'MediaNormalised'>,
  at: Date,
): AccountStep | null {
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
  // Recorded with 0 seconds, so that the number's next account finds what is held for it here.
  const numberUses = withUse(account, phone, 0)
  return reserved(
    { ...freed, numberUses, reservations: [...freed.reservations, reservation] },
    { ...past, at },
  )
}

/** The account once a note no longer holds minutes, and these seconds of it are used. */
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

/** The account as it is once a note that is done has been charged this much, which may be so already. */
export function asSettled(account: Account, transcriptionId: string, asked: number): Account {
  const open = openFor(account, transcriptionId)
  return open ? charged(account, transcriptionId, Math.min(asked, open.seconds), open.phone) : account
}

/**
 * Charges a completed note once, whichever of its attempts is completed, in whatever order the events arrive. When
 * nothing is held for it (its request for minutes is still on its way, or a newer attempt has released them), it takes
 * what is left.
 */
export function settle(
  account: Account,
  past: NoteMinutes,
  cause: EventOf<'TranscriptionCompleted' | 'TranscriptionFailed'>,
  at: Date,
): AccountStep | null {
  const { transcriptionId, source } = cause.data
  const asked = exact(cause.data.seconds)
  if (asked === 0) return release(account, past, cause, at)
  if (past.charged || past.isReturned) return null
  const { seconds: held, phone } = openFor(account, transcriptionId) ?? {
    seconds: remainingSeconds(account),
    phone: numberToCount(account, source),
  }
  const unused = Math.max(0, exact(account.totalSeconds - account.usedSeconds))
  const seconds = Math.min(asked, held, unused)
  const next = charged(account, transcriptionId, seconds, phone)
  const data = quotaData(next)
  return {
    account: next,
    // Until then nobody has a use for it, and each note would pay for it.
    events: percentPassed(data.usedSeconds, data.totalSeconds) ? [QuotaUpdated.causedBy(cause, data)] : [],
    note: { ...past, charged: { seconds, phone }, at },
  }
}

/** Releases what a failed note held. Recorded even if that is nothing: its request for minutes may be on its way. */
function release(
  account: Account,
  past: NoteMinutes,
  cause: EventOf<'TranscriptionFailed' | 'TranscriptionCompleted'>,
  at: Date,
): AccountStep | null {
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

/** Returns what a withdrawn note was charged in this period. Recorded even if that is nothing: other events may come. */
export function giveBack(
  account: Account,
  past: NoteMinutes,
  cause: EventOf<'NoteWithdrawn'>,
  at: Date,
): AccountStep | null {
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
    events: seconds > 0 ? quotaNews(next, data => QuotaUpdated.causedBy(cause, data)) : [],
    note: { ...past, charged: rest, isReturned: true, at },
  }
}
