import { setTimeout as wait } from 'node:timers/promises'
import { derivedId, type Envelope } from '@voxscribe/contracts/events'
import {
  createOneByOne,
  currentTrace,
  type Documents,
  insertOnce,
  keepNewest,
  schemaOf,
  type WithOutbox,
} from '@voxscribe/service'
import type { QueryFilter } from 'mongoose'
import { z } from 'zod'
import { type Page, pageOf } from '../paging.ts'
import {
  Account,
  type AccountStep,
  limited,
  NoteMinutes,
  newNote,
  provisionalAccount,
  remainingSeconds,
  secondsOf,
  unusedSeconds,
} from './account.ts'
import { rollOver as nextMonth, secondsOfNumber } from './quota.ts'

/** A note's line in the ledger: its reserved or charged seconds, and the account's balance after that step. */
export const LedgerLine = NoteMinutes.extend({
  userId: z.string(),
  /** Seconds reserved while the note is in progress. */
  heldSeconds: z.number(),
  /** Unused seconds once the note has ended; while it is in progress, unreserved ones. Null without a limit. */
  balanceSeconds: z.number().nullable(),
  /** The account's version after the step; an older line never overwrites a newer one. */
  version: z.number(),
})
export type LedgerLine = z.infer<typeof LedgerLine>

const Stored = Account.omit({ userId: true, elsewhereSeconds: true, freeSeconds: true }).extend({
  _id: Account.shape.userId,
  /** Null: no limit. */
  totalSeconds: Account.shape.totalSeconds.nullable(),
  /**
   * The newest step's line, in one write with the state that it explains. The next note's step moves it to the ledger.
   */
  line: LedgerLine.nullable(),
  /** When to delete what erasure leaves: the use of the account's numbers, under hashes of them. */
  forgetAt: z.date().optional(),
})
type Stored = z.infer<typeof Stored>

/** One per connection, because the outbox is added to it. */
const accountSchema = () =>
  schemaOf(Stored)
    .index({ plan: 1, periodEnd: 1 })
    .index({ recheckAt: 1 }, { sparse: true })
    .index({ customerId: 1 }, { sparse: true })
    .index({ 'numberUses.phone': 1 }, { sparse: true })
    .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

const hashOf = (phone: string) => derivedId('number', phone)

/** Returns the next step for the current account; null: nothing changes. May be called several times. */
type Decide = (current: Account, past: NoteMinutes, at: Date) => AccountStep | null

export interface Changed {
  account: Account
  /** The saved step; null if there was nothing to change. */
  step: AccountStep | null
}

export type Accounts = ReturnType<typeof createAccounts>

interface Found {
  account: Account
  line: LedgerLine | null
  isNew: boolean
}

/** A person may send many notes at once: other replicas may write this many times in between. */
const TRIES = 40
const JITTER_MS = 25
/** Accounts per run of a job; the next run continues. */
const MAX_ACCOUNTS = 10_000

/** `freeMinutes`: per month; null without a limit. */
export function createAccounts(
  documents: Documents,
  ledger: Ledger,
  now: () => Date,
  freeMinutes: number | null,
) {
  const freeSeconds = (freeMinutes ?? Number.POSITIVE_INFINITY) * 60
  const accounts = documents.outboxModel('accounts', accountSchema(), {
    owner: null,
    because: 'names the customer at Stripe, who goes first; what its numbers have used stays for the month',
  })
  const inTurn = createOneByOne()

  /** Returns the accounts in which a number has used free minutes. */
  const ofNumber = (phone: string) =>
    accounts.find({ 'numberUses.phone': { $in: [phone, hashOf(phone)] } }).lean<Stored[]>()

  async function find(userId: string, at: Date): Promise<Found> {
    const document = await accounts.findById(userId).lean<Stored>()
    if (!document) return { account: provisionalAccount(userId, at, freeSeconds), line: null, isNew: true }
    const account = read(document, freeSeconds)
    const phone = account.plan === 'free' ? account.phone : null
    if (!phone) return { account, line: document.line, isNew: false }
    // Free seconds that the number has used or reserved in its earlier accounts.
    const others = (await ofNumber(phone)).filter(({ _id }) => _id !== userId)
    const elsewhereSeconds = secondsOfNumber(phone, others, at) + secondsOfNumber(hashOf(phone), others, at)
    return { account: { ...account, elsewhereSeconds }, line: document.line, isNew: false }
  }

  /**
   * Applies a rule to the account and the note's minutes in one conditional write, after beginning a month that is due.
   */
  function change(userId: string, decide: Decide, transcriptionId?: string): Promise<Changed> {
    return inTurn(userId, () => changeNow(userId, decide, transcriptionId))
  }

  async function changeNow(userId: string, decide: Decide, transcriptionId = ''): Promise<Changed> {
    for (let tried = 1; tried <= TRIES; tried++) {
      const at = now()
      const { account, line, isNew } = await find(userId, at)
      const known =
        line?._id === transcriptionId ? line : transcriptionId && (await ledger.line(transcriptionId))
      const rolled = nextMonth(account, at)
      const decided = decide(rolled?.account ?? account, known || newNote(transcriptionId), at)
      if (!rolled && !decided) return { account, step: null }
      const next: AccountStep = {
        account: { ...(decided ?? rolled ?? { account }).account, version: account.version + 1 },
        events: [...(rolled?.events ?? []), ...(decided?.events ?? [])].map(inThisTrace),
        note: decided?.note,
      }
      if (line && next.note && next.note._id !== line._id) await ledger.keep(line)
      if (await save(next, isNew)) return { account: next.account, step: decided }
      await wait(Math.random() * JITTER_MS)
    }
    throw new Error(`The account was changed by others ${TRIES} times in a row`)
  }

  async function save({ account, events, note }: AccountStep, isNew: boolean): Promise<boolean> {
    const { userId, elsewhereSeconds: _, freeSeconds: __, ...given } = account
    const state = { ...given, totalSeconds: limited(given.totalSeconds) }
    const line = note && lineOf(account, note)
    if (isNew) return insertOnce(accounts, { _id: userId, ...state, line: line ?? null, outbox: events })
    const saved = await accounts.updateOne(
      { _id: userId, version: account.version - 1 },
      {
        $set: { ...state, ...(line && { line }) },
        ...(events.length && { $push: { outbox: { $each: events } } }),
      },
    )
    return saved.matchedCount === 1
  }

  async function usersWith(
    due: 'periodEnd' | 'recheckAt',
    condition: QueryFilter<Stored>,
  ): Promise<string[]> {
    const found = accounts
      .find({ ...condition, [due]: { $lte: now() } }, { _id: 1 })
      .sort({ [due]: 1 })
      .limit(MAX_ACCOUNTS)
    return (await found.lean()).map(({ _id }) => _id)
  }

  return {
    change,
    /** Begins the next free month if the last one is over. */
    rollOver: (userId: string) => change(userId, () => null),
    /** Returns the current account, even if its month is over and the job hasn't begun the next one. */
    async current(userId: string): Promise<Account> {
      const at = now()
      const { account } = await find(userId, at)
      return nextMonth(account, at)?.account ?? account
    },
    async byCustomer(customerId: string): Promise<Account | null> {
      const document = await accounts.findOne({ customerId }).lean<Stored>()
      return document && read(document, freeSeconds)
    },
    stored: (userId: string) => accounts.findById(userId).lean<Stored>(),
    /** Deletes the account as it was read; hashes of its numbers keep their used free minutes until the month ends. */
    async erase({ _id, version, numberUses }: Stored): Promise<void> {
      const kept = numberUses.filter(({ seconds, until }) => seconds > 0 && until > now())
      if (kept.length) {
        const uses = kept.map(use => ({ ...use, phone: hashOf(use.phone) }))
        const forgetAt = new Date(Math.max(...kept.map(({ until }) => until.getTime())))
        const left = { numberUses: uses, reservations: [], forgetAt }
        await accounts.updateOne({ _id: derivedId('number-uses', _id) }, { $set: left }, { upsert: true })
      }
      const { deletedCount } = await accounts.deleteOne({ _id, version })
      if (!deletedCount) throw new Error('The account has just changed')
    },
    /** Returns the line of the newest step, which may not be in the ledger yet. */
    newestLine: async (userId: string): Promise<LedgerLine | null> =>
      (await accounts.findById(userId, { line: 1 }).lean<Stored>())?.line ?? null,
    /** Users whose free month is over, longest first. */
    monthOver: () => usersWith('periodEnd', { plan: 'free' }),
    /** Users whose recheck at Stripe is due, longest first. */
    toRecheck: () => usersWith('recheckAt', {}),
  }
}

/** An event without a cause belongs to the current request, from Stripe's webhook or from the person. */
const inThisTrace = (event: Envelope): Envelope =>
  event.causeId ? event : { ...event, traceId: currentTrace() ?? event.traceId }

function lineOf(account: Account, note: NoteMinutes): LedgerLine {
  const held = account.reservations.find(({ transcriptionId }) => transcriptionId === note._id)
  return {
    ...note,
    userId: account.userId,
    heldSeconds: held?.seconds ?? 0,
    balanceSeconds: limited(held ? remainingSeconds(account) : unusedSeconds(account)),
    version: account.version,
  }
}

/** Reads an account. A free plan has the installation's current minutes; without a limit there, no plan has one. */
const read = (
  { _id, line: _line, outbox: _outbox, totalSeconds, ...state }: Stored & Partial<WithOutbox>,
  freeSeconds: number,
): Account => ({
  ...state,
  userId: _id,
  totalSeconds:
    state.plan === 'free' ? freeSeconds : Math.max(totalSeconds ?? secondsOf(state.plan), freeSeconds),
  freeSeconds,
  elsewhereSeconds: 0,
})

/** Lines per response of the database. */
const READ_AT_ONCE = 1_000
const ledgerSchema = schemaOf(LedgerLine).index({ userId: 1, at: -1 })

export type Ledger = ReturnType<typeof createLedger>

/** Stores the lines of notes, after the write that created them. */
export function createLedger(documents: Documents) {
  const ledger = documents.model('ledger', ledgerSchema, { owner: 'userId' })
  return {
    keep: (line: LedgerLine) => keepNewest(ledger, 'version', line),
    line: (transcriptionId: string) => ledger.findById(transcriptionId).lean<LedgerLine>(),
    /** All lines of a person, newest first; `newest` as in `page`. */
    async *all(userId: string, newest: LedgerLine | null) {
      if (newest) yield newest
      const kept = ledger.find({ userId, _id: { $ne: newest?._id ?? '' } }).sort({ at: -1, _id: -1 })
      yield* kept.lean<LedgerLine[]>().cursor({ batchSize: READ_AT_ONCE }) as AsyncIterable<LedgerLine>
    },
    /** A page of a person's lines, newest first. `newest`: the newest line, which may be missing or outdated here. */
    page: (userId: string, page: Page, newest: LedgerLine | null) =>
      pageOf(ledger, { userId, _id: { $ne: newest?._id ?? '' } }, page, newest ? [newest] : []),
  }
}
