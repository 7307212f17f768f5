import {
  derivedId,
  type EventOf,
  QuotaExceeded,
  QuotaReserved,
  QuotaUpdated,
} from '@voxscribe/contracts/events'
import {
  type Account,
  exact,
  freePlan,
  type LedgerEntry,
  type Reservation,
  remainingSeconds,
  type Step,
} from './account.ts'

/**
 * The rules of minutes. Seconds are reserved with the measured length, settled with what is charged and released
 * otherwise. A reservation that outlives its period is charged to the period that is current when it is settled,
 * never more than was reserved and never more than that period still has: what does not fit is given away.
 * `past` is all ledger entries of the transcription in question.
 */

const entry = (
  kind: LedgerEntry['kind'],
  { transcriptionId, seconds, attempt }: Reservation,
  at: Date,
): LedgerEntry => ({
  // A medium is charged once: a settled entry has no attempt in its id.
  id: kind === 'settled' ? `${transcriptionId}:settled` : `${transcriptionId}:${attempt}:${kind}`,
  kind,
  transcriptionId,
  attempt,
  seconds,
  at,
})

const isSettled = (past: LedgerEntry[]) => past.some(({ kind }) => kind === 'settled')
/** The note was never this account's: nothing more is held or charged for it. */
const isReturned = (past: LedgerEntry[]) => past.some(({ kind }) => kind === 'returned')
/** The newest attempt that has ended: news of it, or of an earlier one, comes too late. */
const endedAttempt = (past: LedgerEntry[]) =>
  past.reduce((newest, { kind, attempt }) => (kind === 'released' ? Math.max(newest, attempt) : newest), 0)
const openFor = (account: Account, transcriptionId: string) =>
  account.reservations.find(reservation => reservation.transcriptionId === transcriptionId)
const without = (account: Account, transcriptionId: string) =>
  account.reservations.filter(reservation => reservation.transcriptionId !== transcriptionId)

/** What the other services hear about the minutes of an account. */
export const quotaData = (
  account: Account,
  cause: 'settled' | 'returned' | 'upgraded' | 'renewed' | 'rolled-over' | 'downgraded',
) => ({
  userId: account.userId,
  usedSeconds: account.usedSeconds,
  totalSeconds: account.totalSeconds,
  plan: account.plan,
  periodStart: account.periodStart.toISOString(),
  periodEnd: account.periodEnd.toISOString(),
  cause,
})

/** A free month that is over is followed by the one around `now`. Paid periods follow Stripe instead. */
export function rollOver(account: Account, now: Date): Step | null {
  if (account.plan !== 'free' || now < account.periodEnd) return null
  const next = { ...account, ...freePlan(account.anchor, now), usedSeconds: 0 }
  const id = derivedId(account.userId, 'rolled-over', next.periodStart.toISOString())
  return { account: next, events: [QuotaUpdated.create(quotaData(next, 'rolled-over'), { id })], entries: [] }
}

/**
 * Holds a note's seconds, or says that they exceed what is left. A medium that is charged already is free to be
 * transcribed again.
 */
export function reserve(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'MediaNormalised'>,
  now: Date,
): Step | null {
  const { transcriptionId, attempt, userId } = cause.data
  const seconds = exact(cause.data.seconds)
  const answer = { transcriptionId, userId, seconds, attempt }
  const reserved = (after: Account, entries: LedgerEntry[]): Step => ({
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
  const released = open ? [entry('released', open, now)] : []
  const left = remainingSeconds(freed)
  if (seconds > left) {
    const exceeded = { ...answer, remainingSeconds: left, periodEnd: account.periodEnd.toISOString() }
    return { account: freed, events: [QuotaExceeded.causedBy(cause, exceeded)], entries: released }
  }
  const reservation = { transcriptionId, seconds, attempt }
  return reserved({ ...freed, reservations: [...freed.reservations, reservation] }, [
    ...released,
    entry('reserved', reservation, now),
  ])
}

/** Charges what a note took. Without a reservation it is a repeat: nothing is charged. */
export function settle(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'TranscriptionCompleted' | 'ReservationResolved'>,
  now: Date,
): Step | null {
  const open = openFor(account, cause.data.transcriptionId)
  if (!open) return null
  const reservations = without(account, open.transcriptionId)
  const asked = isSettled(past) ? 0 : exact(cause.data.seconds)
  if (asked === 0)
    return { account: { ...account, reservations }, events: [], entries: [entry('released', open, now)] }

  const unused = Math.max(0, exact(account.totalSeconds - account.usedSeconds))
  const charged = Math.min(asked, open.seconds, unused)
  const rest = exact(open.seconds - charged)
  const next = { ...account, reservations, usedSeconds: exact(account.usedSeconds + charged) }
  return {
    account: next,
    events: [QuotaUpdated.causedBy(cause, quotaData(next, 'settled'))],
    entries: [
      entry('settled', { ...open, seconds: charged }, now),
      ...(rest > 0 ? [entry('released', { ...open, seconds: rest }, now)] : []),
    ],
  }
}

/**
 * Gives back what a failed note held. News of an attempt that holds nothing is remembered with an entry of 0
 * seconds, for the case that its reservation is still on its way.
 */
export function release(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'TranscriptionFailed' | 'ReservationResolved'>,
  now: Date,
): Step | null {
  const { transcriptionId, attempt } = cause.data
  const open = openFor(account, transcriptionId)
  if (open && open.attempt > attempt) return null
  const entries = open ? [entry('released', open, now)] : []
  const heldNothing = open?.attempt !== attempt && !isSettled(past) && endedAttempt(past) < attempt
  if (heldNothing) entries.push(entry('released', { transcriptionId, seconds: 0, attempt }, now))
  if (!entries.length) return null
  return { account: { ...account, reservations: without(account, transcriptionId) }, events: [], entries }
}

/** Settles or releases a reservation whose attempt is over: its completion or its failure has never reached us. */
export function resolve(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'ReservationResolved'>,
  now: Date,
): Step | null {
  const { transcriptionId, attempt, seconds } = cause.data
  if (openFor(account, transcriptionId)?.attempt !== attempt) return null
  return seconds ? settle(account, past, cause, now) : release(account, past, cause, now)
}

/**
 * Gives back what a note took that turned out to be someone else's, as far as it was charged to the current period,
 * and what it holds. Remembered also when it is nothing: the note's other news may still be on their way.
 */
export function giveBack(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'NoteWithdrawn'>,
  now: Date,
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
    reservations: without(account, transcriptionId),
  }
  const attempt = settled?.attempt ?? open?.attempt ?? 1
  return {
    account: next,
    events: seconds > 0 ? [QuotaUpdated.causedBy(cause, quotaData(next, 'returned'))] : [],
    entries: [
      ...(open ? [entry('released', open, now)] : []),
      entry('returned', { transcriptionId, seconds, attempt }, now),
    ],
  }
}
