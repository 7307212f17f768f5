import {
  MediaAnnounced,
  OwnershipAsked,
  TranscriptionDeleted,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { bytes, json } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import {
  accountOf,
  type From,
  ingestionForAll,
  mediaIdFor,
  newPhone,
  textMessage,
  twilioText,
  unique,
  voiceNote,
} from '../testing.ts'

const app = ingestionForAll({ RETENTION_CHECK_EVERY: '50ms' })

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const newUser = () => unique('user-')
async function receivedFrom(from: From) {
  const note = app.noteFrom(from)
  await app.say(note)
  return { note, received: await app.received(note.mediaId) }
}
/** An account that claims a number, and one note from it. */
const claimed = async (phone = newPhone(), from: From = { from: phone }) => ({
  ...(await app.account(phone)),
  ...(await receivedFrom(from)),
})
async function ask({ userId, claimedAt }: { userId: string; claimedAt: Date }, at = new Date()) {
  const asked = OwnershipAsked.create({ userId, phoneClaimedAt: claimedAt.toISOString() })
  await app.publish({ ...asked, occurredAt: at.toISOString() })
  await eventually(async () => (await app.stored('accounts').findOne({ _id: userId }))?.asked)
}
/** Asks the number's owner whether it belongs to the account, and replies no. */
async function object(account: { userId: string; claimedAt: Date; phone: string }) {
  await ask(account)
  await app.say(textMessage({ from: account.phone }, 'no'))
}
/** An account whose claim was disowned, and whose note was withdrawn. */
async function objected() {
  const account = await claimed()
  await object(account)
  await eventually(() => withdrawn(account.userId).includes(account.note.mediaId))
  return account
}
interface Question {
  agoMs: number
  claimedAt?: Date
}
const disowned = (userId: string) =>
  app.others.sent('NumberDisowned').filter(({ data }) => data.userId === userId)
const withdrawn = (userId: string) =>
  app.others
    .sent('NoteWithdrawn')
    .filter(({ data }) => data.userId === userId)
    .map(({ data }) => data.mediaId)
/** Registers an account whose link code comes from the number. Returns the note that waited for that. */
async function provedBy(owner: string, phone: string) {
  await app.say(textMessage({ from: phone }, await app.register(owner, newPhone())))
  return receivedBy(owner)
}
const receivedBy = (owner: string) =>
  eventually(() => app.others.sent('MediaReceived').find(({ data }) => data.userId === owner)?.data)
/** Sends a text that is handled after all earlier messages. */
async function expectNoObjection(userId: string) {
  const stranger = textMessage({ from: newPhone() }, 'Hello?')
  await app.say(stranger)
  await app.unknown(stranger.id)
  expect(disowned(userId)).toEqual([])
}

describe('a number that is only claimed', () => {
  test('when a note comes from it, then its source is `claimed`, until the number is proved', async () => {
    const { phone, code, received } = await claimed()
    expect(received.source).toMatchObject({ address: phone, claimed: true })
    await app.say(textMessage({ from: phone }, code))
    expect((await receivedFrom({ from: phone })).received.source).not.toHaveProperty('claimed')
  })

  test('when events come out of order, then the newest claim has the number', async () => {
    const [before, after, phone] = [newUser(), newUser(), newPhone()]
    const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString()
    await app.publish(UserUpdated.create(accountOf(after, phone, 1, 'VX-44444444', at(20))))
    await app.register(before, phone, undefined, at(10))
    expect((await receivedFrom({ from: phone })).received.userId).toBe(after)
  })

  test('when an earlier claim is redelivered, then a note from between the claims still waits', async () => {
    const [userId, phone] = [newUser(), newPhone()]
    const earlier = new Date(Date.now() - HOUR_MS).toISOString()
    const code = await app.register(userId, phone, undefined, earlier)
    await app.change(userId, null, 1)
    const note = app.noteFrom({ from: phone })
    await app.say(note)
    await app.unknown(note.id)
    await app.change(userId, phone, 2, 'VX-66666666')
    await app.publish({
      ...UserUpdated.create(accountOf(userId, phone, 0, code, earlier)),
      occurredAt: earlier,
    })
    expect(app.announced(note.mediaId)).toBe(0)
  })
})

describe('a no', () => {
  test('when it answers the question, then notes are withdrawn until the number is proved', async () => {
    const account = await claimed()
    const { userId, phone, note, received } = account
    await ask(account)
    const no = textMessage({ from: phone }, 'No!')
    await app.say(no)
    const [event] = await eventually(() => disowned(userId).length === 1 && disowned(userId))
    expect(event?.data).toEqual({
      userId,
      phone,
      source: { channel: 'whatsapp', address: phone, messageId: no.id },
    })
    await eventually(() => withdrawn(userId).includes(note.mediaId))
    // The account that lost the note cannot delete its media.
    await app.publish(TranscriptionDeleted.create({ mediaId: note.mediaId, userId }))

    const again = await provedBy(newUser(), phone)
    expect(again).toMatchObject({ fileName: received.fileName, source: { messageId: note.id } })
    expect(again.mediaId).not.toBe(note.mediaId)
    expect(app.downloads(note.audio.id)).toHaveLength(1)
    expect(await app.blobs.exists(again.objectKey)).toBe(true)
    await eventually(async () => !(await app.blobs.exists(received.objectKey)))
  })

  test('when another account’s earlier claim comes late, then the notes still wait', async () => {
    const { phone, note, claimedAt } = await objected()
    const other = newUser()
    await app.register(other, phone, undefined, claimedAt.toISOString())
    // Handled after that event.
    expect((await receivedFrom({ from: phone })).received.userId).toBe(other)
    const receipt = await app.stored('receipts').findOne({ 'source.messageId': note.id })
    expect(receipt).toMatchObject({ userId: null })
  })

  test('when no account proves the number within 7 days, then the stored note is deleted', async () => {
    const { phone, note, received } = await objected()
    const deleteAt: Date = (await app.mediaRecord(note.mediaId))?.deleteAt
    expect(Math.abs(deleteAt.getTime() - Date.now() - 7 * DAY_MS)).toBeLessThan(HOUR_MS)
    expect(await app.blobs.exists(received.objectKey)).toBe(true)
    const over = new Date(0)
    await app.stored('receipts').updateOne({ _id: `whatsapp:${note.id}` }, { $set: { waitingUntil: over } })
    await app.stored('media').updateOne({ _id: note.mediaId }, { $set: { deleteAt: over } })
    await eventually(async () => !(await app.blobs.exists(received.objectKey)))
    const owner = newUser()
    const next = app.noteFrom({ from: phone })
    await app.say(textMessage({ from: phone }, await app.register(owner, newPhone())), next)
    await app.received(next.mediaId)
    expect(app.others.sent('MediaReceived').filter(({ data }) => data.userId === owner)).toHaveLength(1)
  })

  test('when a file was rejected, then it is not announced again', async () => {
    const account = await claimed()
    const { userId, phone, note } = account
    const refused = app.noteFrom({ from: phone }, {}, Buffer.from('no recording'))
    await app.say(refused)
    await app.rejected(refused.mediaId)
    await object(account)
    await eventually(() => withdrawn(userId).length === 2)
    expect((await provedBy(newUser(), phone)).source).toMatchObject({ messageId: note.id })
    expect(app.downloads(refused.audio.id)).toHaveLength(1)
  })

  test('when the notes came by Twilio, then they also wait until the number is proved', async () => {
    const { userId, phone, ...claim } = await app.account()
    const { form, sid, path, mediaId } = app.twilioNote(phone)
    const calls = (wanted: string) => app.sandbox.callsTo(path).filter(({ method }) => method === wanted)
    app.on(path, bytes(recording()), json(404, {}))
    await app.sayByTwilio(form)
    const { sha256 } = await app.received(mediaId)
    await eventually(() => calls('DELETE').length === 1)
    await ask({ userId, ...claim })
    await app.sayByTwilio(twilioText(phone, 'NO'))
    await eventually(() => withdrawn(userId).includes(mediaId))

    const owner = newUser()
    await app.sayByTwilio(twilioText(phone, await app.register(owner, newPhone())))
    expect(await receivedBy(owner)).toMatchObject({ sha256, source: { channel: 'twilio', messageId: sid } })
    expect(calls('GET')).toHaveLength(1)
  })

  test('when a note by Twilio was not fetched yet, then its copy there stays for the next owner', async () => {
    const { userId, phone, ...claim } = await app.account()
    const { form, sid, path, mediaId } = app.twilioNote(phone)
    app.on(path, json(503, {}))
    await app.sayByTwilio(form)
    await eventually(() => app.sandbox.callsTo(path).length > 1)
    await ask({ userId, ...claim })
    await app.sayByTwilio(twilioText(phone, 'NO'))
    await eventually(() => withdrawn(userId).includes(mediaId))
    const source = { channel: 'twilio', address: phone, messageId: sid } as const
    const file = { providerMediaId: form.MediaUrl0, fileName: 'note.ogg' }
    await app.publish(MediaAnnounced.create({ mediaId, userId, ...file, source }))
    expect(app.sandbox.callsTo(path).map(({ method }) => method)).not.toContain('DELETE')
  })

  test('when it comes many times, then it is one objection, without SenderUnknown', async () => {
    const account = await claimed()
    const { userId, phone, note } = account
    await ask(account)
    const no = textMessage({ from: phone }, 'no')
    await Promise.all([
      ...Array.from({ length: 8 }, () => app.say(no)),
      app.say(textMessage({ from: phone }, 'NO')),
    ])
    await eventually(() => withdrawn(userId).length === 1)
    const later = textMessage({ from: phone }, 'No.')
    await app.say(later)
    const stranger = textMessage({ from: phone }, 'Hello?')
    await app.say(stranger)
    await app.unknown(stranger.id)
    expect(disowned(userId)).toHaveLength(1)
    expect(withdrawn(userId)).toEqual([note.mediaId])
    const told = app.others.sent('SenderUnknown').map(({ data }) => data.source.messageId)
    expect(told).not.toContain(later.id)
  })

  test('when the account claims the number again, then only a proof brings it back', async () => {
    const { userId, phone } = await objected()
    await app.change(userId, null, 1)
    await app.change(userId, phone, 2, 'VX-55555555')
    const note = app.noteFrom({ from: phone })
    await app.say(note)
    await app.unknown(note.id)
    await app.say(textMessage({ from: phone }, 'VX-55555555'))
    expect((await app.received(note.mediaId)).userId).toBe(userId)
  })

  test('when the sender hides the number, then it is withdrawn from notes with and without it', async () => {
    const [phone, from_user_id] = [newPhone(), unique('US.78')]
    const account = await claimed(phone, { from: phone, from_user_id })
    const hidden = await receivedFrom({ from_user_id })
    await ask(account)
    await app.say(textMessage({ from_user_id }, 'No'))
    const [event] = await eventually(() => disowned(account.userId).length > 0 && disowned(account.userId))
    expect(event?.data.phone).toBe(phone)
    await eventually(() => withdrawn(account.userId).length === 2)
    expect(withdrawn(account.userId).sort()).toEqual([account.note.mediaId, hidden.note.mediaId].sort())
  })

  test('when the note is still being fetched, then the download is dropped', async () => {
    const account = await claimed()
    const { userId, phone } = account
    const note = voiceNote({ from: phone })
    const slow = app.offerSlowly(note.audio.id)
    await app.say(note)
    await slow.begun()
    await object(account)
    const mediaId = mediaIdFor(note.id)
    await eventually(() => withdrawn(userId).includes(mediaId))
    slow.end()
    await eventually(async () => (await app.temporaryFiles(mediaId)).length === 0)
    expect(app.others.sent('MediaReceived').filter(({ data }) => data.mediaId === mediaId)).toEqual([])
    expect(await app.mediaRecord(mediaId)).toMatchObject({ status: 'dropped', objectKey: null })
  })

  const LATE_MS = 7 * DAY_MS + 1000
  test.each([
    ['no question', []],
    ['a question more than 7 days ago', [{ agoMs: LATE_MS }]],
    ['a question about an earlier claim', [{ agoMs: 0, claimedAt: new Date(0) }]],
    ['a second question, the first more than 7 days ago', [{ agoMs: LATE_MS }, { agoMs: 0 }]],
  ])('when it comes after %s, then it is ignored', async (_what, questions: Question[]) => {
    const account = await claimed()
    for (const { agoMs, ...claim } of questions)
      await ask({ ...account, ...claim }, new Date(Date.now() - agoMs))
    await app.say(textMessage({ from: account.phone }, 'no'))
    await expectNoObjection(account.userId)
  })

  test('when the question is newer than the claim, then it is about the current claim', async () => {
    const account = await claimed()
    const { userId, phone, claimedAt } = account
    await ask({ userId, claimedAt: new Date(claimedAt.getTime() + HOUR_MS) })
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => disowned(userId).length)
  })

  test('when it is the caption of a note, then the note is a note', async () => {
    const account = await claimed()
    await ask(account)
    const note = app.noteFrom({ from: account.phone }, { caption: 'no' })
    await app.say(note)
    expect((await app.received(note.mediaId)).userId).toBe(account.userId)
    expect(disowned(account.userId)).toEqual([])
  })
})
