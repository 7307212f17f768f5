import {
  derivedId,
  type EventOf,
  QuotaExceeded,
  QuotaReserved,
  QuotaUpdated,
  ReservationQuestioned,
} from '@voxscribe/contracts/events'
import {
  type Account,
  countedSeconds,
  exact,
  freePlan,
  type LedgerEntry,
  type NumberUse,
  type Reservation,
  remainingSeconds,
  type Step,
  stateOnly,
} from './account.ts'

/**
 * The rules of minutes. Seconds are reserved with the measured length, settled with what is charged and released
 * otherwise. A reservation that outlives its period is charged to the period that is current when it is settled,
 * never more than was reserved and never more than that period still has: what does not fit is given away.
 * `past` is all ledger entries of the transcription in question.
 */

const entry = (
  kind: LedgerEntry['kind'],
  { transcriptionId, seconds, attempt }: Pick<Reservation, 'transcriptionId' | 'seconds' | 'attempt'>,
  at: Date,
): LedgerEntry => ({
  // A note is charged once: a settled entry has no attempt in its id.
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

/** Adds free seconds to what the number has used in the running month. */
function withUse({ numberUses, periodEnd }: Account, phone: string | null, seconds: number): NumberUse[] {
  if (!phone) return numberUses
  const isSame = (use: NumberUse) => use.phone === phone && use.until.getTime() === periodEnd.getTime()
  const before = numberUses.find(isSame)?.seconds ?? 0
  const use = { phone, seconds: exact(before + seconds), until: periodEnd }
  return [...numberUses.filter(other => !isSame(other)), use]
}

/** Takes seconds back from what numbers have used in the running month, newest first. */
function withoutUse({ numberUses, periodEnd }: Account, seconds: number): NumberUse[] {
  let left = seconds
  return numberUses.toReversed().map(use => {
    const back = use.until.getTime() === periodEnd.getTime() ? Math.min(left, use.seconds) : 0
    left = exact(left - back)
    return { ...use, seconds: exact(use.seconds - back) }
  })
}

/** The minutes of an account, as the other services hear of them. */
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
 * Holds a note's seconds, or says that they exceed what is left. A note that is charged already is free to be
 * transcribed again. `holdMs`: after this long transcription is asked what became of it.
 */
export function reserve(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'MediaNormalised'>,
  at: Date,
  holdMs: number,
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
  const released = open ? [entry('released', open, at)] : []
  const left = remainingSeconds(freed)
  if (seconds > left) {
    const exceeded = { ...answer, remainingSeconds: left, periodEnd: account.periodEnd.toISOString() }
    return { account: freed, events: [QuotaExceeded.causedBy(cause, exceeded)], entries: released }
  }
  const phone = account.plan === 'free' ? account.phone : null
  const askAt = new Date(at.getTime() + holdMs)
  const reservation = { transcriptionId, seconds, attempt, phone, askAt }
  // Recorded with 0 seconds, so that the number's next account finds what is held for it here.
  const numberUses = withUse(account, phone, 0)
  return reserved({ ...freed, numberUses, reservations: [...freed.reservations, reservation] }, [
    ...released,
    entry('reserved', reservation, at),
  ])
}

/** Charges what a note took. Without a reservation it is a repeat, or was charged before: nothing is charged. */
export function settle(
  account: Account,
  cause: EventOf<'TranscriptionCompleted' | 'ReservationResolved'>,
  at: Date,
): Step | null {
  const open = openFor(account, cause.data.transcriptionId)
  if (!open) return null
  const reservations = without(account, open.transcriptionId)
  const asked = exact(cause.data.seconds)
  if (asked === 0)
    return { account: { ...account, reservations }, events: [], entries: [entry('released', open, at)] }

  const unused = Math.max(0, exact(account.totalSeconds - account.usedSeconds))
  const charged = Math.min(asked, open.seconds, unused)
  const rest = exact(open.seconds - charged)
  const next = {
    ...account,
    reservations,
    usedSeconds: exact(account.usedSeconds + charged),
    numberUses: account.plan === 'free' ? withUse(account, open.phone, charged) : account.numberUses,
  }
  return {
    account: next,
    events: [QuotaUpdated.causedBy(cause, quotaData(next, 'settled'))],
    entries: [
      entry('settled', { ...open, seconds: charged }, at),
      ...(rest > 0 ? [entry('released', { ...open, seconds: rest }, at)] : []),
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
  at: Date,
): Step | null {
  const { transcriptionId, attempt } = cause.data
  const open = openFor(account, transcriptionId)
  if (open && open.attempt > attempt) return null
  const entries = open ? [entry('released', open, at)] : []
  const heldNothing = open?.attempt !== attempt && !isSettled(past) && endedAttempt(past) < attempt
  if (heldNothing) entries.push(entry('released', { transcriptionId, seconds: 0, attempt }, at))
  if (!entries.length) return null
  return { account: { ...account, reservations: without(account, transcriptionId) }, events: [], entries }
}

/** After a question without an answer: the attempt is alive, or the answer was lost. */
const ASK_AGAIN_MS = 30 * 60_000

/** Asks transcription about reservations that are held for longer than an attempt can last. */
export function question(account: Account, at: Date): Step | null {
  const due = account.reservations.filter(({ askAt }) => askAt <= at)
  if (!due.length) return null
  const askAt = new Date(at.getTime() + ASK_AGAIN_MS)
  return {
    account: {
      ...account,
      reservations: account.reservations.map(open => (due.includes(open) ? { ...open, askAt } : open)),
    },
    // Each question has its own id: the answer to an earlier one may have been lost.
    events: due.map(({ transcriptionId, attempt, askAt: dueAt }) =>
      ReservationQuestioned.create(
        { transcriptionId, userId: account.userId, attempt },
        { id: derivedId(transcriptionId, 'questioned', String(attempt), dueAt.toISOString()) },
      ),
    ),
    entries: [],
  }
}

/** The attempt's end was reported but could not be processed: transcription is asked soon instead of much later. */
export function questionSoon(account: Account, transcriptionId: string, at: Date): Step | null {
  if (!openFor(account, transcriptionId)) return null
  const sooner = (open: Reservation) =>
    open.transcriptionId === transcriptionId ? { ...open, askAt: at } : open
  return stateOnly({ ...account, reservations: account.reservations.map(sooner) })
}

/** Settles or releases a reservation whose attempt is over: its completion or its failure has never reached us. */
export function resolve(
  account: Account,
  past: LedgerEntry[],
  cause: EventOf<'ReservationResolved'>,
  at: Date,
): Step | null {
  const { transcriptionId, attempt, seconds } = cause.data
  if (openFor(account, transcriptionId)?.attempt !== attempt) return null
  return seconds ? settle(account, cause, at) : release(account, past, cause, at)
}

/**
 * Gives back what a note took that turned out to be someone else's, as far as it was charged to the current period,
 * and what it holds. Remembered also when it is nothing: the note's other news may still be on their way.
 */
export function giveBack(
  account: Account,
  past: LedgerEntry[],
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
    numberUses: withoutUse(account, seconds),
    reservations: without(account, transcriptionId),
  }
  const attempt = settled?.attempt ?? open?.attempt ?? 1
  return {
    account: next,
    events: seconds > 0 ? [QuotaUpdated.causedBy(cause, quotaData(next, 'returned'))] : [],
    entries: [
      ...(open ? [entry('released', open, at)] : []),
      entry('returned', { transcriptionId, seconds, attempt }, at),
    ],
  }
}
