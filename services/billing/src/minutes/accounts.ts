import type { Envelope } from '@voxscribe/contracts/events'
import { createHold, createTurns, currentTrace, type Documents, insertOnce } from '@voxscribe/service'
import type { QueryFilter } from 'mongoose'
import {
  type Account,
  type LedgerEntry,
  provisionalAccount,
  remainingSeconds,
  type Step,
  unusedSeconds,
} from './account.ts'
import { type AccountDocument, accountSchema } from './account-document.ts'
import { MAX_ACCOUNTS } from './each-account.ts'
import type { Ledger } from './ledger.ts'
import { rollOver as nextMonth, secondsOfNumber } from './quota.ts'

/** Decides the next step from the current account; null: nothing changes. May be called several times. */
type Decide = (current: Account, past: LedgerEntry[], at: Date) => Step | null

export interface Changed {
  account: Account
  /** The step that was saved; null when nothing was to change. */
  step: Step | null
}

export type Accounts = ReturnType<typeof createAccounts>

/** Many notes of one person at once are normal: other replicas may write this many times in between. */
const TRIES = 40
const JITTER_MS = 25
/** How long a recheck by a process that died keeps others waiting. */
const RECHECK_LEASE_MS = 60_000

export function createAccounts(documents: Documents, ledger: Ledger, now: () => Date) {
  const accounts = documents.outboxModel('accounts', accountSchema())
  const rechecks = createHold(accounts, 'recheckLease', { lastsMs: RECHECK_LEASE_MS })
  const inTurn = createTurns()

  async function find(userId: string, at: Date) {
    const document = await accounts.findById(userId).lean<AccountDocument>()
    if (!document) return null
    const { account, waiting } = read(document)
    const elsewhereSeconds = await usedElsewhere(account, at)
    return { account: { ...account, elsewhereSeconds }, waiting }
  }

  /** Free seconds that the account's number has used, or holds, in accounts that it belonged to before. */
  async function usedElsewhere({ userId, plan, phone }: Account, at: Date): Promise<number> {
    if (plan !== 'free' || !phone) return 0
    const others = await accounts
      .find({ 'numberUses.phone': phone, _id: { $ne: userId } }, { numberUses: 1, reservations: 1 })
      .lean<Pick<AccountDocument, 'numberUses' | 'reservations'>[]>()
    return secondsOfNumber(phone, others, at)
  }

  /**
   * Applies a rule to the account in one conditional write, with its events and ledger entries; a month that is over
   * is rolled over first. `transcriptionId`: the rule gets that transcription's ledger entries.
   */
  function change(userId: string, decide: Decide, transcriptionId?: string): Promise<Changed> {
    return inTurn(userId, () => changeNow(userId, decide, transcriptionId))
  }

  async function changeNow(userId: string, decide: Decide, transcriptionId?: string): Promise<Changed> {
    for (let tried = 1; tried <= TRIES; tried++) {
      const at = now()
      const found = await find(userId, at)
      const { account, waiting } = found ?? { account: provisionalAccount(userId, at), waiting: [] }
      // The account is read before the ledger: an entry on its way from one to the other is seen at least once.
      const past = transcriptionId
        ? [
            ...waiting.filter(of => of.transcriptionId === transcriptionId),
            ...(await ledger.of(transcriptionId)),
          ]
        : []
      const rolled = nextMonth(account, at)
      const decided = decide(rolled?.account ?? account, past, at)
      if (!rolled && !decided) return { account, step: null }
      const next: Step = {
        account: { ...(decided ?? rolled ?? { account }).account, version: account.version + 1 },
        events: [...(rolled?.events ?? []), ...(decided?.events ?? [])].map(inThisTrace),
        entries: decided?.entries ?? [],
      }
      if (await save(next, found !== null)) return { account: next.account, step: decided }
      await new Promise(resolve => setTimeout(resolve, Math.random() * JITTER_MS))
    }
    throw new Error(`The account was changed by others ${TRIES} times in a row`)
  }

  async function save({ account, events, entries: made }: Step, exists: boolean): Promise<boolean> {
    const { userId, elsewhereSeconds: _, ...state } = account
    const balanceSeconds = { held: remainingSeconds(account), ended: unusedSeconds(account) }
    const entries = made.map(entry => ({
      ...entry,
      balanceSeconds: entry.kind === 'reserved' ? balanceSeconds.held : balanceSeconds.ended,
    }))
    if (!exists) return insertOnce(accounts, { _id: userId, ...state, ledger: entries, outbox: events })
    const saved = await accounts.updateOne(
      { _id: userId, version: account.version - 1 },
      {
        $set: state,
        ...(events.length || entries.length ? { $push: pushes(events, entries) } : {}),
      },
    )
    return saved.matchedCount === 1
  }

  async function usersWith(
    condition: QueryFilter<AccountDocument>,
    oldest: 'periodEnd' | 'recheckAt' | '_id',
  ): Promise<string[]> {
    const found = accounts
      .find(condition, { _id: 1 })
      .sort({ [oldest]: 1 })
      .limit(MAX_ACCOUNTS)
    return (await found.lean()).map(({ _id }) => String(_id))
  }

  /** Begins the next free month if the last one is over. */
  async function rollOver(userId: string): Promise<Account> {
    return (await change(userId, () => null)).account
  }

  return {
    change,
    rollOver,
    /** The current account: a month that is over is rolled over. Someone unknown has the free plan. */
    async current(userId: string): Promise<Account> {
      const at = now()
      const found = await find(userId, at)
      if (!found) return provisionalAccount(userId, at)
      return nextMonth(found.account, at) ? rollOver(userId) : found.account
    },
    async byCustomer(customerId: string): Promise<Account | null> {
      const document = await accounts.findOne({ customerId }).lean<AccountDocument>()
      return document ? read(document).account : null
    },
    /** Users whose free month is over, longest first. */
    monthOver: () => usersWith({ plan: 'free', periodEnd: { $lte: now() } }, 'periodEnd'),
    /** Users about whom Stripe should be asked by now, longest due first. */
    toRecheck: () => usersWith({ recheckAt: { $lte: now() } }, 'recheckAt'),
    /** Holds an account that Stripe should be asked about; null while another process does that, or has done it. */
    holdForRecheck: (userId: string) => rechecks.take(userId, { recheckAt: { $lte: now() } }),
    /** Users with entries that have yet to be moved into the ledger. */
    withEntries: () => usersWith({ 'ledger.id': { $gt: '' } }, '_id'),
    /** Moves an account's entries into the ledger. */
    async moveEntries(userId: string): Promise<void> {
      const full = await accounts.findOne({ _id: userId, 'ledger.id': { $gt: '' } }, { ledger: 1 }).lean()
      if (!full) return
      const { ledger: entries } = full as AccountDocument
      await ledger.add(userId, entries)
      // Past mongoose's middleware: no event waits here.
      const moved = { $pull: { ledger: { id: { $in: entries.map(({ id }) => id) } } } }
      await accounts.collection.updateOne({ _id: userId as never }, moved as never)
    },
  }
}

/** An event without a cause belongs to the current request: a webhook of Stripe, or a person's own. */
const inThisTrace = (event: Envelope): Envelope =>
  event.causeId ? event : { ...event, traceId: currentTrace() ?? event.traceId }

const pushes = (events: Envelope[], entries: LedgerEntry[]) => ({
  ...(events.length ? { outbox: { $each: events } } : {}),
  ...(entries.length ? { ledger: { $each: entries } } : {}),
})

function read({ _id, ledger, outbox: _outbox, recheckLease: _lease, ...state }: AccountDocument): {
  account: Account
  waiting: LedgerEntry[]
} {
  return { account: { ...state, userId: _id, elsewhereSeconds: 0 }, waiting: ledger }
}
