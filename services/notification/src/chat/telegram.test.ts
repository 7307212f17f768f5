import { SenderLinked, SenderUnknown, type Source } from '@voxscribe/contracts/events'
import { json, simulated } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { messagesSent } from '../sending/outbound.ts'
import { completed, notificationForAll } from '../testing.ts'
import { shielded } from './marks.ts'
import { withoutMarks } from './telegram.ts'

const TOKEN = '123:bot-token'
const app = notificationForAll({ TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_WEBHOOK_SECRET: 'secret' })

let count = 0
const next = () => 2_000_000 + ++count
// biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
type Body = any
const callsTo = (method: string): { body: Body }[] => app.sandbox.callsTo(`/bot${TOKEN}/${method}`)
const sentTo = (id: number) => callsTo('sendMessage').filter(({ body }) => body.chat_id === id)
/** A person who has written to the bot, so that it may reply. Returns their Telegram id. */
async function newChat() {
  const id = next()
  await app.telegram('/messages', { from: String(id), text: 'Hi' })
  return id
}
const firstTo = (id: number) => eventually(() => sentTo(id)[0])
const sourceOf = (id: number, messageId = `${id}:${next()}`): Source => ({
  channel: 'telegram',
  address: `tg:${id}`,
  messageId,
})

test('when a page asks for the bot first of all, then it has its address', async () => {
  const answer = await fetch(`${app.url}/internal/telegram`)
  expect(((await answer.json()) as Body).data.url).toBe('https://t.me/voxscribe_bot')
})

test.each([
  ['• *share*: a link', '• share: a link', [['bold', 2, 5]]],
  ['_0:06 · English_', '0:06 · English', [['italic', 0, 14]]],
  [
    '*a* and _b_',
    'a and b',
    [
      ['bold', 0, 1],
      ['italic', 6, 1],
    ],
  ],
  ['😀 *x*', '😀 x', [['bold', 3, 1]]],
  ['2*3*4, snake_case_name, * x *', '2*3*4, snake_case_name, * x *', []],
])('when a text is %j, then Telegram gets its marks apart', (marked, text, entities) => {
  expect(withoutMarks(marked)).toEqual({
    text,
    entities: entities.map(([type, offset, length]) => ({ type, offset, length })),
  })
})

test.each([
  ['people’s words', shielded('say *this* and _that_ *a *b*')],
  ['Markdown', shielded('**Now:** *a* (b* ***c*** _*d*_ ____')],
  ['a link', 'https://voxscribe.test/s/_tOj3vLloaaA_BjdF-_x_-hyzLiQJC9w'],
])('when marks stand in %s, then they stay as they are', (_what, said) => {
  expect(withoutMarks(`*Title*\n${said}\n_0:06_`)).toEqual({
    text: `Title\n${said}\n0:06`,
    entities: [
      { type: 'bold', offset: 0, length: 5 },
      { type: 'italic', offset: said.length + 7, length: 4 },
    ],
  })
})

test('when it starts, then Telegram learns where updates go and the menu of every language', async () => {
  await eventually(() => callsTo('setMyCommands').length >= 9)
  expect(callsTo('setWebhook')[0]?.body).toMatchObject({
    url: 'https://voxscribe.test/webhooks/telegram',
    secret_token: 'secret',
    allowed_updates: ['message', 'edited_message', 'callback_query'],
  })
  const menus = callsTo('setMyCommands').map(({ body }) => body)
  expect(new Set(menus.map(({ language_code }) => language_code ?? 'en')).size).toBe(9)
  for (const { commands } of menus)
    for (const { command, description } of commands) {
      expect(command).toMatch(/^[a-z0-9_]{1,32}$/)
      expect(description).toMatch(/^.{1,256}$/)
    }
})

test('when a note of Telegram has its text, then that quotes the note, with figures in italics', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  const source = sourceOf(id)
  await app.publish(completed(source, { userId }))
  const sent = await firstTo(id)
  expect(sent.body).toMatchObject({
    reply_parameters: {
      message_id: Number(source.messageId.split(':')[1]),
      allow_sending_without_reply: true,
    },
    link_preview_options: { is_disabled: true },
  })
  expect(sent.body.text).toMatch(/^Hello world\.\n\n0:06/)
  expect(sent.body.entities).toMatchObject([{ type: 'italic' }])
})

test('when a note came in a topic of the chat, then its answer and the typing go there, and without it where it is gone', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  await app.publish(completed({ ...sourceOf(id), topicId: 116_834 }, { userId }))
  expect((await firstTo(id)).body.message_thread_id).toBe(116_834)
  const gone = await newChat()
  const missing = { ok: false, error_code: 400, description: 'Bad Request: message thread not found' }
  app.sandbox.script(`POST /bot${TOKEN}/sendMessage`, (response, request, pass) =>
    request.body.message_thread_id ? json(400, missing)(response, request, pass) : pass(),
  )
  await app.publish(completed({ ...sourceOf(gone), topicId: 5 }, { userId }))
  const threads = await eventually(
    () => sentTo(gone)[2] && sentTo(gone).map(({ body }) => body.message_thread_id),
  )
  expect(threads).toEqual([5, 5, undefined])
})

test('when Telegram does not find the message that is quoted, then the answer comes without the quote, in its topic', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  const missing = { ok: false, error_code: 400, description: 'Bad Request: message to be replied not found' }
  app.sandbox.script(`POST /bot${TOKEN}/sendMessage`, (response, request, pass) =>
    request.body.chat_id === id && request.body.reply_parameters
      ? json(400, missing)(response, request, pass)
      : pass(),
  )
  await app.publish(completed({ ...sourceOf(id), topicId: 5 }, { userId }))
  const last = await eventually(() => sentTo(id)[1])
  expect(last.body).toMatchObject({ message_thread_id: 5, text: expect.stringContaining('Hello world') })
})

test('when a note came from a group, then its person gets the text without a quote', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  await app.publish(completed(sourceOf(id, `-100123:${next()}`), { userId }))
  const sent = await firstTo(id)
  expect(sent.body.reply_parameters).toBeUndefined()
})

test('when a text has 9,000 letters, then it comes as one file with its beginning, which fits', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  await app.publish(completed(sourceOf(id), { userId, text: 'Word and word. '.repeat(600), words: 1800 }))
  const file = await eventually(async () => {
    const { messages } = (await app.telegram(`/chats/${id}`)) as Body
    return messages.find(({ type }: Body) => type === 'document')
  })
  expect(file).toMatchObject({
    text: expect.stringMatching(/^Word and word\./),
    file: { mimeType: 'text/plain' },
  })
  expect(sentTo(id)).toEqual([])
})

test('when Telegram asks to wait, then the text comes after that; when the person has blocked the bot, then by mail', async () => {
  const { userId, email } = await app.register()
  const id = await newChat()
  await app.telegram('/faults', { rateLimited: 1 })
  await app.publish(completed(sourceOf(id), { userId }))
  await eventually(() => sentTo(id).length === 2)
  await app.telegram('/faults', { blocked: true })
  await app.publish(completed(sourceOf(id), { userId, text: 'Behind a wall.' }))
  await eventually(() => app.mailServer.to(email).some(({ text }) => text.includes('Behind a wall.')))
  await app.telegram('/faults', { blocked: false })
})

test('when the token is revoked in use, then the answer comes once it counts again', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  let isRevoked = true
  const refused = json(401, { ok: false, error_code: 401, description: 'Unauthorized' })
  app.sandbox.script(`POST /bot${TOKEN}/sendMessage`, (response, request, next) =>
    (isRevoked && request.body.chat_id === id ? refused : simulated)(response, request, next),
  )
  // The bus redelivers it until it succeeds.
  void app.publish(completed(sourceOf(id), { userId })).catch(() => {})
  await firstTo(id)
  isRevoked = false
  await eventually(async () => {
    const { messages } = (await app.telegram(`/chats/${id}`)) as Body
    return messages.some(({ text }: Body) => text?.startsWith('Hello world.'))
  })
})

test('when a chat of Telegram was linked, then it says so', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  const data = { userId, phone: null, whatsappUserId: `tg:${id}`, source: sourceOf(id) }
  await app.publish(SenderLinked.create(data))
  expect((await firstTo(id)).body.text).toContain('now linked to Ada’s account')
})

test('when a stranger writes, then they are answered in the language of their app', async () => {
  const id = await newChat()
  const source = { ...sourceOf(id), language: 'pt-br' }
  await app.publish(SenderUnknown.create({ isNote: true, noteWaits: true, source }))
  expect((await firstTo(id)).body.text).toMatch(/^Oi!|^Olá/)
})

test('when Telegram carries an answer, then it is not counted among those that cost money', async () => {
  const { userId } = await app.register()
  const id = await newChat()
  const count = async () => (await messagesSent.get()).values.reduce((sum, { value }) => sum + value, 0)
  const before = await count()
  await app.publish(completed(sourceOf(id), { userId }))
  await firstTo(id)
  expect(await count()).toBe(before)
})
