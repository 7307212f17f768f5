import { derivedId, ReservationResolved } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { noteCompleted, noteMeasured } from '../testing/events.ts'
import { openShop, type Shop } from '../testing/shop.ts'

const HOUR = 3_600_000

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ QUEUE_TIMEOUT: '5h', NOTE_TIMEOUT: '1h' })
})
afterAll(() => shop?.close())
beforeEach(() => {
  shop.clock.ahead = 0
})

let notes = 0
async function held(minutes: number) {
  const userId = `waiting-${++notes}`
  const note = { userId, transcriptionId: derivedId(userId, 'note'), attempt: 1 }
  const measured = noteMeasured(note, minutes * 60)
  await shop.bus.publish(measured)
  await eventually(() => shop.bus.sent('QuotaReserved').some(({ causeId }) => causeId === measured.id))
  return note
}
const questionsAbout = (transcriptionId: string) =>
  shop.bus.sent('ReservationQuestioned').filter(({ data }) => data.transcriptionId === transcriptionId)
const becomes = (userId: string, used_minutes: number, remaining_minutes: number) =>
  eventually(async () => {
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes, remaining_minutes })
    return true
  })
/** Returns the questions about the note by that time; others’ questions have been sent by then as well. */
async function askedAfter(hours: number, { transcriptionId }: { transcriptionId: string }, count: number) {
  shop.clock.ahead = hours * HOUR
  await shop.run('question old reservations')
  await eventually(() => questionsAbout(transcriptionId).length >= count)
  return questionsAbout(transcriptionId)
}

test('when nothing was heard of a note for longer than it can take, then transcription is asked, again until it answers', async () => {
  const note = await held(12)
  expect(await askedAfter(5.9, note, 0)).toEqual([])
  expect((await askedAfter(6.1, note, 1)).map(({ data }) => data)).toEqual([note])
  await shop.run('question old reservations')
  const asked = await askedAfter(6.7, note, 2)
  expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
  expect(asked).toHaveLength(2)
})

test.each([
  ['it was completed', 10 * 60, 10, 20],
  ['it failed, or nobody knows it', 0, 0, 30],
])(
  'when the answer is that %s, then that counts once, also when the lost news comes after all',
  async (_what, seconds, used, left) => {
    const note = await held(12)
    const answer = ReservationResolved.create({ ...note, seconds })
    await shop.bus.publish(answer)
    await becomes(note.userId, used, left)
    await shop.bus.publish(noteCompleted(note, 10 * 60))
    await shop.bus.publish(answer)
    const other = { ...note, transcriptionId: derivedId(note.userId, 'other') }
    await shop.bus.publish(noteMeasured(other, 60))
    await shop.bus.publish(noteCompleted(other, 60))
    await becomes(note.userId, used + 1, left - 1)
    const entries = (await shop.get(note.userId, 'usage')).body.data.usage
    expect(
      entries.filter(
        ({ kind, transcriptionId }: { kind: string; transcriptionId: string }) =>
          kind === 'settled' && transcriptionId === note.transcriptionId,
      ),
    ).toHaveLength(used ? 1 : 0)
    expect(await askedAfter(7, note, 0)).toEqual([])
  },
)

test('when the answer is about an earlier attempt, then the one at work keeps its minutes', async () => {
  const note = await held(12)
  await shop.bus.publish(noteMeasured({ ...note, attempt: 2 }, 12 * 60))
  await eventually(() =>
    shop.bus.sent('QuotaReserved').some(({ data }) => data.userId === note.userId && data.attempt === 2),
  )
  await shop.bus.publish(ReservationResolved.create({ ...note, seconds: 0 }))
  const other = { ...note, transcriptionId: derivedId(note.userId, 'other') }
  await shop.bus.publish(noteMeasured(other, 60))
  await shop.bus.publish(noteCompleted(other, 60))
  await becomes(note.userId, 1, 17)
})
