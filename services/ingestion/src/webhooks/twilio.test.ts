import { bytes, json, redirect, startTestSandbox, type TestSandbox } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import { ingestionForAll, mediaIdFor, newPhone, startIngestion, unique } from '../testing.ts'
import { isTwilioSignature, twilioSignature } from './twilio-webhook.ts'

const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response/>'
const app = ingestionForAll({ RETENTION_CHECK_EVERY: '50ms' })
let store: TestSandbox
let phone: string
beforeAll(async () => {
  store = await startTestSandbox()
  phone = newPhone()
  await app.register('ada', phone)
})
afterAll(async () => {
  await store.stop()
})

const newMessage = (more: Record<string, string> = {}) => app.twilioNote(phone, more)
const receipt = (sid: string) => app.receipt(sid, 'twilio')

test('when the signature is that of the provider’s own example, then it is right', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  }
  expect(isTwilioSignature('12345', '0/KCTR6DLpKmkAf8muzZqo1nDgQ=', url, form)).toBe(true)
})

test('when the signature is missing (400) or wrong (403), then nothing is stored', async () => {
  const { form, sid } = newMessage()
  const { form: others } = newMessage()
  const ofOthers = twilioSignature('twilio-token', 'https://voxscribe.test/webhooks/twilio', others)
  const ofOurAddress = twilioSignature('twilio-token', `${app.url}/webhooks/twilio`, form)
  expect((await app.sayByTwilio(form, null)).status).toBe(400)
  for (const wrong of ['x', '0/KCTR6DLpKmkAf8muzZqo1nDgQ=', ofOthers, ofOurAddress]) {
    expect((await app.sayByTwilio(form, wrong)).status).toBe(403)
  }
  expect(await receipt(sid)).toBeNull()
})

test('when a form has more than 1000 parameters, then it is refused whatever its signature: to sort many takes long', async () => {
  const { form, sid } = newMessage()
  const more = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`New${n}`, 'x']))
  expect((await app.sayByTwilio({ ...form, ...more })).status).toBe(403)
  expect(await receipt(sid)).toBeNull()
})

test('when a note comes, then the response is empty, and it is fetched with our credentials', async () => {
  const { form, path, mediaId, sid } = newMessage()
  app.on(path, redirect(`${store.origin}/${sid}`, 307))
  store.script(`GET /${sid}`, bytes(recording()))
  const answer = await app.sayByTwilio(form)
  expect([answer.status, await answer.text()]).toEqual([200, EMPTY])
  expect(answer.headers.get('content-type')).toMatch(/^text\/xml/)
  expect(await app.received(mediaId)).toMatchObject({
    userId: 'ada',
    mime: 'audio/wav',
    fileName: expect.stringMatching(/^Audio .*\.ogg$/),
    source: { channel: 'twilio', address: phone, messageId: sid },
  })
  const credentials = `Basic ${Buffer.from('AC1:twilio-token').toString('base64')}`
  expect(app.sandbox.callsTo(path)[0]?.headers.authorization).toBe(credentials)
  expect(store.callsTo(`/${sid}`).map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test('when a message has several media, then each audio and video is a note, pictures are not', async () => {
  const { form, sid, path } = newMessage({ NumMedia: '3', MediaContentType1: 'image/jpeg', MediaUrl1: 'x' })
  app.on(path, bytes(recording()))
  const second = { ...form, MediaUrl2: `${form.MediaUrl0}/2`, MediaContentType2: 'video/mp4' }
  app.on(`${path}/2`, bytes(recording(9)))
  await app.sayByTwilio(second)
  const ids = [mediaIdFor(sid, 0, 'twilio'), mediaIdFor(sid, 1, 'twilio')]
  for (const mediaId of ids) await app.received(mediaId)
  expect((await receipt(sid))?.media).toHaveLength(2)
})

test('when a picture comes alone, then its sender learns what can be sent; a sticker gets no answer', async () => {
  const [sticker, picture] = ['image/webp', 'image/jpeg'].map(mime =>
    newMessage({ NumMedia: '1', MediaContentType0: mime, MediaUrl0: 'https://api.twilio.com/x' }),
  )
  await app.sayByTwilio(sticker?.form ?? {})
  await app.sayByTwilio(picture?.form ?? {})
  expect((await app.refused(picture?.sid ?? '')).data.reason).toEqual({ code: 'nothing_to_hear' })
  expect(await receipt(sticker?.sid ?? '')).toBeNull()
})

test('when a place comes, then its sender learns what can be sent', async () => {
  const place = { MessageType: 'location', Latitude: '37.78', Longitude: '-122.39', NumMedia: '0' }
  const { form, sid } = newMessage(place)
  await app.sayByTwilio(form)
  expect((await app.refused(sid)).data.reason).toEqual({ code: 'nothing_to_hear' })
})

test('when the file is not there right after the webhook, then it is asked for again', async () => {
  const { form, path, mediaId } = newMessage()
  app.on(path, json(404, {}), bytes(recording()))
  await app.sayByTwilio(form)
  await app.received(mediaId)
  expect(app.others.sent('MediaRejected').some(({ data }) => data.mediaId === mediaId)).toBe(false)
})

test('when the file is never there, then it is rejected', async () => {
  const { form, path, mediaId } = newMessage()
  app.on(path, json(404, {}))
  await app.sayByTwilio(form)
  expect((await app.rejected(mediaId)).reason.code).toBe('media_gone')
  expect(app.sandbox.callsTo(path).filter(({ method }) => method === 'GET')).toHaveLength(3)
})

test('when our credentials are refused, then the note waits until they are right', async () => {
  const { form, path, mediaId } = newMessage()
  app.on(path, json(401, { code: 20003 }))
  await app.sayByTwilio(form)
  await eventually(() => app.sandbox.callsTo(path).length > 2)
  app.on(path, bytes(recording()))
  await app.received(mediaId)
})

describe('what Twilio keeps', () => {
  const deletions = (path: string) => app.sandbox.callsTo(path).filter(({ method }) => method === 'DELETE')

  test('when a note is stored or refused, then its media are deleted there, with our credentials', async () => {
    const [stored, refused] = [newMessage(), newMessage()]
    app.on(stored.path, bytes(recording()))
    app.on(refused.path, bytes(Buffer.from('no recording')))
    await app.sayByTwilio(stored.form)
    await app.sayByTwilio(refused.form)
    await app.received(stored.mediaId)
    expect((await app.rejected(refused.mediaId)).reason.code).toBe('not_audio_or_video')
    for (const { path } of [stored, refused]) {
      await eventually(() => deletions(path).length === 1)
      expect(deletions(path)[0]?.headers.authorization).toMatch(/^Basic /)
    }
  })

  test("when the sender of a waiting note stays unknown, then Twilio's copy is deleted unfetched", async () => {
    const note = newMessage({ From: `whatsapp:+${newPhone()}` })
    await app.sayByTwilio(note.form)
    await eventually(() => receipt(note.sid))
    expect(deletions(note.path)).toEqual([])
    await app
      .stored('receipts')
      .updateOne({ _id: `twilio:${note.sid}` }, { $set: { waitingUntil: new Date(0) } })
    await eventually(() => deletions(note.path).length === 1)
    await eventually(async () => (await receipt(note.sid))?.waitingUntil === null)
    expect(app.sandbox.callsTo(note.path)).toHaveLength(1)
  })

  test('when it cannot be deleted, then that is tried again, and nothing else is held up', async () => {
    const [stuck, other] = [newMessage(), newMessage()]
    for (const { path } of [stuck, other]) app.on(path, bytes(recording()))
    app.sandbox.script(`DELETE ${stuck.path}`, json(500, {}))
    await app.sayByTwilio(stuck.form)
    await eventually(() => deletions(stuck.path).length > 2)
    await app.sayByTwilio(other.form)
    await eventually(() => deletions(other.path).length === 1)
    app.sandbox.script(`DELETE ${stuck.path}`, json(404, {}))
    await eventually(async () => (await receipt(stuck.sid))?.outbox.length === 0)
    expect(
      app.others.sent('MediaReceived').filter(({ data }) => data.mediaId === stuck.mediaId),
    ).toHaveLength(1)
  })
})

test.each([
  ['is not Twilio’s', (url: string) => `${url}/other`],
  ['is none', () => 'nonsense'],
])('when the address of media %s, then it is rejected and not asked', async (_what, address) => {
  const { form, mediaId } = newMessage({ MediaUrl0: address(store.origin) })
  await app.sayByTwilio(form)
  expect((await app.rejected(mediaId)).reason.code).toBe('media_gone')
  expect(store.callsTo('/other')).toEqual([])
})

test.each([
  ['a text message that is none of WhatsApp', { From: '+14155552671' }],
  ['a report on a message', { MessageSid: '' }],
  ['impossible', { NumMedia: '-1' }],
])('when it is %s, then it is answered and nothing is stored', async (_what, more) => {
  const { form, sid } = newMessage(more)
  const answer = await app.sayByTwilio(form)
  expect([answer.status, await answer.text()]).toEqual([200, EMPTY])
  expect(await receipt(sid)).toBeNull()
})

test('when a person hides the number, then the user id is known once its code has come', async () => {
  const { userId, code } = await app.account()
  const From = 'whatsapp:US.13491208655302741918'
  const text = { MessageSid: unique('SM'), From, WaId: '', Body: code, NumMedia: '0' }
  expect((await app.sayByTwilio(text)).status).toBe(200)
  expect((await app.linked(text.MessageSid)).data).toMatchObject({
    userId,
    phone: null,
    whatsappUserId: 'US.13491208655302741918',
    source: { channel: 'twilio', address: 'US.13491208655302741918' },
  })
  const { form, path, mediaId } = newMessage({ From })
  app.on(path, bytes(recording()))
  await app.sayByTwilio(form)
  expect((await app.received(mediaId)).userId).toBe(userId)
})

test('when the number comes with another user id than before, then it is a stranger’s', async () => {
  const { userId, phone: number } = await app.account()
  const from = (ExternalUserId: string) => newMessage({ From: `whatsapp:+${number}`, ExternalUserId })
  const [own, next] = [from('US.1111'), from('US.2222')]
  for (const { path } of [own, next]) app.on(path, bytes(recording()))
  await app.sayByTwilio(own.form)
  expect((await app.received(own.mediaId)).userId).toBe(userId)
  await app.sayByTwilio(next.form)
  await app.unknown(next.sid)
  const { form, path, mediaId } = newMessage({ From: 'whatsapp:US.1111' })
  app.on(path, bytes(recording()))
  await app.sayByTwilio(form)
  expect((await app.received(mediaId)).userId).toBe(userId)
})

test('when a message of WhatsApp has a sender of an unknown form, then it is not taken as done', async () => {
  const { form } = newMessage({ From: 'whatsapp:somebody' })
  expect((await app.sayByTwilio(form)).status).toBe(503)
})

test('when Twilio reports a failed message, then that is published once, if signed', async () => {
  const [failed, undelivered, delivered] = [unique('SMout'), unique('SMout'), unique('SMout')]
  const form = (MessageSid: string, MessageStatus: string) => ({
    ...{ MessageSid, MessageStatus, ErrorCode: MessageStatus === 'delivered' ? '' : '63016' },
    ...{ From: 'whatsapp:+14155238886', To: `whatsapp:+${phone}`, AccountSid: 'AC1' },
  })
  expect((await app.sayByTwilio(form(failed, 'failed'), 'x')).status).toBe(403)
  const reports = [form(failed, 'failed'), form(undelivered, 'undelivered'), form(delivered, 'delivered')]
  for (const report of [...reports, ...reports]) expect((await app.sayByTwilio(report)).status).toBe(200)
  await eventually(() => app.others.sent('MessageFailed').length === 2)
  expect(app.others.sent('MessageFailed').map(({ data }) => data)).toEqual([
    { channel: 'twilio', messageId: failed, code: '63016' },
    { channel: 'twilio', messageId: undelivered, code: '63016' },
  ])
})

test('when Twilio is off, then its webhook does not exist', async () => {
  const without = await startIngestion({ TWILIO_ACCOUNT_SID: '', TWILIO_AUTH_TOKEN: '' })
  try {
    expect((await without.sayByTwilio(newMessage().form)).status).toBe(404)
  } finally {
    await without.stop()
  }
})
