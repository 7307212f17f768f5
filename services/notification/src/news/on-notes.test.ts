import { randomUUID } from 'node:crypto'
import {
  BalanceTold,
  derivedId,
  MediaAnnounced,
  MediaDelayed,
  MessageFailed,
  NoteQueued,
  NoteRejected,
  NoteWithdrawn,
  type Source,
  TranscriptionDeleted,
  TranscriptionFailed,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { noSpeech, reason } from '@voxscribe/contracts/reasons'
import { graphError, hang, hangUp, json, simulated } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import axios from 'axios'
import { alarms } from '../chat/whatsapp.ts'
import { chatKey } from '../sending/outbound.ts'
import { completed, newAccount, newSource, notificationForAll, startNotification } from '../testing.ts'
import { hookCalls, item } from '../webhooks/testing.ts'

const app = notificationForAll()

const balance = { command: 'minutes', remainingSeconds: 60, periodEnd: '2026-12-20T10:00:00.000Z' } as const

const failed = (source: Source, code: string, attempt = 1) =>
  TranscriptionFailed.create({
    transcriptionId: randomUUID(),
    userId: 'u1',
    reason: { code },
    seconds: 0,
    attempt,
    source,
  })

function rejected(source: Source, code: string, userId = 'u1', fileName = 'talk.mp3') {
  const transcriptionId: string = randomUUID()
  const [reason, note] = [{ code }, item(transcriptionId, { status: 'failed' })]
  return NoteRejected.create({ transcriptionId, userId, fileName, reason, item: note, source })
}

/** Ids of the buttons below the first message to a chat. */
const buttonsTo = ({ address }: Source): string[] =>
  app
    .sentTo(address)[0]
    ?.body.interactive.action.buttons.map(({ reply }: { reply: { id: string } }) => reply.id)

/** Waits until a note's reply was published as sent this many times, and returns the ways. A repeat has the same id. */
const waysOf = (transcriptionId: string, count: number) =>
  eventually(() => {
    const news = app.others.sent('AnswerSent').filter(({ data }) => data.transcriptionId === transcriptionId)
    const ways = [...new Map(news.map(({ id, data }) => [id, data.way])).values()]
    return ways.length >= count && ways
  })

test('when a note is transcribed, then the chat gets text and summary, quoting the note', async () => {
  const source = newSource()
  await app.publish(completed(source))
  expect(await app.texts(source.address)).toEqual(['Hello world.\n\n_0:06 · English · 29.9 minutes left_'])
  const [call] = app.sentTo(source.address)
  expect(call?.path).toBe('/v26.0/106540352242922/messages')
  expect(call?.headers.authorization).toBe('Bearer graph-token')
  expect(call?.body).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: source.address,
    context: { message_id: source.messageId },
    type: 'text',
    text: { preview_url: false, body: expect.any(String) },
  })
})

const announced = (source: Source, mediaId: string = randomUUID(), userId = 'u1') =>
  MediaAnnounced.create({ mediaId, userId, providerMediaId: 'm', fileName: 'talk.mp3', source })

test('when a note comes in, then it is marked as read and an answer is being typed, before any work', async () => {
  const source = newSource()
  await app.publish(announced(source))
  await eventually(() => app.sandbox.calls.some(({ body }) => body?.message_id === source.messageId))
  expect(app.sandbox.calls.map(({ body }) => body)).toContainEqual({
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: source.messageId,
    typing_indicator: { type: 'text' },
  })
})

test('when the provider is slow to mark a note as read, then its answer does not wait for that', async () => {
  const source = newSource()
  const gaveUp = Promise.withResolvers<'mark given up'>()
  app.readTrouble(response => {
    response.on('close', () => gaveUp.resolve('mark given up'))
  })
  const marking = app.publish(announced(source))
  await app.publish(completed(source))
  const answered = app.texts(source.address).then(() => 'answered')
  expect(await Promise.race([answered, gaveUp.promise])).toBe('answered')
  await marking
})

test('when the sender hides the number, then the answer goes to the user id', async () => {
  const from = '15550001111'
  await axios.post(`${app.sandbox.url}/api/whatsapp/messages`, { from, text: 'Hi', hideNumber: true })
  const { data } = await axios.get(`${app.sandbox.url}/api/whatsapp/chats/${from}`)
  const source = newSource({ address: data.userId })
  await app.publish(completed(source))
  await app.texts(source.address)
  const [call] = app.sentTo(source.address)
  expect(call?.body).toMatchObject({ recipient: source.address })
  expect(call?.body).not.toHaveProperty('to')
})

test.each([
  ['the engine names no language', { language: 'auto' }, 'Hello world.\n\n_0:06 · 29.9 minutes left_'],
  [
    'it is the same audio as before',
    {
      seconds: 0,
      remainingSeconds: null,
      notices: [reason('same_as', { title: 'Monday', day: '2026-11-20' })],
    },
    'Hello world.\n\n_0:06 · English_\nSame as Monday of November 20, 2026, free',
  ],
])('when %s, then the chat says so', async (_what, more, text) => {
  const source = newSource()
  await app.publish(completed(source, more))
  expect(await app.texts(source.address)).toEqual([text])
})

describe('when nothing was said', () => {
  test.each([
    ['nothing recorded', -96, /^I heard 12 seconds of silence, and no speech\. That was free\./],
    ['very quiet', -58, /^I heard 12 seconds, very quiet, but no speech\. That was free\./],
    [
      'loud',
      -20,
      /^I heard 12 seconds of sound, but no speech\. That was free\.\n\n_0:12 · free · 29\.9 minutes left_$/,
    ],
    ['unknown', null, /^I heard 12 seconds, but no speech\. That was free\./],
  ])('and it was %s, then the chat says what was heard, and offers help', async (_what, decibels, text) => {
    const source = newSource()
    const notices = [noSpeech({ seconds: 12.3, decibels })]
    await app.publish(
      completed(source, { audioSeconds: 12.3, text: '', seconds: 0, words: 0, language: 'auto', notices }),
    )
    expect(await app.texts(source.address)).toEqual([expect.stringMatching(text)])
    expect(buttonsTo(source)).toEqual(['help', 'minutes'])
  })
})

describe('when the engine is not sure', () => {
  const doubtful = { notices: [reason('doubtful')], language: 'en' }
  const speaker = async (more: object = {}) => (await app.register({ ...newAccount(), ...more })).userId

  test('then the other languages of the person are a press away', async () => {
    const userId = await speaker({ phone: '5511912340001', language: 'de', uiLanguage: 'en' })
    const source = newSource()
    for (const language of ['es', 'en', 'auto']) {
      await app.publish(completed(source, { userId, language }))
    }
    await app.texts(source.address, 3)
    await app.publish(completed(source, { ...doubtful, userId }))
    const texts = await app.texts(source.address, 4)
    expect(texts[3]).toMatch(/left_\nWe’re not sure .+recording\.\n\nWas it another language\?$/)
    const { interactive, context } = app.sentTo(source.address)[3]?.body ?? {}
    expect(context).toEqual({ message_id: source.messageId })
    expect(interactive.action.buttons).toEqual(
      ['Spanish', 'German', 'Portuguese'].map(name => ({ type: 'reply', reply: { id: name, title: name } })),
    )
  })

  test.each([
    ['WhatsApp does not take the buttons', 'whatsapp', [graphError(131_051)]],
    ['there are none at Twilio', 'twilio', []],
  ] as const)('and %s, then the languages stand in words', async (_why, channel, troubles) => {
    const userId = await speaker({ phone: '4915112340002' })
    const source = newSource({ channel })
    app.trouble(...troubles)
    await app.publish(completed(source, { ...doubtful, userId }))
    const texts = await app.texts(source.address, troubles.length + 1)
    expect(texts.at(-1)).toMatch(/recording\.\n\nWas it another language\? Reply to .+, such as German\.$/)
  })

  test('and only English can be recognised, then nothing is offered', async () => {
    const userId = await speaker({ phone: '4915112340003' })
    const source = newSource()
    const notices = [reason('english_only'), reason('doubtful')]
    await app.publish(completed(source, { ...doubtful, notices, userId }))
    expect(await app.texts(source.address)).toEqual([expect.not.stringContaining('Was it another language')])
  })

  test('and the text is long, then it comes as a file, with the languages in words', async () => {
    const userId = await speaker({ phone: '4915112340004' })
    const source = newSource()
    await app.publish(completed(source, { ...doubtful, userId, text: '😀'.repeat(4_500) }))
    const [caption] = await app.texts(source.address)
    expect(caption).toMatch(/^(😀)+ …\n\n_0:06.+such as German\.$/su)
    expect(caption?.length).toBeLessThanOrEqual(1024)
  })
})

test('when a text is doubtful, then the summary says why, about the installation once a day', async () => {
  const [source, userId] = [newSource(), randomUUID()]
  const notices = [reason('english_only'), reason('doubtful')]
  const first = completed(source, { userId, notices })
  for (const event of [first, first, completed(source, { userId, notices })]) await app.publish(event)
  await app.stored('claims').updateOne({ _id: `english_only:${userId}` }, { $set: { until: new Date(0) } })
  await app.publish(completed(source, { userId, notices }))
  const both = expect.stringMatching(
    /left_\nOnly English can be recognized .+ We’re not sure about this text\./,
  )
  const doubtAlone = expect.stringMatching(/left_\nWe’re not sure about this text\./)
  expect(await app.texts(source.address, 3)).toEqual([both, doubtAlone, both])
})

const LONG = 'Wörter und noch mehr. '.repeat(1000).trim()
const beginsAsExcerpt = expect.stringMatching(
  /^Wörter und [^…]{500,590} …\n\n_0:06 · English · 29\.9 minutes left_/,
)

test('when the text just fits, then it is one message', async () => {
  const source = newSource()
  const summary = '\n\n_0:06 · English · 29.9 minutes left_'
  await app.publish(completed(source, { text: 'a'.repeat(4096 - summary.length) }))
  expect(await app.texts(source.address)).toEqual(['a'.repeat(4096 - summary.length) + summary])
})

test('when the text is long, then its beginning comes with the whole as a file', async () => {
  const source = newSource()
  await app.publish(completed(source, { title: 'On words: 1/2', text: LONG }))
  const call = await eventually(() => app.sentTo(source.address)[0])
  expect(call.body).toMatchObject({
    type: 'document',
    context: { message_id: source.messageId },
    document: {
      id: expect.any(String),
      filename: 'On words 1 2.txt',
      caption: beginsAsExcerpt,
    },
  })
  const uploaded = await axios.get(`${app.sandbox.url}/api/whatsapp/media/${call.body.document.id}`)
  expect(uploaded.data).toBe(LONG)
  await app.quietly(source.address, 1)
})

test('when a person asked for another try in the web application, then the chat stays quiet', async () => {
  const source = newSource()
  await app.publish(completed(source, { attempt: 2 }))
  await app.publish(failed(source, 'unreadable_audio', 2))
  await app.quietly(source.address, 0)
})

describe('when a note takes long', () => {
  const slow = (source: Source, waitSeconds: number | null, transcriptionId: string = randomUUID()) =>
    NoteQueued.create({ transcriptionId, userId: 'u1', waitSeconds, source })

  test.each([
    ['waits', 170, 'I have your note. A few others are ahead of it; expect the text in about 3 minutes.'],
    ['is in hand', null, 'I’m working on it. The text comes here as soon as it’s ready.'],
  ])('and %s, then the chat says so, once', async (_what, waitSeconds, text) => {
    const source = newSource()
    const first = slow(source, waitSeconds)
    const same = slow(source, null, first.data.transcriptionId)
    for (const event of [first, first, same]) await app.publish(event)
    expect(await app.texts(source.address)).toEqual([text])
    await app.stored('claims').deleteMany({})
    await app.publish(same)
    const { transcriptionId: mediaId } = first.data
    await app.publish(MediaDelayed.create({ mediaId, userId: 'u1', fileName: 'talk.mp3', source }))
    await app.quietly(source.address, 1)
  })

  test('and many do, then the chat says so once a minute', async () => {
    const source = newSource()
    for (let note = 0; note < 5; note++) await app.publish(slow(source, null))
    await app.quietly(source.address, 1)
    const _id = `reassured:${chatKey(source)}`
    await app.stored('claims').updateOne({ _id }, { $set: { until: new Date(Date.now() - 1) } })
    await app.publish(slow(source, null))
    await app.texts(source.address, 2)
  })

  test('and its answer was quicker, then nothing more is said', async () => {
    const [source, transcriptionId] = [newSource(), randomUUID()]
    await app.publish(completed(source, { transcriptionId }))
    await app.publish(slow(source, null, transcriptionId))
    await app.quietly(source.address, 1)
  })
})

test('when a note fails, then the chat says why', async () => {
  const source = newSource()
  await app.publish(failed(source, 'unreadable_audio'))
  expect(await app.texts(source.address)).toEqual([
    'I couldn’t transcribe this note. The sound in this file can’t be read. It may be damaged. Please record or export it again.',
  ])
})

test('when a text comes late, and the person has deleted its note, then it does not go out', async () => {
  const source = newSource()
  const event = completed(source)
  await app.publish(TranscriptionDeleted.create({ mediaId: event.data.transcriptionId, userId: 'u1' }))
  await app.publish(event)
  await app.quietly(source.address, 0)
})

test('when the person deleted the note, then nobody tells them', async () => {
  const source = newSource()
  await app.publish(failed(source, 'deleted'))
  await app.quietly(source.address, 0)
})

test('when a file is rejected, then the chat says why, once', async () => {
  const source = newSource()
  const event = rejected(source, 'too_large')
  for (let time = 0; time < 2; time++) await app.publish(event)
  await app.quietly(source.address, 1)
  expect(await app.texts(source.address)).toEqual([
    'I couldn’t accept “talk.mp3”. This file is larger than 16 MB. Please send it in shorter parts.',
  ])
})

test.each(['not_audio_or_video', 'too_large'])(
  'when a ZIP is sent (%s), then the chat says where an exported chat is brought in',
  async code => {
    const source = newSource()
    await app.publish(rejected(source, code, 'u1', 'WhatsApp Chat - Ana.zip'))
    await app.quietly(source.address, 1)
    expect((await app.texts(source.address))[0]).toMatch(
      /^I can’t open a ZIP here\. If it is a chat that you exported, open http\S+\/conversations and choose the ZIP/,
    )
  },
)

test('when a file is rejected, then the person’s hooks get it as a failed note, once', async () => {
  const { create, deliveries } = hookCalls(app)
  const { hook } = await create('hooked', { events: ['transcription.failed'] })
  const event = rejected(newSource(), 'too_large', 'hooked')
  for (let time = 0; time < 2; time++) await app.publish(event)
  await app.texts(event.data.source.address)
  expect(await deliveries('hooked', hook.id)).toEqual([
    expect.objectContaining({ type: 'transcription.failed' }),
  ])
})

describe('by way of Twilio', () => {
  test('when a note is transcribed, then the answer goes out as a form', async () => {
    const source = newSource({ channel: 'twilio' })
    await app.publish(completed(source))
    expect(await app.texts(source.address)).toEqual(['Hello world.\n\n_0:06 · English · 29.9 minutes left_'])
    const [call] = app.sentTo(source.address)
    expect(call?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
    expect(call?.headers.authorization).toBe(`Basic ${btoa('AC1:twilio-token')}`)
    expect(call?.body).toMatchObject({ From: 'whatsapp:+14155238886', To: `whatsapp:+${source.address}` })
  })

  test('when a text has over 1,600 characters, then its beginning and a file for Twilio are sent', async () => {
    const source = newSource({ channel: 'twilio' })
    await app.publish(completed(source, { text: LONG }))
    const call = await eventually(() => app.sentTo(source.address)[0])
    expect(call.body.Body).toEqual(beginsAsExcerpt)
    expect(call.body.StatusCallback).toBe('https://voxscribe.test/webhooks/twilio')
    const address = new URL(call.body.MediaUrl)
    expect(address.origin).toBe('https://voxscribe.test')
    const fetched = await fetch(app.url + address.pathname)
    expect(fetched.status).toBe(200)
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment; filename="?Hello world\.txt"?$/)
    expect(fetched.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await fetched.text()).toBe(LONG)
    const _id = address.pathname.split('/').at(-1) ?? ''
    expect(_id).toMatch(/^[\w-]{43}$/)
    expect((await fetch(`${app.url}/webhooks/twilio-documents/${_id.slice(1)}x`)).status).toBe(404)
    await app.stored('twilio_documents').updateOne({ _id }, { $set: { expiresAt: new Date(Date.now() - 1) } })
    expect((await fetch(app.url + address.pathname)).status).toBe(404)
    await app.quietly(source.address, 1)
  })

  test('when the person has not written for 24 hours, then it is not tried again', async () => {
    const source = newSource({ channel: 'twilio' })
    app.trouble(json(400, { code: 63016, message: 'window', status: 400 }))
    await app.publish(completed(source))
    await eventually(() => app.sentTo(source.address).length === 1)
    await app.quietly(source.address, 1)
  })

  test.each([
    ['too many requests', json(429, { code: 63018, message: 'rate', status: 429 })],
    ['wrong credentials', json(401, { code: 20003, message: 'no', status: 401 })],
    ['an answer in an unknown form', json(502, '<html>')],
  ])('when Twilio answers %s, then it is tried again', async (_what, trouble) => {
    const source = newSource({ channel: 'twilio' })
    app.trouble(trouble)
    await app.publish(completed(source))
    await app.texts(source.address, 2)
  })
})

describe('when WhatsApp refuses', () => {
  test.each([
    ['the service is down', graphError(131_000, 500)],
    ['the rate limit is hit', graphError(130_429, 429)],
    ['the pair rate is hit', graphError(131_056)],
    ['the token is refused', graphError(190, 401)],
    ['the code is unknown', graphError(999_999)],
    ['the call hangs', hang],
    ['the line breaks', hangUp],
  ])('because %s, then it is tried again and arrives once', async (_what, trouble) => {
    const source = newSource()
    app.trouble(trouble)
    await app.publish(completed(source))
    await app.texts(source.address, 2)
    await app.quietly(source.address, 2)
  })

  test.each([
    ['the 24 hours are over', 131_047],
    ['the person cannot be reached', 131_026],
  ])('because %s, then it is not tried again', async (_what, code) => {
    const source = newSource()
    app.trouble(graphError(code))
    const event = completed(source)
    await app.publish(event)
    await eventually(() => app.sentTo(source.address).length === 1)
    await app.publish(event)
    await app.quietly(source.address, 1)
  })

  test('because the quoted message is gone, then the answer comes without the quote', async () => {
    const source = newSource()
    app.trouble(graphError(131_009))
    await app.publish(completed(source))
    await app.texts(source.address, 2)
    expect(app.sentTo(source.address).map(({ body }) => 'context' in body)).toEqual([true, false])
  })

  test('for a long time, then the answer is tried until it goes out', async () => {
    const source = newSource()
    app.trouble(...Array(9).fill(graphError(131_000, 500)))
    await app.publish(completed(source))
    expect(await app.texts(source.address, 10)).toHaveLength(10)
  })
})

test('when a channel is not set up, then the event goes to the dead letters at once', async () => {
  const bare = await startNotification({
    TWILIO_ACCOUNT_SID: '',
    TWILIO_AUTH_TOKEN: '',
    TWILIO_WHATSAPP_NUMBER: '',
  })
  try {
    const event = completed(newSource({ channel: 'twilio' }))
    await bare.publish(event)
    expect(await bare.deadLetter(event.id)).toMatchObject({
      attempts: 1,
      reason: expect.stringContaining('twilio'),
    })
  } finally {
    await bare.stop()
  }
})

const alarmsOf = async (code: string) =>
  (await alarms.get()).values.find(({ labels }) => String(labels.code) === code)?.value ?? 0

/** The provider's id of the nth message to a chat. */
async function idOf(source: Source, count: number) {
  const { sid, messages } = await eventually(() => app.sentTo(source.address)[count - 1]?.answer)
  return sid ?? messages[0].id
}

describe('when a message fails after the provider took it', () => {
  const failedStatus = async (source: Source, nth: number) =>
    MessageFailed.create({ channel: source.channel, messageId: await idOf(source, nth), code: '131026' })

  test.each(['whatsapp', 'twilio'] as const)(
    'by %s, then it goes out once more as text, then by mail, and then no more',
    async channel => {
      const { userId, email } = await app.register()
      const source = newSource({ channel })
      const transcriptionId = randomUUID()
      await app.publish(completed(source, { transcriptionId, userId, text: LONG }))
      const first = await failedStatus(source, 1)
      await app.publish(first)
      await app.publish(first)
      const texts = await app.texts(source.address, 2)
      expect(texts[1]).toEqual(beginsAsExcerpt)
      expect(texts[1]).toContain('https://voxscribe.test/transcription')
      const second = await failedStatus(source, 2)
      await app.publish(second)
      await app.publish({ ...second, id: randomUUID() })
      await app.publish(first)
      const mail = await app.mail(email, 2)
      expect(mail.subject).toBe('The text of your voice note')
      expect(mail.text).toContain(LONG)
      await app.quietly(source.address, 2)
      expect(app.mailServer.to(email)).toHaveLength(2)
      expect(await waysOf(transcriptionId, 3)).toEqual(['chat', 'chat', 'mail'])
    },
  )

  test.each(['131031', '131042', '131048'])(
    'by %s, which is our account’s, then the chat gets nothing more, the mail goes out, and an alarm counts',
    async code => {
      const { userId, email } = await app.register()
      const source = newSource()
      const before = await alarmsOf(code)
      await app.publish(completed(source, { userId, text: LONG }))
      const messageId = await idOf(source, 1)
      await app.publish(MessageFailed.create({ channel: 'whatsapp', messageId, code }))
      expect((await app.mail(email, 2)).text).toContain(LONG)
      await app.quietly(source.address, 1)
      expect(await alarmsOf(code)).toBe(before + 1)
    },
  )

  test('and a file was refused at once, then its beginning goes out as text', async () => {
    const source = newSource()
    app.trouble(graphError(131_053))
    await app.publish(completed(source, { text: LONG }))
    expect(await app.texts(source.address)).toEqual([beginsAsExcerpt])
  })

  test('and we did not send it, then nothing happens; one that precedes our record waits for it', async () => {
    const foreign = MessageFailed.create({ channel: 'whatsapp', messageId: 'wamid.foreign', code: '' })
    await app.publish({ ...foreign, occurredAt: '2026-01-01T00:00:00.000Z' })
    const code = '131031'
    const early = MessageFailed.create({ channel: 'whatsapp', messageId: 'wamid.early', code })
    const before = await alarmsOf(code)
    const published = app.publish(early)
    await eventually(() => app.others.bus.retrying().size === 1)
    const sent = { outcome: 'sent', detail: derivedId('message', early.data.messageId), at: new Date() }
    await app.stored('dispatches').insertOne({ _id: 'completed:early:first', ...sent })
    await published
    expect(await alarmsOf(code)).toBe(before + 1)
  })
})

describe('when the person has not written for 24 hours', () => {
  const closed = graphError(131_047)
  async function refused(text = 'Hello world.', more: object = {}) {
    const { userId, email } = await app.register()
    const source = newSource(more)
    const transcriptionId = randomUUID()
    app.trouble(source.channel === 'whatsapp' ? closed : json(400, { code: 63016, message: 'window' }))
    const event = completed(source, { transcriptionId, userId, text })
    await app.publish(event)
    expect((await app.mail(email, 2)).text).toContain(text)
    expect(app.sentTo(source.address)).toHaveLength(1)
    return { userId, source, transcriptionId, event, email }
  }
  /** Another message from the person. */
  const writes = (source: Source, userId: string) =>
    announced({ ...source, messageId: `wamid.${randomUUID()}` }, randomUUID(), userId)

  test.each(['whatsapp', 'twilio'] as const)(
    'by %s, then the answer goes by mail and, with the next message, to the chat, once',
    async channel => {
      const { userId, source, transcriptionId, event, email } = await refused('Hello world.', { channel })
      const message = writes(source, userId)
      await Promise.all([message, writes(source, userId)].map(app.publish))
      const texts = await app.texts(source.address, 2)
      expect(texts[1]).toBe('Hello world.\n\n_0:06 · English · 29.9 minutes left_')
      for (const again of [message, event, writes(source, userId)]) await app.publish(again)
      await app.quietly(source.address, 2)
      expect(app.mailServer.to(email)).toHaveLength(2)
      expect((await waysOf(transcriptionId, 2)).sort()).toEqual(['chat', 'mail'])
    },
  )

  test('and the chat is still closed after the next message, then it waits for the one after', async () => {
    const { userId, source, email } = await refused()
    app.trouble(closed)
    await app.publish(writes(source, userId))
    await app.texts(source.address, 2)
    await app.publish(writes(source, userId))
    await app.texts(source.address, 3)
    await app.publish(writes(source, userId))
    await app.quietly(source.address, 3)
    expect(app.mailServer.to(email)).toHaveLength(2)
  })

  test('and that is known only later, then it is not sent as a text in vain', async () => {
    const { userId, email } = await app.register()
    const source = newSource()
    await axios.post(`${app.sandbox.url}/api/whatsapp/faults`, { window: 'closed' })
    await app.publish(completed(source, { userId, text: LONG }))
    const failure = { channel: source.channel, messageId: await idOf(source, 1), code: '131047' }
    await app.publish(MessageFailed.create(failure))
    expect((await app.mail(email, 2)).text).toContain(LONG)
    await axios.post(`${app.sandbox.url}/api/whatsapp/faults`, { window: 'real' })
    await app.publish(BalanceTold.create({ ...balance, userId, source }))
    const texts = await app.texts(source.address, 3)
    expect(texts[1]).toEqual(beginsAsExcerpt)
    expect(texts[2]).toMatch(/^You have/)
    await app.publish(MessageFailed.create(failure))
    await app.quietly(source.address, 3)
  })

  test('and the address is not proved, then it is asked, once a day, to be confirmed, and the text only waits', async () => {
    const account = await app.register()
    const { userId, email } = account
    const news = { ...account, provedEmail: `proved-${email}`, confirmToken: `${userId}.secret` }
    await app.publish(UserUpdated.create({ ...news, revision: 1 }))
    const sources = [newSource(), newSource()]
    for (const source of sources) {
      app.trouble(closed)
      await app.publish(completed(source, { userId, text: 'Only for Ada.' }))
    }
    const asked = await app.mail(email, 2)
    expect(asked.subject).toBe('Confirm your email address')
    expect(asked.text).toContain(`https://voxscribe.test/confirm-email?token=${userId}.secret`)
    for (const source of sources) {
      await app.publish(writes(source, userId))
      await app.texts(source.address, 2)
    }
    for (const address of [email, news.provedEmail])
      expect(
        app.mailServer
          .to(address)
          .map(({ text }) => text)
          .join(),
      ).not.toContain('Only for Ada.')
    expect(app.mailServer.to(email)).toHaveLength(2)
    await app.publish(UserUpdated.create({ ...news, provedEmail: email, revision: 2 }))
    app.trouble(closed)
    await app.publish(completed(newSource(), { userId, text: 'Only for Ada.' }))
    expect((await app.mail(email, 3)).text).toContain('Only for Ada.')
  })

  test('and the number is another person’s by then, then what that person writes brings nothing', async () => {
    const { userId, source } = await refused()
    const next = await app.register()
    await app.publish(writes(source, next.userId))
    await app.quietly(source.address, 1)
    await app.publish(writes(source, userId))
    await app.texts(source.address, 2)
  })

  test('and they do not want mails about it, then the answer only waits', async () => {
    const account = newAccount()
    const { userId, email } = await app.register({ ...account, lateAnswers: 'chat' })
    const source = newSource()
    app.trouble(closed)
    await app.publish(completed(source, { userId }))
    await app.publish(writes(source, userId))
    await app.texts(source.address, 2)
    await app.quietly(source.address, 2)
    expect(app.mailServer.to(email)).toHaveLength(1)
  })

  test.each([
    ['is deleted', TranscriptionDeleted],
    ['leaves its account', NoteWithdrawn],
  ])('and the note %s meanwhile, then its text does not go out any more', async (_what, gone) => {
    const { userId, source, transcriptionId: mediaId } = await refused()
    await app.publish(gone.create({ mediaId, userId }))
    await app.publish(writes(source, userId))
    await app.quietly(source.address, 1)
  })
})

describe('when a template is approved and the person has not written for 24 hours', () => {
  const withTemplate = notificationForAll({
    WHATSAPP_TEMPLATE: 'voice_note_text:pt_BR',
    TWILIO_TEMPLATE: `HX${'0'.repeat(32)}`,
  })
  const text = 'First.\n\nSecond.'
  const value = 'First. Second. _0:06 · English · 29.9 minutes left_'

  test('then WhatsApp brings the text with it, in one line', async () => {
    const source = newSource()
    withTemplate.trouble(graphError(131_047))
    await withTemplate.publish(completed(source, { text }))
    expect(await withTemplate.texts(source.address, 2)).toEqual([expect.any(String), value])
    expect(withTemplate.sentTo(source.address)[1]?.body.template).toMatchObject({
      name: 'voice_note_text',
      language: { code: 'pt_BR' },
    })
    await withTemplate.publish(announced(source))
    await withTemplate.quietly(source.address, 2)
  })

  test('then Twilio does, too', async () => {
    const source = newSource({ channel: 'twilio' })
    withTemplate.trouble(json(400, { code: 63016, message: 'window' }))
    await withTemplate.publish(completed(source, { text }))
    const values = (await withTemplate.texts(source.address, 2))[1] ?? ''
    expect(JSON.parse(values)).toEqual({ 1: value })
    expect(withTemplate.sentTo(source.address)[1]?.body.ContentSid).toMatch(/^HX/)
  })

  test('and it has only the beginning, then the whole text follows the next message', async () => {
    const source = newSource()
    // The file is accepted, but its message isn't.
    withTemplate.trouble(simulated, graphError(131_047))
    await withTemplate.publish(completed(source, { text: LONG }))
    await withTemplate.texts(source.address, 2)
    await withTemplate.publish(announced(source))
    const texts = await withTemplate.texts(source.address, 3)
    expect(texts[2]).toEqual(beginsAsExcerpt)
    expect(withTemplate.sentTo(source.address)[2]?.body.type).toBe('document')
  })

  test('and it is paused, then the answer goes by mail and waits', async () => {
    const { userId, email } = await withTemplate.register()
    const source = newSource()
    withTemplate.trouble(graphError(131_047), graphError(132_015))
    await withTemplate.publish(completed(source, { userId }))
    expect((await withTemplate.mail(email, 2)).text).toContain('Hello world.')
    await withTemplate.publish(announced(source, randomUUID(), userId))
    await withTemplate.texts(source.address, 3)
  })
})

describe('a number that is only claimed', () => {
  const ASKED = /This number is registered to a•••@example\.com\. Not yours\? Answer NO\.$/
  const asked = (userId: string) =>
    app.others.sent('OwnershipAsked').filter(({ data }) => data.userId === userId)

  test('when it gets its first answer, then that says whose account it is; later ones do not', async () => {
    const { userId, phoneClaimedAt } = await app.register()
    const source = newSource({ claimed: true })
    const first = completed(source, { userId })
    await app.publish(first)
    await app.publish(completed(source, { userId, text: 'Second.' }))
    await app.publish(first)
    const texts = await app.texts(source.address, 2)
    expect(texts).toEqual([expect.stringMatching(ASKED), expect.not.stringContaining('Not yours?')])
    await eventually(() => asked(userId).length === 1)
    expect(asked(userId)[0]?.data).toEqual({ userId, phoneClaimedAt })
  })

  test('when the first answer is a failure or a rejection, then it asks, too', async () => {
    for (const make of [failed, rejected]) {
      const { userId } = await app.register()
      const source = newSource({ claimed: true })
      const event = make(source, 'unreadable_audio')
      await app.publish({ ...event, data: { ...event.data, userId } })
      expect(await app.texts(source.address)).toEqual([expect.stringMatching(ASKED)])
      await eventually(() => asked(userId).length === 1)
    }
  })

  test('when sending the first answer fails at first, then it still asks', async () => {
    const { userId } = await app.register()
    const source = newSource({ claimed: true })
    app.trouble(graphError(131_000, 500))
    await app.publish(completed(source, { userId }))
    expect(await app.texts(source.address, 2)).toEqual(Array(2).fill(expect.stringMatching(ASKED)))
    expect(asked(userId)).toHaveLength(1)
  })

  test('when it is claimed again later, then it is asked again', async () => {
    const account = await app.register()
    const source = newSource({ claimed: true })
    await app.publish(completed(source, { userId: account.userId }))
    await app.texts(source.address)
    const phoneClaimedAt = '2026-11-21T10:00:00.000Z'
    await app.publish(UserUpdated.create({ ...account, phoneClaimedAt, revision: 1 }))
    await eventually(
      async () =>
        (await app.stored('people').findOne({ _id: account.userId }))?.phoneClaimedAt === phoneClaimedAt,
    )
    await app.publish(completed(source, { userId: account.userId }))
    const texts = await app.texts(source.address, 2)
    expect(texts[1]).toMatch(ASKED)
  })
})

test('when a person’s day is full, then their chat hears so once a day, however many notes come', async () => {
  const source = newSource()
  const full = () => rejected(source, 'day_is_full', `full-${source.address}`)
  for (const event of [full(), full()]) await app.publish(event)
  expect((await app.texts(source.address))[0]).toMatch(/today’s limit/)
  await app.quietly(source.address, 1)
})
