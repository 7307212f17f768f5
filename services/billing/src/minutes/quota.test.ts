import type { Envelope } from '@voxscribe/contracts/events'
import { must, mustEqual, schedules } from '@voxscribe/service/testing'
import fc from 'fast-check'
import { follow } from '../plan/subscription.ts'
import {
  noteCompleted,
  noteFailed,
  noteMeasured,
  noteOf,
  noteWithdrawn,
  profileChange,
} from '../testing/events.ts'
import { factsFrom } from '../testing/facts.ts'
import {
  type Account,
  type AccountStep,
  exact,
  type NoteMinutes,
  newNote,
  proveNumber,
  provisionalAccount,
  remainingSeconds,
  reservedSeconds,
  updateContact,
} from './account.ts'
import { giveBack, reserve, rollOver, secondsOfNumber, settle } from './quota.ts'

const START = new Date('2026-01-31T12:00:00Z')
const NEXT_MONTH = new Date('2026-02-28T12:00:00Z')
const DAY = 86_400_000
const USERS = ['ada', 'bob'] as const
type User = (typeof USERS)[number]
const NUMBERS = ['15550000001', '15550000002', null] as const

/** A note's event; by default of ada's first attempt at an upload. */
interface NoteEvent {
  what: 'measured' | 'completed' | 'failed' | 'withdrawn'
  note: number
  user?: User
  attempt?: number
  seconds?: number
  fromChat?: boolean
}
const told =
  (what: NoteEvent['what']) =>
  (note: number, seconds = 0, attempt = 1): NoteEvent => ({ what, note, seconds, attempt })
const [measured, completed] = [told('measured'), told('completed')]
const [failed, withdrawn] = [told('failed'), told('withdrawn')]

// The rules only look at an event's data; checking and signing each event would take longer than the rules.
const NOTES = Object.fromEntries(
  USERS.map(user => [user, [0, 1, 2, 3, 4, 5, 6].map(note => noteOf(user, note).transcriptionId)]),
)
const idOf = (note: number, user: User = 'ada') => NOTES[user]![note]!
const MEASURED = noteMeasured(noteOf('ada', 1), 1)
const COMPLETED = noteCompleted(noteOf('ada', 1), 1)
const FAILED = noteFailed(noteOf('ada', 1))
const WITHDRAWN = noteWithdrawn(noteOf('ada', 1))
const PROFILE = profileChange('ada', {})

/** Returns the event with changed data, for another note or account. */
const saying = <T extends Envelope>(event: T, data: Partial<T['data']>): T => ({
  ...event,
  data: { ...(event.data as object), ...(data as object) },
})

interface Use {
  user: User
  phone: string | null
  seconds: number
  until: Date
  /** Charged in the account's running period. */
  isCurrent: boolean
}
/** The default of an account. */
const FREE_SECONDS = 1800
const sum = (uses: { seconds: number }[]) => exact(uses.reduce((sum, { seconds }) => sum + seconds, 0))

/** Two accounts and their notes, changed only by the rules; `uses` is the model's count of what each note has used. */
function openBooks() {
  const accounts = Object.fromEntries(
    USERS.map((user, index) => [
      user,
      provisionalAccount(user, new Date(START.getTime() + index * 10 * DAY), FREE_SECONDS),
    ]),
  ) as Record<User, Account>
  const notes = new Map<string, NoteMinutes>()
  const uses = new Map<string, Use>()
  const proved: Partial<Record<User, string | null>> = {}
  let revision = 0
  function keep(user: User, account: Account) {
    const { plan, periodStart } = accounts[user]
    const isOver = account.plan !== plan || account.periodStart.getTime() !== periodStart.getTime()
    for (const use of uses.values()) if (isOver && use.user === user) use.isCurrent = false
    accounts[user] = account
  }
  function addsUp(user: User) {
    const { usedSeconds, totalSeconds, reservations } = accounts[user]
    must(usedSeconds >= 0 && usedSeconds <= totalSeconds, accounts[user])
    must(remainingSeconds(accounts[user]) >= 0, accounts[user])
    mustEqual(new Set(reservations.map(({ transcriptionId }) => transcriptionId)).size, reservations.length)
    mustEqual(sum([...uses.values()].filter(use => use.isCurrent && use.user === user)), usedSeconds)
  }
  const ofNumber = (phone: string) => {
    const now = [...uses.values()].filter(({ until }) => until > books.at)
    const held = Object.values(accounts).flatMap(({ reservations }) => reservations)
    return sum([...now, ...held].filter(use => use.phone === phone))
  }
  const books = {
    at: START,
    accounts,
    pass: (ms: number) => {
      books.at = new Date(books.at.getTime() + ms)
    },
    apply(
      user: User,
      rule: (current: Account, past: NoteMinutes) => AccountStep | null,
      id = '',
    ): AccountStep | null {
      const others = USERS.filter(other => other !== user).map(other => accounts[other])
      const elsewhereSeconds = secondsOfNumber(accounts[user].phone, others, books.at)
      const current = { ...accounts[user], elsewhereSeconds }
      keep(user, rollOver(current, books.at)?.account ?? current)
      const past = notes.get(id) ?? newNote(id)
      const until = accounts[user].periodEnd
      const step = rule(accounts[user], past)
      if (!step) return null
      keep(user, step.account)
      if (step.note) notes.set(id, step.note)
      const charged = step.note?.charged
      if (charged) {
        must(!past.charged || !!step.note?.isReturned, 'a note is charged twice', past, step.note)
        uses.set(id, { user, until, isCurrent: true, ...uses.get(id), ...charged })
      }
      addsUp(user)
      return step
    },
    /** Returns the last step. */
    take(...all: NoteEvent[]): AccountStep | null {
      const steps = all.map(({ what, note, user = 'ada', attempt = 1, seconds = 0, fromChat = false }) => {
        const transcriptionId = idOf(note, user)
        const { phone, reservations: before } = accounts[user]
        const source =
          fromChat && phone ? { ...MEASURED.data.source, address: phone } : { channel: 'web' as const }
        const data = { userId: user, transcriptionId, mediaId: transcriptionId, attempt, seconds, source }
        const step = books.apply(
          user,
          (account, past) => {
            if (what === 'measured') return reserve(account, past, saying(MEASURED, data), books.at)
            if (what === 'withdrawn') return giveBack(account, past, saying(WITHDRAWN, data), books.at)
            return settle(account, past, saying(what === 'failed' ? FAILED : COMPLETED, data), books.at)
          },
          transcriptionId,
        )
        const held = step?.account.reservations.find(mine => mine.transcriptionId === transcriptionId)
        if (!step || !held || what !== 'measured') return step
        // No note is accepted beyond the monthly limit of its account, or of its number across accounts.
        must(!phone || ofNumber(phone) <= FREE_SECONDS, step.account, uses)
        if (before.includes(held)) return step
        const { usedSeconds, totalSeconds } = step.account
        must(exact(usedSeconds + reservedSeconds(step.account)) <= totalSeconds, step.account)
        mustEqual(held.phone, fromChat || proved[user] === phone ? phone : null)
        return step
      })
      return steps.at(-1) ?? null
    },
    follow: (standing: 'live' | 'over', months = 0) =>
      books.apply('ada', account => follow(account, factsFrom(START, months, { standing }), books.at)),
    prove(user: User) {
      const { phone } = accounts[user]
      books.pass(1)
      books.apply(user, current => proveNumber(current, phone, books.at))
      proved[user] = phone
    },
    claim(user: User, phone: string | null) {
      const other = user === 'ada' ? 'bob' : 'ada'
      // Auth assigns a number to one account at a time.
      if (phone && accounts[other].phone === phone) books.claim(other, null)
      books.pass(1)
      proved[user] = null
      const phoneClaimedAt = books.at.toISOString()
      const { data } = saying(PROFILE, { userId: user, phone, phoneClaimedAt, revision: ++revision })
      books.apply(user, current => updateContact(current, data, books.at))
    },
  }
  return books
}

const ofNote = (what: NoteEvent['what'], user: fc.Arbitrary<User>) =>
  fc.record({
    what: fc.constant(what),
    user,
    note: fc.integer({ min: 1, max: 6 }),
    attempt: fc.constantFrom(1, 1, 2, 3),
    seconds: fc.integer({ min: 0, max: what === 'failed' ? 0 : 1_000_000 }).map(ms => ms / 1000),
    fromChat: fc.boolean(),
  })
const ofNotes = (user: fc.Arbitrary<User>) => [
  { weight: 4, arbitrary: ofNote('measured', user) },
  { weight: 3, arbitrary: ofNote('completed', user) },
  { weight: 2, arbitrary: ofNote('failed', user) },
]

describe('minutes', () => {
  test('when steps come in any order, then no balance is negative, no charge doubled or lost', () => {
    const happening = fc.oneof(
      ...ofNotes(fc.constant('ada')),
      fc.record({ days: fc.integer({ min: 1, max: 70 }) }),
      fc.record({ paid: fc.integer({ min: 0, max: 6 }) }),
      fc.constant({ over: true }),
    )
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), happenings => {
        const books = openBooks()
        for (const it of happenings) {
          if ('what' in it) books.take(it)
          else if ('days' in it) books.pass(it.days * DAY)
          else if ('paid' in it) books.follow('live', it.paid)
          else books.follow('over')
        }
      }),
      schedules(),
    )
  })

  test('when numbers move between accounts, then neither account nor number exceeds a free month', () => {
    const user = fc.constantFrom(...USERS)
    const happening = fc.oneof(
      ...ofNotes(user),
      { weight: 2, arbitrary: fc.record({ claimer: user, number: fc.constantFrom(...NUMBERS) }) },
      fc.record({ prover: user }),
      fc.record({ hours: fc.integer({ min: 1, max: 200 }) }),
    )
    fc.assert(
      fc.property(fc.array(happening, { minLength: 20, maxLength: 40, size: 'max' }), happenings => {
        const books = openBooks()
        books.pass(10 * DAY)
        for (const [index, user] of USERS.entries()) books.claim(user, NUMBERS[index]!)
        for (const it of happenings) {
          if ('what' in it) books.take(it)
          else if ('claimer' in it) books.claim(it.claimer, it.number)
          else if ('prover' in it) books.prove(it.prover)
          else books.pass(it.hours * 3_600_000)
        }
      }),
      schedules(),
    )
  })

  test('when events come late, twice and in any order, then each note is charged once, none held', () => {
    const attempts = fc.array(fc.constantFrom('failed', 'silent', 'completed'), {
      minLength: 1,
      maxLength: 3,
    })
    const life = fc.record({ attempts, isWithdrawn: fc.boolean(), seconds: fc.integer({ min: 1, max: 300 }) })
    const lives = fc.array(life, { minLength: 1, maxLength: 5 })
    const eventsOf = (
      { attempts, isWithdrawn, seconds }: typeof life extends fc.Arbitrary<infer T> ? T : never,
      note: number,
    ) => [
      ...attempts.flatMap((end, before) => [
        measured(note, seconds, before + 1),
        end === 'failed'
          ? failed(note, 0, before + 1)
          : completed(note, end === 'silent' ? 0 : seconds, before + 1),
      ]),
      ...(isWithdrawn ? [withdrawn(note)] : []),
    ]
    const story = lives.chain(lives => {
      const all = lives.flatMap((life, index) => eventsOf(life, index + 1))
      const shuffled = fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })
      return shuffled.map(events => ({ lives, events }))
    })
    fc.assert(
      fc.property(story, ({ lives, events }) => {
        const books = openBooks()
        books.take(...events)
        const { reservations, usedSeconds } = books.accounts.ada
        mustEqual(reservations, [])
        const due = lives.filter(life => !life.isWithdrawn && life.attempts.includes('completed'))
        mustEqual(usedSeconds, sum(due))
      }),
      schedules(0.3),
    )
  })

  test.each([
    ['an older one fails', [measured(1, 30, 1), measured(1, 30, 2), failed(1, 0, 1)]],
    ['an older one asks', [measured(1, 30, 2), measured(1, 30, 1)]],
  ])('when %s after a newer one, then the seconds stay with the newer one', (_when, events) => {
    const books = openBooks()
    expect(books.take(...events)).toBeNull()
    expect(books.accounts.ada.reservations).toMatchObject([
      { transcriptionId: idOf(1), seconds: 30, attempt: 2 },
    ])
  })

  test('when the month ends during a note, then the note is charged to the new month', () => {
    const books = openBooks()
    books.take(measured(1, 600), measured(2, 60), completed(2, 60))
    books.at = NEXT_MONTH
    books.take(completed(1, 600))
    expect(books.accounts.ada).toMatchObject({ periodStart: NEXT_MONTH, usedSeconds: 600 })
  })

  test('when a note of last month is withdrawn, then nothing of this month is returned', () => {
    const books = openBooks()
    books.take(measured(1, 600), completed(1, 600))
    books.at = NEXT_MONTH
    books.take(measured(2, 60), completed(2, 60), withdrawn(1))
    expect(books.accounts.ada.usedSeconds).toBe(60)
  })

  test('when a long note outlives the paid plan, then the free month pays no more than it has', () => {
    const books = openBooks()
    books.follow('live')
    books.take(measured(1, 3000))
    books.follow('over')
    books.take(completed(1, 3000))
    expect([books.accounts.ada.plan, books.accounts.ada.usedSeconds]).toEqual(['free', FREE_SECONDS])
  })

  test('when a note takes exactly the rest, then it is accepted; the next learns the reset day', () => {
    const books = openBooks()
    expect(books.take(measured(1, FREE_SECONDS))?.events[0]?.data).toMatchObject({ remainingSeconds: 0 })
    expect(books.take(measured(2, 0.001))?.events[0]).toMatchObject({
      type: 'quota-exceeded',
      data: { seconds: 0.001, remainingSeconds: 0, periodEnd: NEXT_MONTH.toISOString() },
    })
  })
})
