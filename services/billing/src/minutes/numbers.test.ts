import type { NoteSource } from '@voxscribe/contracts/events'
import {
  accountErased,
  noteCompleted,
  noteMeasured,
  noteOf,
  numberProved,
  profileChange,
  registration,
} from '../testing/events.ts'
import { shopForAll } from '../testing/shop.ts'

const DAY = 86_400_000

const shop = shopForAll()

let count = 0
const newUser = () => `holder-${++count}`
const newNumber = () => `1555${String(++count).padStart(7, '0')}`
/** The numbers from which people send notes. */
const numbers = new Map<string, string | null>()
function register(userId: string, phone: string) {
  numbers.set(userId, phone)
  return shop.bus.publish(registration(userId, new Date(Date.now() + shop.clock.ahead), { phone }))
}
function takeNumber(userId: string, phone: string | null, revision: number) {
  numbers.set(userId, phone)
  return shop.bus.publish(profileChange(userId, { phone, revision }))
}
const fromChat = (userId: string): NoteSource => ({
  channel: 'whatsapp',
  address: numbers.get(userId) ?? 'US.1349',
  messageId: `wamid.${++count}`,
})
const UPLOAD: NoteSource = { channel: 'web' }

/** Sends a note of this length in minutes. Returns whether there were enough. */
async function begin(userId: string, minutes: number, source = fromChat(userId)) {
  const note = noteOf(userId, ++count)
  const answer = await shop.measure(noteMeasured(note, minutes * 60, source))
  const complete = () => shop.charge(noteCompleted(note, minutes * 60))
  return { hasRoom: answer.type === 'quota-reserved', complete }
}
async function useMinutes(userId: string, minutes: number, source?: NoteSource) {
  const note = await begin(userId, minutes, source)
  expect(note.hasRoom).toBe(true)
  await note.complete()
}

test('when a number moves from account to account, then it takes what it has used along', async () => {
  const phone = newNumber()
  const users = [newUser(), newUser(), newUser()]
  for (const [index, userId] of users.entries()) {
    await register(userId, phone)
    await shop.becomes(userId, index * 10, 30 - index * 10)
    await useMinutes(userId, 10)
    await takeNumber(userId, null, 1)
    await shop.becomes(userId, 10, 20)
  }
  const last = newUser()
  await register(last, phone)
  await shop.becomes(last, 30, 0)
  expect((await begin(last, 0.1)).hasRoom).toBe(false)
})

test('when a number comes back in its other spelling, then it takes what it has used along', async () => {
  const [first, next, last] = [newUser(), newUser(), newUser()]
  const [long, short] = ['5511987654321', '551187654321']
  await register(first, long)
  await useMinutes(first, 10)
  await takeNumber(first, null, 1)
  await register(next, short)
  await shop.becomes(next, 10, 20)
  await useMinutes(next, 5)
  await shop.bus.publish(accountErased(next, short))
  await register(last, long)
  await shop.becomes(last, 15, 15)
})

test('when a number is proved, then uploads count for it, until the account claims another one', async () => {
  const [first, next, last] = [newUser(), newUser(), newUser()]
  const [one, other] = [newNumber(), newNumber()]
  await register(first, one)
  await shop.bus.publish(numberProved(first, one))
  await useMinutes(first, 10, UPLOAD)
  await takeNumber(first, other, 1)
  await useMinutes(first, 5, UPLOAD)
  await takeNumber(first, null, 2)
  await register(next, one)
  await shop.becomes(next, 10, 20)
  await register(last, other)
  await shop.becomes(last, 0, 30)
})

test("when a number moves while its note is transcribed, then the note's minutes move too", async () => {
  const [phone, first, second] = [newNumber(), newUser(), newUser()]
  await register(first, phone)
  const note = await begin(first, 25)
  await takeNumber(first, null, 1)
  await register(second, phone)
  await shop.becomes(second, 25, 5)
  await note.complete()
  await shop.becomes(second, 25, 5)
  await shop.becomes(first, 25, 5)
})

test('when news of a number comes late or twice, then only the newest counts', async () => {
  const [phone, first, second] = [newNumber(), newUser(), newUser()]
  await register(first, phone)
  await useMinutes(first, 12)
  await takeNumber(second, phone, 3)
  await shop.becomes(second, 12, 18)
  await takeNumber(second, null, 2)
  await register(second, newNumber())
  await takeNumber(second, phone, 3)
  await useMinutes(second, 18)
  expect((await begin(second, 0.1)).hasRoom).toBe(false)
})

test("when a number's month is over, then its next holder has all minutes", async () => {
  const [phone, first, second] = [newNumber(), newUser(), newUser()]
  await register(first, phone)
  await useMinutes(first, 30)
  await takeNumber(first, null, 1)
  shop.clock.ahead = 10 * DAY
  await register(second, phone)
  await shop.becomes(second, 30, 0)
  shop.clock.ahead = 32 * DAY
  await shop.becomes(second, 0, 30)
})

test('when the minutes were paid for, then they are not the number’s', async () => {
  const [phone, payer, next] = [newNumber(), newUser(), newUser()]
  await register(payer, phone)
  await shop.becomes(payer, 0, 30)
  const { sessionId } = await shop.started(payer)
  await shop.act(`checkout/${sessionId}/pay`)
  await shop.verify(payer, sessionId)
  await useMinutes(payer, 200)
  await takeNumber(payer, null, 1)
  await register(next, phone)
  await shop.becomes(next, 0, 30)
})
