import {
  derivedId,
  type EventOf,
  QuotaExceeded,
  QuotaReserved,
  QuotaUpdated,
} from '@voxscribe/contracts/events'
import {
  type Account,
  countedSeconds,
  exact,
  freePlan,
  type LedgerEntry,
  type NewEntry,
  type NumberUse,
  numberToCount,
  type Reservation,
  remainingSeconds,
  type Step,
} from './account.ts'

/**
 * The rules of minutes. Seconds are reserved with the measured length, settled with what is charged and released
 * otherwise. A reservation that outlives its period is charged to the period that is current when it is settled,
 * never more than was reserved and never more than that period still has: the rest is free.
 * `past` is all ledger entries of the transcription in question.
 *
 * No reservation leaks. Each attempt ends with one event, TranscriptionCompleted or TranscriptionFailed, written together
 * with the note's state and retried until it is handled; the sweeper of transcription ends attempts that make no more
 * progress. An end that overtakes its attempt's request for minutes leaves an entry, by which the request is refused.
 */

const entry = (
  kind: LedgerEntry['kind'],
  of: Pick<Reservation, 'transcriptionId' | 'seconds' | 'attempt' | 'phone'>,
  at: Date,
): NewEntry => {
  const { transcriptionId, attempt, seconds, phone } = of
  // A note is charged once: a settled entry has no attempt in its id.
  const id = kind === 'settled' ? `${transcriptionId}:settled` : `${transcriptionId}:${attempt}:${kind}`
  return { id, kind, transcriptionId, attempt, seconds, phone, at }
}

const isSettled = (past: NewEntry[]) => past.some(({ kind }) => kind === 'settled')
/** The note was never this account's: nothing more is held or charged for it. */
const isReturned = (past: NewEntry[]) => past.some(({ kind }) => kind === 'returned')
/** The newest attempt that has ended: events of it, or of an earlier one, are too late. */
const endedAttempt = (past: NewEntry[]) =>
  past.reduce((newest, { kind, attempt }) => (kind === 'released' ? Math.max(newest, attempt) : newest), 0)
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
export const quotaData = (
  account: Account,
  cause: 'settled' | 'returned' | 'upgraded' | 'renewed' | 'rolled-over' | 'downgraded',
) => ({
  userId: account.userId,
  usedSeconds: countedSeconds(account),
  totalSeconds: account.totalSeconds,
  plan: account.plan,
  periodStart: account.periodStart.toISOString(),
  periodEnd: account.periodEnd.toISOString(),
  cause,
})

/** A free month that is over is followed by the one around `at`. Paid periods follow Stripe instead. */
export function rollOver(account: Account, at: Date): Step | null {
  if (account.plan !== 'free' || at < account.periodEnd) return null
  const numberUses = account.numberUses.filter(({ until }) => until > at)
  const next = { ...account, ...freePlan(account.anchor, at), usedSeconds: 0, numberUses }
  const id = derivedId(account.userId, 'rolled-over', next.periodStart.toISOString())
  return { account: next, events: [QuotaUpdated.create(quotaData(next, 'rolled-over'), { id })], entries: [] }
}

/**
 * Reserves a note's seconds, or publishes that they exceed what is left. A note that is already charged is transcribed
 * again for free.
 */
export function reserve(
  account: Account,
  past: NewEntry[],
  cause: EventOf<'MediaNormalised'>,
  at: Date,
): Step | null {
  const { transcriptionId, attempt, userId, source } = cause.data
  const seconds = exact(cause.data.seconds)
  const answer = { transcriptionId, userId, seconds, attempt }
  const reserved = (after: Account, entries: NewEntry[]): Step => ({
    account: after,
    events: [QuotaReserved.causedBy(cause, { ...answer, remainingSeconds: remainingSeconds(after) })],
    entries,
  })
  if (isReturned(past)) return null
  if (isSettled(past)) return reserved(account, [])
  const open = openFor(account, transcriptionId)
  if (open?.attempt === attempt) return reserved(account, [])
  if ((open?.attempt ?? 0) > attempt || endedAttempt(past) >= attempt) return null

  const freed = { ...account, reservations: without(account, transcriptionId) }
  const released = open ? [entry('released', open, at)] : []
  const left = remainingSeconds(freed)
  if (seconds > left) {
    const exceeded = { ...answer, remainingSeconds: left, periodEnd: account.periodEnd.toISOString() }
    return { account: freed, events: [QuotaExceeded.causedBy(cause, exceeded)], entries: released }
  }
  const phone = numberToCount(account, source)
  const reservation = { transcriptionId, seconds, attempt, phone }
  // Recorded with 0 seconds, so that the number's next account finds what is held for it here.
  const numberUses = withUse(account, phone, 0)
  return reserved({ ...freed, numberUses, reservations: [...freed.reservations, reservation] }, [
    ...released,
    entry('reserved', reservation, at),
  ])
}

/**
 * Charges a completed note once, whichever of its attempts is completed, in whatever order the events arrive. When
 * nothing is held for it (its request for minutes is still on its way, or a newer attempt has released them), it takes
 * what is left.
 */
export function settle(
  account: Account,
  past: NewEntry[],
  cause: EventOf<'TranscriptionCompleted' | 'TranscriptionFailed'>,
  at: Date,
): Step | null {
  const { transcriptionId, attempt, source } = cause.data
  const asked = exact(cause.data.seconds)
  if (asked === 0) return release(account, past, cause, at)
  if (isSettled(past) || isReturned(past)) return null
  const open = openFor(account, transcriptionId)
  const late = { transcriptionId, attempt, seconds: Math.min(asked, remainingSeconds(account)) }
  const held = open ?? { ...late, phone: numberToCount(account, source) }
  const unused = Math.max(0, exact(account.totalSeconds - account.usedSeconds))
  const charged = Math.min(asked, held.seconds, unused)
  const rest = exact(held.seconds - charged)
  const next = {
    ...account,
    reservations: without(account, transcriptionId),
    usedSeconds: exact(account.usedSeconds + charged),
    numberUses: account.plan === 'free' ? withUse(account, held.phone, charged) : account.numberUses,
  }
  return {
    account: next,
    events: [QuotaUpdated.causedBy(cause, quotaData(next, 'settled'))],
    entries: [
      // Its own id: an earlier reservation of this attempt may have been released.
      ...(open ? [] : [{ ...entry('reserved', held, at), id: `${transcriptionId}:late` }]),
      entry('settled', { ...held, seconds: charged }, at),
      ...(rest > 0 ? [entry('released', { ...held, seconds: rest }, at)] : []),
    ],
  }
}

/**
 * Releases what a failed note held. The end of an attempt that holds nothing is recorded with an entry of 0 seconds, in
 * case its request for minutes is still on its way.
 */
export function release(
  account: Account,
  past: NewEntry[],
  cause: EventOf<'TranscriptionFailed' | 'TranscriptionCompleted'>,
  at: Date,
): Step | null {
  const { transcriptionId, attempt } = cause.data
  const open = openFor(account, transcriptionId)
  if (open && open.attempt > attempt) return null
  const entries = open ? [entry('released', open, at)] : []
  const heldNothing = open?.attempt !== attempt && !isSettled(past) && endedAttempt(past) < attempt
  if (heldNothing) entries.push(entry('released', { transcriptionId, seconds: 0, attempt, phone: null }, at))
  if (!entries.length) return null
  return { account: { ...account, reservations: without(account, transcriptionId) }, events: [], entries }
}

/**
 * Returns what a withdrawn note was charged in the current period, and releases what it holds. Recorded even if that is
 * nothing: the note's other events may still be on their way.
 */
export function giveBack(
  account: Account,
  past: NewEntry[],
  cause: EventOf<'NoteWithdrawn'>,
  at: Date,
): Step | null {
  if (isReturned(past)) return null
  const { mediaId: transcriptionId } = cause.data
  const settled = past.find(({ kind }) => kind === 'settled')
  const charged = settled && settled.at >= account.periodStart ? settled.seconds : 0
  const seconds = Math.min(charged, account.usedSeconds)
  const open = openFor(account, transcriptionId)
  const next = {
    ...account,
    usedSeconds: exact(account.usedSeconds - seconds),
    numberUses: withUse(account, settled?.phone ?? null, -seconds),
    reservations: without(account, transcriptionId),
  }
  const attempt = settled?.attempt ?? open?.attempt ?? 1
  return {
    account: next,
    events: seconds > 0 ? [QuotaUpdated.causedBy(cause, quotaData(next, 'returned'))] : [],
    entries: [
      ...(open ? [entry('released', open, at)] : []),
      entry('returned', { transcriptionId, seconds, attempt, phone: null }, at),
    ],
  }
}
