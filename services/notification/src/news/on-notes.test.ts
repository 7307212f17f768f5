import { randomUUID } from 'node:crypto'
import {
  MediaRejected,
  MessageFailed,
  NoteQueued,
  type Source,
  TranscriptionFailed,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { graphError, hang, hangUp, json } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import axios from 'axios'
import { completed, newSource, notificationForAll, startNotification } from '../testing.ts'

const app = notificationForAll()

const failed = (source: Source, code: string, attempt = 1, transcriptionId: string = randomUUID()) =>
  TranscriptionFailed.create({
    transcriptionId,
    userId: 'u1',
    reason: { code },
    seconds: 0,
    attempt,
    source,
  })

const rejected = (source: Source, code: string, mediaId: string = randomUUID()) =>
  MediaRejected.create({ mediaId, userId: 'u1', fileName: 'talk.mp3', bytes: 9, reason: { code }, source })

/** Waits until a note's answer was published as sent in this many ways, and returns them; a repeat has the same id. */
const waysOf = (transcriptionId: string, count: number) =>
  eventually(() => {
    const news = app.others.sent('AnswerSent').filter(({ data }) => data.transcriptionId === transcriptionId)
    const ways = [...new Map(news.map(({ id, data }) => [id, data.way])).values()]
    return ways.length >= count && ways
  })

test('when a note is transcribed, then the chat gets text and summary, quoting the note', async () => {
  const source = newSource()
  await app.publish(completed(source))
  expect(await app.texts(source.address)).toEqual(['Hello world.\n\n6s · English · 29.9 minutes left'])
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
  expect(app.sandbox.calls.map(({ body }) => body)).toContainEqual({
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: source.messageId,
  })
})

test('when the provider is slow to mark the note as read, then its answer does not wait for that', async () => {
  const source = newSource()
  const gaveUp = Promise.withResolvers<'mark given up'>()
  app.readTrouble(response => {
    response.on('close', () => gaveUp.resolve('mark given up'))
  })
  const publishing = app.publish(completed(source))
  const answered = app.texts(source.address).then(() => 'answered')
  expect(await Promise.race([answered, gaveUp.promise])).toBe('answered')
  await publishing
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
  ['the engine names no language', { language: 'auto' }, 'Hello world.\n\n6s · 29.9 minutes left'],
  [
    'it is the same audio as before',
    {
      seconds: 0,
      remainingSeconds: null,
      notices: [reason('same_as', { title: 'Monday', day: '2026-11-20' })],
    },
    'Hello world.\n\n6s · English\nSame as Monday of 2026-11-20',
  ],
  [
    'nothing was said',
    { text: '', seconds: 0, words: 0, language: 'auto', notices: [reason('no_speech')] },
    'No speech found\n\n6s · free · 29.9 minutes left',
  ],
])('when %s, then the chat says so', async (_what, more, text) => {
  const source = newSource()
  await app.publish(completed(source, more))
  expect(await app.texts(source.address)).toEqual([text])
})

test('when a text is doubtful, then the summary says why, about the installation once a day', async () => {
  const [source, userId] = [newSource(), randomUUID()]
  const notices = [reason('english_only'), reason('doubtful')]
  const first = completed(source, { userId, notices })
  for (const event of [first, first, completed(source, { userId, notices })]) await app.publish(event)
  await app.stored('claims').updateOne({ _id: `english_only:${userId}` }, { $set: { until: new Date(0) } })
  await app.publish(completed(source, { userId, notices }))
  const both = expect.stringMatching(
    /left\nOnly English can be recognised .+ We are not sure about this text\./,
  )
  const doubtAlone = expect.stringMatching(/left\nWe are not sure about this text\./)
  expect(await app.texts(source.address, 3)).toEqual([both, doubtAlone, both])
})

const LONG = 'Wörter und noch mehr. '.repeat(1000).trim()
const beginsAsExcerpt = expect.stringMatching(
  /^Wörter und [^…]{500,590} …\n\n6s · English · 29\.9 minutes left/,
)

test('when the text just fits, then it is one message', async () => {
  const source = newSource()
  const summary = '\n\n6s · English · 29.9 minutes left'
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

test('when a note waits for long, then the chat hears once when to expect its text', async () => {
  const source = newSource()
  const data = { transcriptionId: randomUUID(), userId: 'u1', waitSeconds: 170, source }
  for (let time = 0; time < 2; time++) await app.publish(NoteQueued.create(data))
  expect(await app.texts(source.address)).toEqual([
    'I have your note. A few others are ahead of it; expect the text in about 3 minutes.',
  ])
})

test('when a note fails, then the chat says why', async () => {
  const source = newSource()
  await app.publish(failed(source, 'unreadable_audio'))
  expect(await app.texts(source.address)).toEqual([
    'I couldn’t transcribe this note. The sound in this file cannot be read. It may be damaged. Please record or export it again.',
  ])
})

test('when the person deleted the note, then nobody tells them', async () => {
  const source = newSource()
  await app.publish(failed(source, 'deleted'))
  await app.quietly(source.address, 0)
})

test('when a file is rejected and its record fails, then the chat says why, once', async () => {
  const source = newSource()
  const mediaId = randomUUID()
  await app.publish(rejected(source, 'too_large', mediaId))
  await app.publish(failed(source, 'too_large', 1, mediaId))
  await app.quietly(source.address, 1)
  expect(await app.texts(source.address)).toEqual([
    'I couldn’t accept “talk.mp3”. This file is larger than 16 MB. Please send it in shorter parts.',
  ])
})

describe('by way of Twilio', () => {
  test('when a note is transcribed, then the answer goes out as a form', async () => {
    const source = newSource({ channel: 'twilio' })
    await app.publish(completed(source))
    expect(await app.texts(source.address)).toEqual(['Hello world.\n\n6s · English · 29.9 minutes left'])
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

describe('when a message fails after the provider took it', () => {
  /** The provider's id of the message that went to a chat as its nth. */
  const idOf = async (source: Source, nth: number) => {
    const { sid, messages } = await eventually(() => app.sentTo(source.address)[nth - 1]?.answer)
    return sid ?? messages[0].id
  }
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

  test('and it was refused at once, then it goes by mail', async () => {
    const { userId, email } = await app.register()
    const source = newSource()
    app.trouble(graphError(131_047))
    const transcriptionId = randomUUID()
    await app.publish(completed(source, { transcriptionId, userId }))
    expect((await app.mail(email, 2)).text).toContain('Hello world.')
    expect(app.sentTo(source.address)).toHaveLength(1)
    expect(await waysOf(transcriptionId, 1)).toEqual(['mail'])
  })

  test('and a file was refused at once, then its beginning goes out as text', async () => {
    const source = newSource()
    app.trouble(graphError(131_053))
    await app.publish(completed(source, { text: LONG }))
    expect(await app.texts(source.address)).toEqual([beginsAsExcerpt])
  })

  test('and we did not send it, then nothing happens; one that precedes our record waits for it', async () => {
    const foreign = MessageFailed.create({ channel: 'whatsapp', messageId: 'wamid.foreign', code: '' })
    await app.publish({ ...foreign, occurredAt: '2026-01-01T00:00:00.000Z' })
    const early = MessageFailed.create({ channel: 'whatsapp', messageId: 'wamid.early', code: '' })
    const published = app.publish(early)
    await eventually(() => app.others.bus.retrying().size === 1)
    const sent = { outcome: 'sent', detail: early.data.messageId, at: new Date() }
    await app.stored('deliveries').insertOne({ _id: 'completed:early:first', ...sent })
    await published
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
