import { eventually } from '@voxscribe/service/testing'
import { type Both, startBoth } from '../testing/running.ts'

const TOKEN = '1:0e29b1540b3d5d99'
let both: Both
beforeAll(async () => {
  both = await startBoth({ telegram: { token: TOKEN, secret: 'secret', username: 'voxscribe_bot' } })
})
afterAll(() => both.stop())

// biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
type Body = any
/** The first update of a kind that the product receives. */
const updateWith = (fits: (body: Body) => unknown) =>
  eventually(() =>
    both.product.received
      .map(({ headers, body }) => ({ headers, body: JSON.parse(body) as Body }))
      .find(({ body }) => fits(body)),
  )
const bot = (method: string, body: object = {}, token = TOKEN) =>
  both.call('POST', `/bot${token}/${method}`, body)

test('when a bot has another token, then it is refused', async () => {
  expect(await bot('getMe', {}, '2:another')).toMatchObject({
    status: 401,
    body: { ok: false, error_code: 401 },
  })
  expect((await bot('getMe')).body.result).toMatchObject({ is_bot: true, username: 'voxscribe_bot' })
  expect((await bot('getSomething')).status).toBe(404)
})

test('when a person writes and presses a button, then the product gets updates with the secret, and can answer', async () => {
  const from = '70000001'
  expect((await bot('sendMessage', { chat_id: Number(from), text: 'x' })).status).toBe(400)
  const hello = new FormData()
  hello.set('from', from)
  hello.set('text', '/start VX-ABCDEFGH')
  await both.call('POST', '/api/telegram/messages', hello)
  const first = await updateWith(body => body.message?.text === '/start VX-ABCDEFGH')
  expect(first.headers['x-telegram-bot-api-secret-token']).toBe('secret')
  expect(first.body.message).toMatchObject({
    from: { id: Number(from), is_bot: false },
    chat: { id: Number(from), type: 'private' },
  })
  const reply_markup = { inline_keyboard: [[{ text: 'Text file', callback_data: 'txt' }]] }
  const answer = { chat_id: Number(from), text: 'Hello', reply_markup }
  const { message_id } = (await bot('sendMessage', answer)).body.result
  const { messages } = (await both.call('GET', `/api/telegram/chats/${from}`)).body
  expect(messages.at(-1)).toMatchObject({ direction: 'in', text: 'Hello', buttons: [{ id: 'txt' }] })
  await both.call('POST', '/api/telegram/messages', { from, replyTo: messages.at(-1).id, button: 'txt' })
  const pressed = await updateWith(body => body.callback_query)
  expect(pressed.body.callback_query).toMatchObject({ data: 'txt', message: { message_id } })
  for (const { id, text } of messages) {
    await both.call('POST', '/api/telegram/messages', { from, replyTo: id, text: `to ${text}` })
    const reply = await updateWith(body => body.message?.text === `to ${text}`)
    expect(reply.body.message.reply_to_message).toMatchObject({ text, from: { is_bot: text === 'Hello' } })
  }
})
