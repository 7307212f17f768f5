import { derivedId, type Envelope } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import {
  noteCompleted,
  noteFailed,
  noteMeasured,
  noteWithdrawn,
  profileChange,
  registration,
} from './testing/events.ts'
import { openShop, type Shop } from './testing/shop.ts'

const MINUTE = 60
const HOUR_MS = 3_600_000

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ QUEUE_TIMEOUT: '5h', NOTE_TIMEOUT: '1h' })
})
afterAll(() => shop?.close())
beforeEach(() => {
  shop.clock.ahead = 0
})

let users = 0
const newUser = () => `unlucky-${++users}`
const noteOf = (userId: string, name = 'note') => ({
  userId,
  transcriptionId: derivedId(userId, name),
  attempt: 1,
})
const accounts = () => shop.stored('accounts')
const account = (userId: string) => accounts().findOne({ _id: userId })

/** Nothing can change an account like this: every write of it fails. */
async function damage(userId: string): Promise<() => Promise<unknown>> {
  await shop.stored('accounts').updateOne({ _id: userId }, { $set: { version: 'x' } })
  return () => accounts().updateOne({ _id: userId }, { $set: { version: 1_000 } })
}
async function givenUp(event: Envelope) {
  await shop.bus.publish(event)
  await eventually(async () => (await shop.bus.deadLetters()).some(({ id }) => id === event.id), 30_000)
}
async function registered() {
  const userId = newUser()
  await shop.bus.publish(registration(userId))
  await eventually(() => account(userId))
  return userId
}
async function reserved(note: ReturnType<typeof noteOf>, minutes: number) {
  const measured = noteMeasured(note, minutes * MINUTE)
  await shop.bus.publish(measured)
  await eventually(() => shop.bus.sent('QuotaReserved').some(({ causeId }) => causeId === measured.id))
}
const becomes = (userId: string, used_minutes: number, remaining_minutes: number) =>
  eventually(async () => {
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes, remaining_minutes })
    return true
  })
/** In seconds. */
const lateFor = async () => Number(/^billing_late_news_oldest_seconds (\d+)/m.exec(await shop.metrics())?.[1])
const takeIn = () => shop.run('take in late news')

describe('when a message is given up', () => {
  test('that asks for minutes, then transcription hears so once, and the attempt never gets any', async () => {
    const userId = await registered()
    const note = noteOf(userId)
    const mend = await damage(userId)
    const measured = noteMeasured(note, 12 * MINUTE)
    await givenUp(measured)
    const failed = () => shop.bus.sent('ReservationFailed').filter(({ data }) => data.userId === userId)
    await eventually(() => failed().length > 0)
    expect(failed().map(({ data }) => data)).toEqual([note])
    await mend()
    // Transcription fails the note for it. What is put back later finds that it is over.
    await shop.bus.publish(noteFailed(note))
    await shop.bus.publish(measured)
    await reserved(noteOf(userId, 'other'), 1)
    await becomes(userId, 0, 29)
    expect(failed()).toHaveLength(1)
  })

  test('that registers somebody, then it is taken in as soon as that works', async () => {
    const userId = newUser()
    await reserved(noteOf(userId), 1)
    const mend = await damage(userId)
    const signedUpAt = new Date(Date.now() - 3 * 24 * HOUR_MS)
    await givenUp(registration(userId, signedUpAt, { phone: '15550100' }))
    shop.clock.ahead = 2 * HOUR_MS
    await expect(takeIn()).rejects.toThrow('Some news can still not be taken in')
    expect(await lateFor()).toBeGreaterThan(7_000)
    await mend()
    await takeIn()
    expect(await account(userId)).toMatchObject({
      provisional: false,
      phone: '15550100',
      anchor: signedUpAt,
      email: `${userId}@example.com`,
    })
    expect(await lateFor()).toBe(0)
    expect(await shop.stored('late_news').countDocuments({})).toBe(0)
  })

  test('that changes a profile, then it is taken in later, but never over newer news', async () => {
    const [behind, ahead] = [await registered(), await registered()]
    for (const userId of [behind, ahead]) {
      const mend = await damage(userId)
      await givenUp(profileChange(userId, { email: 'first@example.com', revision: 1 }))
      await mend()
    }
    await shop.bus.publish(profileChange(ahead, { email: 'second@example.com', revision: 2 }))
    await takeIn()
    expect(await account(behind)).toMatchObject({ email: 'first@example.com', contactRevision: 1 })
    expect(await account(ahead)).toMatchObject({ email: 'second@example.com', contactRevision: 2 })
  })

  test('that takes a note back, then its minutes come back as soon as that works, once', async () => {
    const userId = await registered()
    const note = noteOf(userId)
    await reserved(note, 12)
    await shop.bus.publish(noteCompleted(note, 12 * MINUTE))
    await becomes(userId, 12, 18)
    const mend = await damage(userId)
    const withdrawn = noteWithdrawn(note)
    await givenUp(withdrawn)
    await mend()
    await takeIn()
    await becomes(userId, 0, 30)
    // Its dead letter is put back as well.
    await shop.bus.publish(withdrawn)
    await reserved(noteOf(userId, 'other'), 1)
    await becomes(userId, 0, 29)
  })

  test('that ends a note, then its minutes are asked for again and come back', async () => {
    const userId = await registered()
    const note = noteOf(userId)
    await reserved(note, 12)
    const mend = await damage(userId)
    await givenUp(noteFailed(note))
    await mend()
    shop.clock.ahead = 7 * HOUR_MS
    await shop.run('question old reservations')
    await eventually(() =>
      shop.bus
        .sent('ReservationQuestioned')
        .some(({ data }) => data.transcriptionId === note.transcriptionId),
    )
  })
})

test('when one account cannot be worked on, then the jobs reach all others', async () => {
  const damaged = await registered()
  await reserved(noteOf(damaged), 1)
  const mend = await damage(damaged)
  const userId = await registered()
  await reserved(noteOf(userId), 12)
  shop.clock.ahead = 40 * 24 * HOUR_MS
  await expect(shop.run('question old reservations')).rejects.toThrow('could not be worked on')
  await eventually(() => shop.bus.sent('ReservationQuestioned').some(({ data }) => data.userId === userId))
  await expect(shop.run('roll over free months')).rejects.toThrow('could not be worked on')
  await eventually(() => shop.bus.sent('QuotaUpdated').some(({ data }) => data.userId === userId))
  await mend()
})
