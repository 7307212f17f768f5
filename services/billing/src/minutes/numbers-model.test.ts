import type { Envelope } from '@voxscribe/contracts/events'
import { must, mustEqual, schedules } from '@voxscribe/service/testing'
import fc from 'fast-check'
import { noteCompleted, noteFailed, noteMeasured, noteOf, profileChange } from '../testing/events.ts'
import {
  type Account,
  exact,
  FREE_SECONDS,
  type NoteMinutes,
  newNote,
  proveNumber,
  provisionalAccount,
  remainingSeconds,
  reservedSeconds,
  type Step,
  updateContact,
} from './account.ts'
import { release, reserve, rollOver, secondsOfNumber, settle } from './quota.ts'

const START = new Date('2026-01-31T12:00:00Z')
const DAY = 86_400_000
const USERS = ['ada', 'bob'] as const
const NUMBERS = ['15550000001', '15550000002', null] as const

interface Use {
  userId: string
  phone: string | null
  seconds: number
  until: Date
}

// Rules look at an event's data: to check and to sign each one takes longer than the rules themselves.
const NOTES = Object.fromEntries(
  USERS.map(user => [user, [1, 2, 3, 4, 5, 6].map(note => noteOf(user, note).transcriptionId)]),
)
const about = noteOf('ada', 1)
const MEASURED = noteMeasured(about, 1)
const COMPLETED = noteCompleted(about, 1)
const FAILED = noteFailed(about)
const PROFILE = profileChange('ada', {})
const UPLOAD = { channel: 'web' as const }

/** Returns the event as it comes for another note or account. */
const saying = <T extends Envelope>(event: T, data: Partial<T['data']>): T => ({
  ...event,
  data: { ...(event.data as object), ...(data as object) },
})

/** Two accounts and their ledgers, moved by the rules alone; `uses` is what the model says each number has used. */
function openBooks() {
  const accounts: Record<string, Account> = Object.fromEntries(
    USERS.map((userId, index) => [
      userId,
      {
        ...provisionalAccount(userId, new Date(START.getTime() + index * 10 * DAY)),
        provisional: false,
        phone: NUMBERS[index] ?? null,
      },
    ]),
  )
  const books = {
    at: new Date(START.getTime() + 10 * DAY),
    revision: 0,
    accounts,
    notes: new Map<string, NoteMinutes>(),
    uses: [] as Use[],
    proved: {} as Record<string, string | null>,
    apply(
      userId: string,
      rule: (current: Account, past: NoteMinutes) => Step | null,
      transcriptionId = '',
    ): Step | null {
      const stored = accounts[userId] as Account
      const others = Object.values(accounts).filter(other => other !== stored)
      const current = { ...stored, elsewhereSeconds: secondsOfNumber(stored.phone, others, books.at) }
      const rolled = rollOver(current, books.at)?.account ?? current
      accounts[userId] = rolled
      const past = books.notes.get(transcriptionId) ?? newNote(transcriptionId)
      const step = rule(rolled, past)
      if (!step) return null
      accounts[userId] = step.account
      if (step.note) books.notes.set(transcriptionId, step.note)
      if (step.note?.charged) {
        must(!past.charged, transcriptionId, 'is charged twice')
        books.uses.push({ userId, ...step.note.charged, until: rolled.periodEnd })
      }
      mustEqual(exact(books.ofAccount(userId)), step.account.usedSeconds)
      return step
    },
    usesNow: () => books.uses.filter(({ until }) => until > books.at),
    ofAccount: (userId: string) =>
      books.usesNow().reduce((sum, use) => sum + (use.userId === userId ? use.seconds : 0), 0),
    ofNumber: (phone: string) =>
      [...books.usesNow(), ...Object.values(accounts).flatMap(({ reservations }) => reservations)].reduce(
        (sum, use) => sum + (use.phone === phone ? use.seconds : 0),
        0,
      ),
  }
  return books
}

const user = fc.constantFrom(...USERS)
const ofNote = (...what: ('measured' | 'completed' | 'failed')[]) =>
  fc.record({
    what: fc.constantFrom(...what),
    user,
    note: fc.integer({ min: 1, max: 6 }),
    attempt: fc.constantFrom(1, 1, 1, 2),
    seconds: fc.integer({ min: 0, max: 900_000 }).map(ms => ms / 1000),
    fromChat: fc.boolean(),
  })
const happening = fc.oneof(
  { weight: 4, arbitrary: ofNote('measured') },
  { weight: 3, arbitrary: ofNote('completed', 'completed', 'failed') },
  { weight: 2, arbitrary: fc.record({ user, number: fc.constantFrom(...NUMBERS) }) },
  fc.record({ prover: user }),
  fc.record({ hours: fc.integer({ min: 1, max: 200 }) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never
type Books = ReturnType<typeof openBooks>

function happen(books: Books, it: Happening): void {
  if ('hours' in it) {
    books.at = new Date(books.at.getTime() + it.hours * 3_600_000)
  } else if ('prover' in it) {
    const { phone } = books.accounts[it.prover]!
    books.at = new Date(books.at.getTime() + 1)
    books.apply(it.prover, current => proveNumber(current, phone, books.at))
    if (phone) books.proved[it.prover] = phone
  } else if ('number' in it) {
    const other = it.user === 'ada' ? 'bob' : 'ada'
    // Auth lets one account have a number at a time.
    if (it.number && books.accounts[other]?.phone === it.number) take(books, other, null)
    take(books, it.user, it.number)
  } else {
    const transcriptionId = NOTES[it.user]![it.note - 1]!
    const { phone, reservations: before } = books.accounts[it.user]!
    const source = it.fromChat && phone ? { ...MEASURED.data.source, address: phone } : UPLOAD
    const counts = phone && (it.fromChat || books.proved[it.user] === phone) ? phone : null
    const about = { userId: it.user, transcriptionId, attempt: it.attempt, seconds: it.seconds, source }
    const step = books.apply(
      it.user,
      (current, past) => {
        if (it.what === 'measured') return reserve(current, past, saying(MEASURED, about), books.at)
        if (it.what === 'completed') return settle(current, past, saying(COMPLETED, about), books.at)
        return release(current, past, saying(FAILED, about), books.at)
      },
      transcriptionId,
    )
    const held = step?.account.reservations.find(mine => mine.transcriptionId === transcriptionId)
    if (!step || !held || it.what !== 'measured') return
    if (!before.includes(held)) mustEqual(held.phone, counts)
    isWithinLimits(books, step.account)
  }
}

function take(books: Books, userId: string, phone: string | null) {
  books.at = new Date(books.at.getTime() + 1)
  books.proved[userId] = null
  const phoneClaimedAt = books.at.toISOString()
  const { data } = saying(PROFILE, { userId, phone, phoneClaimedAt, revision: ++books.revision })
  books.apply(userId, current => updateContact(current, data, books.at))
}

/** No note is accepted beyond what its account, or its number in whichever accounts, may use in a month. */
function isWithinLimits(books: Books, account: Account) {
  must(account.usedSeconds + reservedSeconds(account) <= FREE_SECONDS + 1e-6, account)
  must(remainingSeconds(account) >= 0, account)
  must(!account.phone || books.ofNumber(account.phone) <= FREE_SECONDS + 1e-6, account, books.uses)
}

test('when numbers move between accounts, then neither account nor number exceeds a free month', () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 20, maxLength: 40, size: 'max' }), happenings => {
      const books = openBooks()
      for (const it of happenings) happen(books, it)
    }),
    schedules(),
  )
})
