import { OwnershipAsked, TranscriptionDeleted, UserUpdated } from '@voxscribe/contracts/events'
import { bytes, json } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import {
  accountOf,
  filePath,
  type Ingestion,
  infoPath,
  mediaIdFor,
  newPhone,
  startIngestion,
  textMessage,
  unique,
  voiceNote,
} from '../testing.ts'
import { saysNo } from './objection.ts'

let app: Ingestion
beforeAll(async () => {
  app = await startIngestion({ RETENTION_CHECK_EVERY: '50ms' })
})
afterAll(() => app.stop())

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const newUser = () => unique('user-')
type From = Parameters<typeof voiceNote>[0]

function noteFrom(from: From) {
  const note = voiceNote(from)
  app.offer(note.audio.id, recording())
  return { ...note, mediaId: mediaIdFor(note.id) }
}
async function receivedFrom(from: From) {
  const note = noteFrom(from)
  await app.say(note)
  return { note, received: await app.received(note.mediaId) }
}
/** An account that claims a number, and one note from it. */
async function claimed({ phone = newPhone(), claimedAt = new Date(), from = { from: phone } as From } = {}) {
  const userId = newUser()
  const code = await app.register(userId, phone, undefined, claimedAt.toISOString())
  return { userId, phone, code, claimedAt, ...(await receivedFrom(from)) }
}
async function ask({ userId, claimedAt }: { userId: string; claimedAt: Date }, at = new Date()) {
  const asked = OwnershipAsked.create({ userId, phoneClaimedAt: claimedAt.toISOString() })
  await app.publish({ ...asked, occurredAt: at.toISOString() })
  await eventually(async () => (await app.stored('accounts').findOne({ _id: userId }))?.asked)
}
const disowned = (userId: string) =>
  app.others.sent('NumberDisowned').filter(({ data }) => data.userId === userId)
const withdrawn = (userId: string) =>
  app.others
    .sent('NoteWithdrawn')
    .filter(({ data }) => data.userId === userId)
    .map(({ data }) => data.mediaId)
const unknownTold = (messageId: string) =>
  eventually(() => app.others.sent('SenderUnknown').find(({ data }) => data.source.messageId === messageId))
/** The account's link code comes from the number; returns the note that waited for that. */
async function provedBy(owner: string, phone: string) {
  await app.say(textMessage({ from: phone }, await app.register(owner, newPhone())))
  return eventually(() => app.others.sent('MediaReceived').find(({ data }) => data.userId === owner)?.data)
}
/** Handled after all that was said before. */
async function expectNoObjection(userId: string) {
  const stranger = textMessage({ from: newPhone() }, 'Hello?')
  await app.say(stranger)
  await unknownTold(stranger.id)
  expect(disowned(userId)).toEqual([])
}

describe('a number that is only claimed', () => {
  test('when a note comes from it, then the note says so; once it is proved, no more', async () => {
    const { phone, code, received } = await claimed()
    expect(received.source).toMatchObject({ address: phone, claimed: true })
    await app.say(textMessage({ from: phone }, code))
    expect((await receivedFrom({ from: phone })).received.source).not.toHaveProperty('claimed')
  })

  test('when news come out of order, then the newest claim has the number', async () => {
    const [before, after, phone] = [newUser(), newUser(), newPhone()]
    const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString()
    await app.publish(UserUpdated.create(accountOf(after, phone, 1, 'VX-44444444', at(20))))
    await app.register(before, phone, undefined, at(10))
    expect((await receivedFrom({ from: phone })).received.userId).toBe(after)
  })

  test('when a claim is no longer the newest, then its user id is lost as well', async () => {
    const [phone, from_user_id] = [newPhone(), unique('US.77')]
    const { userId } = await claimed({ phone, from: { from: phone, from_user_id }, claimedAt: new Date(0) })
    const next = newUser()
    await app.register(next, phone)
    const note = noteFrom({ from_user_id })
    await app.say(note)
    await unknownTold(note.id)
    expect(app.announced(note.mediaId)).toBe(0)
    expect((await receivedFrom({ from: phone, from_user_id })).received.userId).not.toBe(userId)
  })

  test('when news of an earlier claim come again, then a note from between the claims still waits', async () => {
    const [userId, phone] = [newUser(), newPhone()]
    const earlier = new Date(Date.now() - HOUR_MS).toISOString()
    const code = await app.register(userId, phone, undefined, earlier)
    await app.change(userId, null, 1)
    const note = noteFrom({ from: phone })
    await app.say(note)
    await unknownTold(note.id)
    await app.change(userId, phone, 2, 'VX-66666666')
    await app.publish({
      ...UserUpdated.create(accountOf(userId, phone, 0, code, earlier)),
      occurredAt: earlier,
    })
    expect(app.announced(note.mediaId)).toBe(0)
  })
})

describe('a no', () => {
  test('when it answers the question, then the notes leave the account until the number is proved', async () => {
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
    // The account that it has left cannot delete it any more.
    await app.publish(TranscriptionDeleted.create({ mediaId: note.mediaId, userId }))

    const again = await provedBy(newUser(), phone)
    expect(again).toMatchObject({ fileName: received.fileName, source: { messageId: note.id } })
    expect(again.mediaId).not.toBe(note.mediaId)
    expect(app.downloads(note.audio.id)).toHaveLength(1)
    expect(await app.blobs.exists(again.objectKey)).toBe(true)
    await eventually(async () => !(await app.blobs.exists(received.objectKey)))
  })

  test('when news of another account’s earlier claim come after that, then the notes still wait', async () => {
    const account = await claimed()
    const { userId, phone, note, claimedAt } = account
    await ask(account)
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => withdrawn(userId).includes(note.mediaId))
    const other = newUser()
    await app.register(other, phone, undefined, claimedAt.toISOString())
    // Handled after those news.
    expect((await receivedFrom({ from: phone })).received.userId).toBe(other)
    const receipt = await app.stored('receipts').findOne({ 'source.messageId': note.id })
    expect(receipt).toMatchObject({ userId: null })
  })

  test('when nobody proves the number within 7 days, then what is stored of the note goes', async () => {
    const account = await claimed()
    const { userId, phone, note, received } = account
    await ask(account)
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => withdrawn(userId).includes(note.mediaId))
    const deleteAt: Date = (await app.mediaRecord(note.mediaId))?.deleteAt
    expect(Math.abs(deleteAt.getTime() - Date.now() - 7 * DAY_MS)).toBeLessThan(HOUR_MS)
    expect(await app.blobs.exists(received.objectKey)).toBe(true)
    const over = new Date(0)
    await app.stored('receipts').updateOne({ _id: `whatsapp:${note.id}` }, { $set: { waitingUntil: over } })
    await app.stored('media').updateOne({ _id: note.mediaId }, { $set: { deleteAt: over } })
    await eventually(async () => !(await app.blobs.exists(received.objectKey)))
    const owner = newUser()
    const next = noteFrom({ from: phone })
    await app.say(textMessage({ from: phone }, await app.register(owner, newPhone())), next)
    await app.received(next.mediaId)
    expect(app.others.sent('MediaReceived').filter(({ data }) => data.userId === owner)).toHaveLength(1)
  })

  test('when a file was refused, then it does not come back', async () => {
    const account = await claimed()
    const { userId, phone, note } = account
    const refused = voiceNote({ from: phone })
    app.offer(refused.audio.id, Buffer.from('no recording'))
    await app.say(refused)
    await app.rejected(mediaIdFor(refused.id))
    await ask(account)
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => withdrawn(userId).length === 2)
    expect((await provedBy(newUser(), phone)).source).toMatchObject({ messageId: note.id })
    expect(app.downloads(refused.audio.id)).toHaveLength(1)
  })

  test('when the notes came by Twilio, then they also wait until the number is proved', async () => {
    const [userId, phone, claimedAt, sid] = [newUser(), newPhone(), new Date(), unique('SM')]
    await app.register(userId, phone, undefined, claimedAt.toISOString())
    const path = `/2010-04-01/Accounts/AC1/Messages/${sid}/Media/ME1`
    const bodies = (MessageSid: string, Body: string) => ({
      ...{ MessageSid, From: `whatsapp:+${phone}`, WaId: phone, Body, NumMedia: '0' },
    })
    const form = { MediaUrl0: `${app.sandbox.origin}${path}`, MediaContentType0: 'audio/ogg', NumMedia: '1' }
    app.on(path, bytes(recording()), json(404, {}))
    await app.sayByTwilio({ ...bodies(sid, ''), ...form })
    const mediaId = mediaIdFor(sid, 0, 'twilio')
    const received = await app.received(mediaId)
    await eventually(async () => (await app.mediaRecord(mediaId))?.original === null)
    expect(app.sandbox.callsTo(path).map(({ method }) => method)).toEqual(['GET', 'DELETE'])
    await ask({ userId, claimedAt })
    await app.sayByTwilio(bodies(unique('SM'), 'NO'))
    await eventually(() => withdrawn(userId).includes(mediaId))

    const owner = newUser()
    await app.sayByTwilio(bodies(unique('SM'), await app.register(owner, newPhone())))
    const again = await eventually(() =>
      app.others.sent('MediaReceived').find(({ data }) => data.userId === owner),
    )
    expect(again.data).toMatchObject({
      sha256: received.sha256,
      source: { channel: 'twilio', messageId: sid },
    })
    expect(app.sandbox.callsTo(path).filter(({ method }) => method === 'GET')).toHaveLength(1)
  })

  test('when it comes many times, then it is one objection, without a notice to sign up', async () => {
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
    await unknownTold(stranger.id)
    expect(disowned(userId)).toHaveLength(1)
    expect(withdrawn(userId)).toEqual([note.mediaId])
    const told = app.others.sent('SenderUnknown').map(({ data }) => data.source.messageId)
    expect(told).not.toContain(later.id)
  })

  test('when the account claims the number again, then only a proof brings it back', async () => {
    const account = await claimed()
    const { userId, phone } = account
    await ask(account)
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => disowned(userId).length)
    await app.change(userId, null, 1)
    await app.change(userId, phone, 2, 'VX-55555555')
    const note = noteFrom({ from: phone })
    await app.say(note)
    await unknownTold(note.id)
    await app.say(textMessage({ from: phone }, 'VX-55555555'))
    expect((await app.received(note.mediaId)).userId).toBe(userId)
  })

  test('when the sender hides the number, then it counts, for the notes with and without it', async () => {
    const [phone, from_user_id] = [newPhone(), unique('US.78')]
    const account = await claimed({ phone, from: { from: phone, from_user_id } })
    const hidden = await receivedFrom({ from_user_id })
    await ask(account)
    await app.say(textMessage({ from_user_id }, 'No'))
    const [event] = await eventually(() => disowned(account.userId).length > 0 && disowned(account.userId))
    expect(event?.data.phone).toBe(phone)
    await eventually(() => withdrawn(account.userId).length === 2)
    expect(withdrawn(account.userId).sort()).toEqual([account.note.mediaId, hidden.note.mediaId].sort())
  })

  test('when the note is still being fetched, then it does not come any more', async () => {
    const account = await claimed()
    const { userId, phone } = account
    const note = voiceNote({ from: phone })
    const late: (() => void)[] = []
    app.on(infoPath(note.audio.id), app.info(note.audio.id))
    app.on(filePath(note.audio.id), response => {
      response.write(recording().subarray(0, 1000))
      late.push(() => response.end(recording().subarray(1000)))
    })
    await app.say(note)
    await eventually(() => late.length === 1)
    await ask(account)
    await app.say(textMessage({ from: phone }, 'no'))
    const mediaId = mediaIdFor(note.id)
    await eventually(() => withdrawn(userId).includes(mediaId))
    late[0]?.()
    await eventually(async () => (await app.temporaryFiles(mediaId)).length === 0)
    expect(app.others.sent('MediaReceived').filter(({ data }) => data.mediaId === mediaId)).toEqual([])
    expect(await app.mediaRecord(mediaId)).toMatchObject({ status: 'deleted', objectKey: null })
  })

  test('when no question was asked within 7 days about this claim, then NO is ignored', async () => {
    const never = await claimed()
    await app.say(textMessage({ from: never.phone }, 'no'))
    const late = await claimed()
    await ask(late, new Date(Date.now() - 7 * DAY_MS - 1000))
    await app.say(textMessage({ from: late.phone }, 'no'))
    const other = await claimed()
    await ask({ ...other, claimedAt: new Date(0) })
    await app.say(textMessage({ from: other.phone }, 'no'))
    for (const { userId } of [never, late, other]) await expectNoObjection(userId)
  })

  test('when the question is newer than the claim, then it is about the current claim', async () => {
    const account = await claimed()
    const { userId, phone, claimedAt } = account
    await ask({ userId, claimedAt: new Date(claimedAt.getTime() + HOUR_MS) })
    await app.say(textMessage({ from: phone }, 'no'))
    await eventually(() => disowned(userId).length)
  })

  test('when the question is asked again, then the 7 days are those of the first', async () => {
    const account = await claimed()
    await ask(account, new Date(Date.now() - 7 * DAY_MS - 1000))
    await ask(account)
    await app.say(textMessage({ from: account.phone }, 'no'))
    await expectNoObjection(account.userId)
  })

  test('when the number is proved, then it is a word like any other', async () => {
    const account = await claimed()
    await ask(account)
    await app.say(textMessage({ from: account.phone }, account.code))
    await app.say(textMessage({ from: account.phone }, 'no'))
    await expectNoObjection(account.userId)
  })

  test('when it is the caption of a note, then the note is a note', async () => {
    const account = await claimed()
    await ask(account)
    const note = voiceNote({ from: account.phone }, { caption: 'no' })
    app.offer(note.audio.id, recording())
    await app.say(note)
    expect((await app.received(mediaIdFor(note.id))).userId).toBe(account.userId)
    expect(disowned(account.userId)).toEqual([])
  })

  test.each([
    'NO',
    'no.',
    ' No! ',
    'não',
    'NÃO',
    'nao',
    'Non',
    'nein!!',
    'Tidak',
    'नहीं',
    'नहीं।',
    'لا',
    'لا!',
    '¡No!',
  ])('when a text is “%s”, then it says no', text => expect(saysNo(text)).toBe(true))
  test.each(['', null, 'no thanks', 'Nora', 'yes', '!', 'know'])(
    'when a text is “%s”, then it does not',
    text => expect(saysNo(text)).toBe(false),
  )
})

test('when a question or an objection is not what it should be, then it goes to the dead letters', async () => {
  const poison = {
    ...OwnershipAsked.create({ userId: 'x', phoneClaimedAt: new Date().toISOString() }),
    data: {},
  }
  await app.publish(poison)
  await app.deadLetter(poison.id)
})
