import type { EventOf } from '@voxscribe/contracts/events'
import { must, mustEqual, schedules } from '@voxscribe/service/testing'
import fc from 'fast-check'
import { follow } from '../plan/subscription.ts'
import { noteCompleted, noteFailed, noteMeasured, noteOf, noteWithdrawn } from '../testing/events.ts'
import { factsFrom } from '../testing/facts.ts'
import {
  type Account,
  FREE_SECONDS,
  type NoteMinutes,
  newNote,
  provisionalAccount,
  remainingSeconds,
  reservedSeconds,
  type Step,
} from './account.ts'
import { giveBack, reserve, rollOver, settle } from './quota.ts'

const START = new Date('2026-01-31T12:00:00Z')
const NEXT_MONTH = new Date('2026-02-28T12:00:00Z')
const DAY = 86_400_000
const notes = Array.from({ length: 6 }, (_, note) => noteOf('u', note))
const idOf = (note: number) => notes[note]!.transcriptionId

const measured = (note: number, seconds: number, attempt = 1) =>
  noteMeasured({ ...notes[note]!, attempt }, seconds)
const completed = (note: number, seconds: number, attempt = 1) =>
  noteCompleted({ ...notes[note]!, attempt }, seconds)
const failed = (note: number, attempt = 1) => noteFailed({ ...notes[note]!, attempt })
const withdrawn = (note: number) => noteWithdrawn(notes[note]!)
type NoteEvent = ReturnType<typeof measured | typeof completed | typeof failed | typeof withdrawn>

/** One account with its notes, moved by the rules alone. */
function openBook() {
  const book = {
    account: provisionalAccount('u', START),
    notes: new Map<string, NoteMinutes>(),
    now: START,
    /** Milliseconds charged in the current period, less what was returned. */
    usedMs: 0,
    apply(rule: (account: Account, past: NoteMinutes) => Step | null, id = ''): Step | null {
      const before = book.account
      const past = book.notes.get(id) ?? newNote(id)
      const step = rule(before, past)
      if (!step) return null
      book.account = step.account
      const periodOf = ({ plan, periodStart }: Account) => `${plan} ${periodStart.toISOString()}`
      if (periodOf(before) !== periodOf(book.account)) book.usedMs = 0
      if (!step.note) return step
      const addedMs = Math.round(((step.note.charged?.seconds ?? 0) - (past.charged?.seconds ?? 0)) * 1000)
      must(!past.charged || addedMs <= 0, 'a note is charged twice', past, step.note)
      book.usedMs += addedMs
      book.notes.set(id, step.note)
      return step
    },
    /** Returns the last step. */
    take(...events: NoteEvent[]): Step | null {
      const steps = events.map(event => {
        book.apply(account => rollOver(account, book.now))
        const id = 'mediaId' in event.data ? event.data.mediaId : event.data.transcriptionId
        return book.apply((account, past) => {
          if (event.type === 'media-normalised')
            return reserve(account, past, event as EventOf<'MediaNormalised'>, book.now)
          if (event.type === 'note-withdrawn')
            return giveBack(account, past, event as EventOf<'NoteWithdrawn'>, book.now)
          return settle(account, past, event as EventOf<'TranscriptionCompleted'>, book.now)
        }, id)
      })
      return steps.at(-1) ?? null
    },
    follow: (standing: 'live' | 'over', months = 0) =>
      book.apply(account => follow(account, factsFrom(START, months, { standing }), book.now)),
  }
  return book
}
type Book = ReturnType<typeof openBook>

function addsUp({ account, usedMs }: Book) {
  const { usedSeconds, totalSeconds, reservations } = account
  must(usedSeconds >= 0 && usedSeconds <= totalSeconds && remainingSeconds(account) >= 0, account)
  must(
    new Set(reservations.map(({ transcriptionId }) => transcriptionId)).size === reservations.length,
    account,
  )
  mustEqual(usedMs, Math.round(usedSeconds * 1000))
}

describe('minutes', () => {
  test('when steps come in any order, then no balance is negative, no charge doubled or lost', () => {
    const note = fc.integer({ min: 1, max: 5 })
    const attempt = fc.integer({ min: 1, max: 3 })
    const length = fc.integer({ min: 0, max: 1_200_000 }).map(ms => ms / 1000)
    const happening = fc.oneof(
      { weight: 4, arbitrary: fc.record({ what: fc.constant('measured' as const), note, attempt, length }) },
      { weight: 3, arbitrary: fc.record({ what: fc.constant('completed' as const), note, attempt, length }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant('failed' as const), note, attempt }) },
      fc.record({ what: fc.constant('time' as const), days: fc.integer({ min: 1, max: 70 }) }),
      fc.record({ what: fc.constant('paid' as const), months: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ what: fc.constant('ended' as const) }),
    )
    const happen = (book: Book, it: typeof happening extends fc.Arbitrary<infer T> ? T : never) => {
      if (it.what === 'measured') {
        const before = book.account
        const step = book.take(measured(it.note, it.length, it.attempt))
        const granted = book.account.reservations.some(
          mine => mine.transcriptionId === idOf(it.note) && !before.reservations.includes(mine),
        )
        if (step && granted) {
          const { account } = book
          must(account.usedSeconds + reservedSeconds(account) <= account.totalSeconds + 1e-6, account)
        }
      } else if (it.what === 'completed') book.take(completed(it.note, it.length, it.attempt))
      else if (it.what === 'failed') book.take(failed(it.note, it.attempt))
      else if (it.what === 'time') book.now = new Date(book.now.getTime() + it.days * DAY)
      else if (it.what === 'paid') book.follow('live', it.months)
      else book.follow('over')
    }
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), happenings => {
        const book = openBook()
        for (const it of happenings) {
          happen(book, it)
          addsUp(book)
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
          ? failed(note, before + 1)
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
        const book = openBook()
        for (const event of events) {
          book.take(event)
          addsUp(book)
        }
        mustEqual(book.account.reservations, [])
        const due = lives.filter(life => !life.isWithdrawn && life.attempts.includes('completed'))
        mustEqual(
          book.account.usedSeconds,
          due.reduce((sum, { seconds }) => sum + seconds, 0),
        )
      }),
      schedules(0.3),
    )
  })

  test.each([
    ['an older one fails', [measured(1, 30, 1), measured(1, 30, 2), failed(1, 1)]],
    ['an older one asks', [measured(1, 30, 2), measured(1, 30, 1)]],
  ])('when %s after a newer one, then the seconds stay with the newer one', (_when, events) => {
    const book = openBook()
    expect(book.take(...events)).toBeNull()
    expect(book.account.reservations).toMatchObject([{ transcriptionId: idOf(1), seconds: 30, attempt: 2 }])
  })

  test('when the month ends during a note, then the note is charged to the new month', () => {
    const book = openBook()
    book.take(measured(1, 600), measured(2, 60), completed(2, 60))
    book.now = NEXT_MONTH
    book.take(completed(1, 600))
    expect(book.account).toMatchObject({ periodStart: NEXT_MONTH, usedSeconds: 600 })
  })

  test('when a note of last month is withdrawn, then nothing of this month is returned', () => {
    const book = openBook()
    book.take(measured(1, 600), completed(1, 600))
    book.now = NEXT_MONTH
    book.take(measured(2, 60), completed(2, 60), withdrawn(1))
    expect(book.account.usedSeconds).toBe(60)
  })

  test('when a long note outlives the paid plan, then the free month pays no more than it has', () => {
    const book = openBook()
    book.follow('live')
    book.take(measured(1, 3000))
    book.follow('over')
    book.take(completed(1, 3000))
    expect([book.account.plan, book.account.usedSeconds]).toEqual(['free', FREE_SECONDS])
  })

  test('when a note takes exactly the rest, then it is accepted; the next learns the reset day', () => {
    const book = openBook()
    expect(book.take(measured(1, FREE_SECONDS))?.events[0]?.data).toMatchObject({ remainingSeconds: 0 })
    expect(book.take(measured(2, 0.001))?.events[0]).toMatchObject({
      type: 'quota-exceeded',
      data: { seconds: 0.001, remainingSeconds: 0, periodEnd: NEXT_MONTH.toISOString() },
    })
  })
})
