import {
  type EventOf,
  NoteSummarised,
  SenderLinked,
  SenderUnknown,
  type Source,
} from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { graphError } from '@voxscribe/sandbox/testing'
import { serve } from '@voxscribe/service/testing'
import { type Account, completed, newSource, startNotification } from '../testing.ts'

/** Everyone's minutes in billing's response; null: billing is unavailable. */
const usual = { usedSeconds: 6, totalSeconds: 1800, remainingSeconds: 1794, plan: 'free' }
let told: typeof usual | null = usual
const requests: string[] = []
const period = { periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2126-12-01T00:00:00.000Z' }
const billing = await serve((request, response) => {
  requests.push(request.url ?? '')
  response.statusCode = told ? 200 : 503
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, message: 'OK', data: { ...told, ...period } }))
})
const app = await startNotification({ BILLING_URL: billing.url })
beforeEach(() => {
  told = usual
})
afterAll(async () => {
  await app.stop()
  await billing.stop()
})

const CHANNELS = ['whatsapp', 'twilio'] as const
type Channel = (typeof CHANNELS)[number]
const chatOf = (channel: Channel, { phone: address }: Account): Source => newSource({ channel, address })

const TEXT = 'We met at the station and went to the market. '.repeat(200)
const gist = {
  lines: ['Ada was at the market.', 'She bought apples.', 'She comes home at six.'],
  tasks: [{ text: 'Call Nora', due: '2026-11-27' }],
}
function noteSummarised(source: Source, more: Partial<EventOf<'NoteSummarised'>['data']> = {}) {
  const { transcriptionId, userId, seconds, attempt } = completed(source).data
  return NoteSummarised.create({
    ...{ transcriptionId, userId, seconds, attempt, source, gist },
    audioSeconds: 1440,
    title: 'At the market',
    text: TEXT,
    language: 'en',
    notices: [],
    ...more,
  })
}
const FIGURES = '_24:00 · English · 29.9 minutes left_'
const GIST = `Ada was at the market.\nShe bought apples.\nShe comes home at six.\n\n• Call Nora (November 27, 2026)\n\n_Made by a machine. It may contain mistakes._`

/** The messages to a chat once everything published before is handled. */
async function messagesTo(source: Source, count: number) {
  const texts = await app.texts(source.address, count)
  await app.quietly(source.address, count)
  return texts
}

describe.each(CHANNELS)('a note by %s has one answer', channel => {
  test('when it is short', async () => {
    const { userId, ...account } = await app.register()
    const source = chatOf(channel, { userId, ...account })
    await app.publish(completed(source, { userId, remainingSeconds: 5 }))
    expect(await messagesTo(source, 1)).toEqual(['Hello world.\n\n_0:06 · English · 29.9 minutes left_'])
    expect(requests.at(-1)).toMatch(/^\/internal\/balance\?userId=.+&note=.+&seconds=6\.4$/)
  })

  test('when it has 24 minutes, then with its gist, what there is to do, and the text as a file', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    const event = noteSummarised(source, { userId: account.userId })
    const { transcriptionId } = event.data
    await app.publish(completed(source, { userId: account.userId, transcriptionId, awaitsGist: true }))
    for (let time = 0; time < 2; time++) await app.publish(event)
    const page = `https://voxscribe.test/transcriptions/${transcriptionId}`
    expect(await messagesTo(source, 1)).toEqual([`${GIST}\n\n${page}\n${FIGURES}`])
    const [{ body } = { body: undefined }] = app.sentTo(source.address)
    if (channel === 'whatsapp') expect(body.document.filename).toBe('At the market.txt')
    else expect(body.MediaUrl).toMatch(/^https:\/\/voxscribe\.test\/webhooks\/twilio-documents\//)
  })

  test('when its gist is late, then with the beginning of the text', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    await app.publish(noteSummarised(source, { userId: account.userId, gist: null }))
    const [text = ''] = await messagesTo(source, 1)
    expect(text.startsWith(TEXT.slice(0, 500))).toBe(true)
    expect(text.endsWith(` …\n\n${FIGURES}`)).toBe(true)
  })

  test('when its gist is long, then it fits below a file, and the figures stay', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    const lines = Array.from({ length: 3 }, () => 'It was a very long day. '.repeat(16).trim())
    const tasks = Array.from({ length: 20 }, (_, at) => ({ text: `Call number ${at}`, due: null }))
    await app.publish(noteSummarised(source, { userId: account.userId, gist: { lines, tasks } }))
    const [text = ''] = await messagesTo(source, 1)
    expect(text.length).toBeLessThanOrEqual(1024)
    expect(text).toMatch(/ …\n\nhttps:.+\n_24:00 · English · 29\.9 minutes left_$/)
  })

  test('when it is over 4,096 characters', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    await app.publish(completed(source, { userId: account.userId, text: TEXT }))
    expect((await messagesTo(source, 1))[0]).toMatch(/ …\n\n_0:06 · English · 29\.9 minutes left_$/)
  })

  test('when it passes 80 %, then that stands in it, once', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    told = { ...usual, usedSeconds: 1440, remainingSeconds: 360 }
    for (let time = 0; time < 2; time++) await app.publish(completed(source, { userId: account.userId }))
    const texts = await messagesTo(source, 2)
    const news =
      'You’ve used 80% of your minutes for this month. They reset on December 1, 2126. More minutes: https://voxscribe.test/pricing'
    expect(texts.sort()).toEqual(
      ['', `\n\n${news}`].map(end => `Hello world.\n\n_0:06 · English · 6 minutes left_${end}`),
    )
  })

  test('when a stranger’s first note waited, then the invitation, and the text that says that the chat is linked', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    await app.publish(SenderUnknown.create({ isNote: true, noteWaits: true, source }))
    await app.texts(source.address, 1)
    const { userId, phone } = account
    await app.publish(SenderLinked.create({ userId, phone, whatsappUserId: null, notes: 1, source }))
    for (const text of ['Hello world.', 'The next.']) await app.publish(completed(source, { userId, text }))
    const [, first, next] = await messagesTo(source, 3)
    expect(first).toMatch(/^Hello world\.\n\n_.+ left_\n\nThis chat is now linked to Ada’s account\.$/)
    expect(next).toMatch(/^The next\.\n\n_.+ left_$/)
  })

  test('when it is the same audio as before, then with the minutes that are left', async () => {
    const account = await app.register()
    const source = chatOf(channel, account)
    const notices = [reason('same_as', { title: 'Monday', day: '2026-11-20' })]
    const same = { userId: account.userId, seconds: 0, remainingSeconds: null, notices }
    await app.publish(completed(source, same))
    expect(await messagesTo(source, 1)).toEqual([
      'Hello world.\n\n_0:06 · English · 29.9 minutes left_\nSame as Monday of November 20, 2026, free',
    ])
  })
})

test('when billing does not answer, then the answer has the minutes that it told before', async () => {
  told = null
  const source = newSource()
  await app.publish(completed(source, { remainingSeconds: 600 }))
  expect(await app.texts(source.address)).toEqual(['Hello world.\n\n_0:06 · English · 10 minutes left_'])
})

test('when WhatsApp does not take the file of a gist, then its page is a press away', async () => {
  const source = newSource()
  app.trouble(graphError(131_053))
  await app.publish(noteSummarised(source))
  const texts = await app.texts(source.address)
  expect(texts.at(-1)).toMatch(/^Ada was at the market\..*_\n\nYou’ll find the whole text in your history: /s)
})
