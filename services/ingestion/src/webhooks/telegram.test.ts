import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytes, json } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import { ingestionForAll, mediaIdFor, unique } from '../testing.ts'
import { readUpdate } from './telegram-update.ts'

const SECRET = 'telegram_secret'
const BOT = '123'
const TOKEN = `${BOT}:bot-token`
const settings: Record<string, string> = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_WEBHOOK_SECRET: SECRET }
const app = ingestionForAll(settings)

let count = 0
const next = () => 1_000_000 + ++count
interface Person {
  id: number
  language_code?: string
}
const newPerson = (): Person => ({ id: next(), language_code: 'pt-br' })
const privately = ({ id }: Person) => ({ id, type: 'private' })
const message = (from: Person, more: object = {}) => ({
  message_id: next(),
  from: { is_bot: false, first_name: 'Ada', ...from },
  chat: privately(from),
  date: 1_739_321_024,
  ...more,
})
const idOf = (of: object) => readUpdate(Buffer.from(JSON.stringify({ message: of })), BOT)?.message.id ?? ''
const mediaOf = (of: ReturnType<typeof message>) => mediaIdFor(idOf(of), 0, 'telegram')

const post = (body: string, secret: string | null = SECRET) =>
  fetch(`${app.url}/webhooks/telegram`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...(secret !== null && { 'x-telegram-bot-api-secret-token': secret }),
    },
  })
async function deliver(update: object) {
  const { status } = await post(JSON.stringify({ update_id: next(), ...update }))
  expect(status).toBe(200)
}
const receipt = (id: string) => app.receipt(id, 'telegram')

/** Makes Telegram serve a file of these bytes under a new id. */
function offer(file = recording(), size = file.length) {
  const file_id = unique('file-')
  answers.set(
    file_id,
    json(200, { ok: true, result: { file_id, file_size: size, file_path: `voice/${file_id}` } }),
  )
  app.on(`/file/bot${TOKEN}/voice/${file_id}`, bytes(file))
  return { file_id, file_unique_id: file_id, duration: 3, mime_type: 'audio/ogg', file_size: size }
}
const answers = new Map<string, ReturnType<typeof json>>()
beforeAll(() => {
  app.sandbox.script(`POST /bot${TOKEN}/getFile`, (response, request, pass) =>
    (
      answers.get(request.body.file_id) ?? json(404, { ok: false, error_code: 404, description: 'Not Found' })
    )(response, request, pass),
  )
  app.sandbox.script(`POST /bot${TOKEN}/answerCallbackQuery`, json(200, { ok: true, result: true }))
})

async function linked() {
  const { userId, code } = await app.account()
  const person = newPerson()
  const start = message(person, { text: `/start ${code}` })
  await deliver({ message: start })
  await app.linked(idOf(start))
  return { userId, person, code }
}

test.each([null, '', 'wrong', `${SECRET} `])(
  'when the secret is %j, then the update is refused before its body is read',
  async secret => {
    const note = message(newPerson(), { voice: offer() })
    const { status, headers } = await post(
      JSON.stringify({ message: note, filling: 'x'.repeat(5_000_000) }),
      secret,
    )
    expect(status).toBe(secret === `${SECRET} ` ? 413 : 401)
    expect(headers.get('content-type')).toContain('json')
    expect(await receipt(idOf(note))).toBeNull()
  },
)

test('when another bot takes the place of one, then its messages are not those of the first, whose counting it begins again', () => {
  const update = Buffer.from(JSON.stringify({ message: message(newPerson(), { voice: offer() }) }))
  const ids = [BOT, '124'].map(bot => readUpdate(update, bot)?.message.id)
  expect(ids[0]).toBeTruthy()
  expect(ids[0]).not.toBe(ids[1])
})

test('when a person presses Start behind a link with their code, then the chat is theirs, and notes from it, too', async () => {
  const { userId, person } = await linked()
  const note = message(person, { voice: offer() })
  await deliver({ message: note })
  expect(await app.received(mediaOf(note))).toMatchObject({
    userId,
    fileName: 'Voice note 2025-02-12 00.43.ogg',
    source: { channel: 'telegram', address: `tg:${person.id}`, messageId: idOf(note), language: 'pt-br' },
  })
})

test.each([
  ['audio', 'Audio 2025-02-12 00.43.mp3', { mime_type: 'audio/mpeg' }],
  ['audio', 'Song.mp3', { mime_type: 'audio/mpeg', file_name: 'Song.mp3' }],
  ['video', 'Video 2025-02-12 00.43.mp4', { mime_type: 'video/mp4' }],
  ['video_note', 'Video 2025-02-12 00.43.mp4', { mime_type: undefined }],
  ['document', 'passwd', { mime_type: 'application/octet-stream', file_name: '../../etc/passwd' }],
])('when a %s comes, then it is a note named %s', async (kind, fileName, more) => {
  const { person } = await linked()
  const note = message(person, { [kind]: { ...offer(), ...more }, caption: 'Listen!' })
  await deliver({ message: note })
  expect(await app.received(mediaOf(note))).toMatchObject({ fileName })
})

test.each([
  ['a photo', { photo: [{ file_id: 'x' }], caption: 'Look' }],
  ['a place', { location: { latitude: 1, longitude: 2 } }],
  ['a PDF', { document: { file_id: 'x', file_name: 'a.pdf', mime_type: 'application/pdf' } }],
  ['a moving picture', { animation: { file_id: 'x' }, document: { file_id: 'x', mime_type: 'video/mp4' } }],
])('when %s comes, then its person learns what can be sent', async (_what, content) => {
  const { person } = await linked()
  const picture = message(person, content)
  await deliver({ message: picture })
  expect((await app.refused(idOf(picture))).data.reason.code).toBe('nothing_to_hear')
})

test.each([
  ['twice', 'message', 'message', 'edited_message'],
  ['after its correction', 'edited_message', 'message'],
])('when an update comes %s, then there is one note', async (_how, ...kinds) => {
  const { person } = await linked()
  const note = message(person, { voice: offer() })
  const corrected = { ...note, edit_date: 1_739_321_099, caption: 'New words' }
  for (const kind of kinds) await deliver({ [kind]: kind === 'message' ? note : corrected })
  await app.received(mediaOf(note))
  expect(app.announced(mediaOf(note))).toBe(1)
})

test('when an update has 2 MB, then its note is taken', async () => {
  const { person } = await linked()
  const note = message(person, { voice: offer(), caption: 'VX- '.repeat(500_000) })
  await deliver({ message: note })
  await app.received(mediaOf(note))
})

test.each([
  ['/help', 'help'],
  ['/minutes@voxscribe_bot', 'minutes'],
  ['/start', 'help'],
  ['minutos', 'minutes'],
])('when a person writes %s, then it is the command %s', async (text, command) => {
  const { person } = await linked()
  const asked = message(person, { text })
  await deliver({ message: asked })
  expect((await app.commanded(idOf(asked))).data).toMatchObject({ command })
})

test('when a command is corrected, then it is a new one', async () => {
  const { person } = await linked()
  const wrong = message(person, { text: 'xyzzy' })
  const right = { ...wrong, text: 'help', edit_date: 1_739_321_099 }
  await deliver({ message: wrong })
  await deliver({ edited_message: right })
  expect((await app.commanded(idOf(right))).data.command).toBe('help')
})

test('when a command gets a reaction, which comes as an edit, then it is not run again', async () => {
  const { person, userId } = await linked()
  const asked = message(person, { text: 'help' })
  await deliver({ message: asked })
  await app.commanded(idOf(asked))
  const next = message(person, { text: 'minutes' })
  await deliver({ edited_message: { ...asked, edit_date: 1_739_321_099 } })
  await deliver({ message: next })
  await app.commanded(idOf(next))
  const commands = app.others.sent('ChatCommandReceived').filter(({ data }) => data.userId === userId)
  expect(commands.map(({ data }) => data.command)).toEqual(['help', 'minutes'])
})

test('when a message gets a reaction so late that it is forgotten here, then nothing happens', async () => {
  const { person, userId } = await linked()
  const [asked, note] = [message(person, { text: 'help' }), message(person, { voice: offer() })]
  for (const old of [asked, note])
    await deliver({ edited_message: { ...old, edit_date: old.date + 31 * 86_400 } })
  const next = message(person, { text: 'minutes' })
  await deliver({ message: next })
  await app.commanded(idOf(next))
  const commands = app.others.sent('ChatCommandReceived').filter(({ data }) => data.userId === userId)
  expect(commands.map(({ data }) => data.command)).toEqual(['minutes'])
  expect(app.announced(mediaOf(note))).toBe(0)
})

test('when a place moves, then its person learns once what can be sent', async () => {
  const { person } = await linked()
  const place = message(person, { location: { latitude: 1, longitude: 2, live_period: 900 } })
  await deliver({ message: place })
  await deliver({ edited_message: { ...place, edit_date: 1_739_321_099 } })
  await app.refused(idOf(place))
  const refused = app.others.sent('MessageRefused').map(({ data }) => data.source.address)
  expect(refused.filter(address => address === `tg:${person.id}`)).toHaveLength(1)
})

test('when a button is pressed, then its words quote the message with it, each press once, and Telegram is answered', async () => {
  const { person, userId } = await linked()
  const note = message(person, { voice: offer() })
  await deliver({ message: note })
  const with_ = { message_id: note.message_id, chat: note.chat, date: 0 }
  const callback_query = {
    id: unique('callback'),
    from: { ...person, is_bot: false },
    message: with_,
    data: 'txt',
  }
  for (let time = 0; time < 2; time++) await deliver({ callback_query })
  const pressed = await eventually(() =>
    app.others.sent('NoteCommandReceived').find(({ data }) => data.userId === userId),
  )
  expect(pressed.data).toMatchObject({ command: { name: 'export', format: 'txt' }, noteId: mediaOf(note) })
  expect(app.others.sent('NoteCommandReceived').filter(({ data }) => data.userId === userId)).toHaveLength(1)
  const answered = () =>
    app.sandbox
      .callsTo(`/bot${TOKEN}/answerCallbackQuery`)
      .filter(({ body }) => body.callback_query_id === callback_query.id)
  await eventually(() => answered().length === 2)
})

test('when a reply quotes a command, a note or a message of ours, then it has the id of that message, and says whose it is', async () => {
  const { person, userId } = await linked()
  const [asked, note] = [message(person, { text: 'help' }), message(person, { voice: offer() })]
  const ours = message(person, { from: { id: 7, is_bot: true }, text: 'Hello' })
  for (const [reply_to_message, quoted, quotesOwn] of [
    [asked, idOf(asked), true],
    [note, idOf(note), true],
    [ours, `${person.id}:${ours.message_id}:${BOT}`, undefined],
  ] as const) {
    const reply = message(person, { text: 'txt', reply_to_message })
    await deliver({ message: reply })
    const { data } = await eventually(() =>
      app.others.sent('NoteCommandReceived').find(({ data }) => data.source.messageId === idOf(reply)),
    )
    expect([data.userId, data.quoted, data.quotesOwn]).toEqual([userId, quoted, quotesOwn])
  }
})

test('when a text is forwarded, then it orders nothing, but a link code in it links', async () => {
  const { person } = await linked()
  const forward_origin = { type: 'user', sender_user: { id: 5, is_bot: false, first_name: 'Bob' }, date: 1 }
  await deliver({ message: message(person, { voice: offer() }) })
  const forwarded = message(person, { text: 'delete', forward_origin })
  await deliver({ message: forwarded })
  expect((await app.commanded(idOf(forwarded))).data.command).toBe('hint')
  const { code } = await app.account()
  const link = message(newPerson(), { text: code, forward_origin })
  await deliver({ message: link })
  await app.linked(idOf(link))
})

test('when the link is followed again, then its person learns that the chat is linked', async () => {
  const { person, userId, code } = await linked()
  await app.change(userId, null, 1, 'VX-AGAQN222', undefined, code)
  const again = message(person, { text: `/start ${code}` })
  await deliver({ message: again })
  const { data } = await app.linked(idOf(again))
  expect(data).toMatchObject({ userId })
  expect(data.usedCode).toBeUndefined()
})

test('when a button is pressed in a group, or by a bot, then it is nobody’s press', async () => {
  const { person, userId } = await linked()
  const press = (from: object, chat: object) => ({
    id: unique('callback'),
    from: { ...person, is_bot: false, ...from },
    message: { message_id: next(), chat, date: 0 },
    data: 'minutes',
  })
  await deliver({ callback_query: press({}, { id: -100_123, type: 'supergroup' }) })
  await deliver({ callback_query: press({ is_bot: true }, privately(person)) })
  await deliver({ callback_query: press({}, privately(person)) })
  const asked = () => app.others.sent('ChatCommandReceived').filter(({ data }) => data.userId === userId)
  await eventually(() => asked().length)
  expect(asked()).toHaveLength(1)
})

test('when a note is sent in a topic of the chat, then its source has it; a group’s topic is not the person’s', async () => {
  const { person } = await linked()
  const topic = { message_thread_id: 116_834, is_topic_message: true }
  const note = message(person, { voice: offer(), ...topic })
  await deliver({ message: note })
  expect((await app.received(mediaOf(note))).source).toMatchObject({ topicId: 116_834 })
  const grouped = message(person, { voice: offer(), ...topic, chat: { id: -100_123, type: 'supergroup' } })
  await deliver({ message: grouped })
  expect((await app.received(mediaOf(grouped))).source).not.toHaveProperty('topicId')
})

test('when a Bot API server of our own names a path of this machine, then the file is read from there', async () => {
  const { person } = await linked()
  const folder = await mkdtemp(join(tmpdir(), 'bot-api-'))
  const here = join(folder, 'file_1.oga')
  await writeFile(here, recording())
  for (const [file_path, path] of [
    [here, undefined],
    [`${folder}/${TOKEN}/voice/elsewhere.oga`, 'voice/elsewhere.oga'],
  ] as const) {
    const file_id = unique('file-')
    answers.set(file_id, json(200, { ok: true, result: { file_id, file_path } }))
    if (path) app.on(`/file/bot${TOKEN}/${path}`, bytes(recording()))
    const note = message(person, { voice: { ...offer(), file_id } })
    await deliver({ message: note })
    expect(await app.received(mediaOf(note))).toBeTruthy()
  }
})

test('when a stranger sends a note, then it waits, and is theirs once they start with their code', async () => {
  const { userId, code } = await app.account()
  const person = newPerson()
  const note = message(person, { voice: offer() })
  await deliver({ message: note })
  expect(
    (await app.others.sent('SenderUnknown')).at(-1)?.data ?? (await app.unknown(idOf(note))).data,
  ).toMatchObject({
    noteWaits: true,
  })
  await deliver({ message: message(person, { text: `/start ${code}` }) })
  expect(await app.received(mediaOf(note))).toMatchObject({ userId })
})

test('when two accounts link one chat, then the second learns that it is taken', async () => {
  const { person } = await linked()
  const { code } = await app.account()
  const second = message(person, { text: `/start ${code}` })
  await deliver({ message: second })
  expect((await app.refused(idOf(second))).data.reason.code).toBe('sender_taken')
})

test('when Start comes with 64 odd letters, then a stranger learns how it begins', async () => {
  const start = message(newPerson(), { text: `/start ${'x_-9'.repeat(16)}` })
  await deliver({ message: start })
  await app.unknown(idOf(start))
})

test('when a member of a group sends a note, then they are answered in their own chat; bystanders are not', async () => {
  const { person, userId } = await linked()
  const group = { id: -100_123, type: 'supergroup' }
  const note = message(person, { chat: group, voice: offer() })
  const bystanders = message(newPerson(), { chat: group, voice: offer() })
  const talk = message(person, { chat: group, text: 'help' })
  for (const each of [bystanders, talk, note]) await deliver({ message: each })
  expect(await app.received(mediaOf(note))).toMatchObject({
    userId,
    source: { address: `tg:${person.id}`, messageId: idOf(note) },
  })
  for (const each of [bystanders, talk]) expect(await receipt(idOf(each))).toBeNull()
})

test.each([0, -1, 1e13, Number.MAX_SAFE_INTEGER, '1739321024', 'soon', null])(
  'when a note is of the second %j, then it is taken, and named after a day that was or is',
  async date => {
    const note = message(newPerson(), { voice: offer(), date })
    await deliver({ message: note, update_id: next() })
    const [media] = (await receipt(idOf(note)))?.media ?? []
    const today = new Date().toISOString().slice(0, 10)
    expect(media.fileName).toContain(date === '1739321024' ? '2025-02-12' : today)
  },
)

test('when what else a message could be is null, then it is read as what it is', async () => {
  const { person } = await linked()
  const none = Object.fromEntries(
    'voice audio video_note video document animation photo location contact poll reply_to_message caption'
      .split(' ')
      .map(field => [field, null]),
  )
  const asked = message(person, { ...none, text: 'help' })
  await deliver({ message: asked })
  expect((await app.commanded(idOf(asked))).data.command).toBe('help')
})

test.each([
  ['without a sender', { message: { message_id: 1, chat: { id: 1, type: 'private' }, date: 1, text: 'x' } }],
  [
    'of a channel',
    { channel_post: { message_id: 1, chat: { id: -1, type: 'channel' }, date: 1, text: 'x' } },
  ],
  ['from a bot', { message: message({ id: 5 }, { from: { id: 5, is_bot: true }, text: 'help' }) }],
  ['of an unknown kind', { poll_answer: {} }],
  ['without anything', {}],
])('when an update comes %s, then it is taken, and nothing happens', async (_what, update) => {
  await deliver(update)
})

test.each(['', 'null', '[1]', '{"message":', '"x"'])('when the body is %s, then it is taken', async body => {
  expect((await post(body)).status).toBe(200)
})

test('when a file is over 16 MB, as announced, as it comes, or as Telegram refuses it, then the note is refused', async () => {
  const { person } = await linked()
  const announced = offer(recording(), 17 * 2 ** 20)
  const grown = offer(Buffer.alloc(16 * 2 ** 20 + 1, 'a'), 1000)
  const refused = offer()
  const tooBig = { ok: false, error_code: 400, description: 'Bad Request: file is too big' }
  answers.set(refused.file_id, json(400, tooBig))
  for (const voice of [announced, grown, refused]) {
    const note = message(person, { voice })
    await deliver({ message: note })
    expect((await app.rejected(mediaOf(note))).reason.code).toBe('too_large')
  }
})

test('when the token is revoked, then the note waits and nothing about it leaks', async () => {
  const { person } = await linked()
  const voice = offer()
  const usual = answers.get(voice.file_id)
  answers.set(voice.file_id, json(401, { ok: false, error_code: 401, description: 'Unauthorized' }))
  const note = message(person, { voice })
  await deliver({ message: note })
  await eventually(() =>
    app.sandbox.callsTo(`/bot${TOKEN}/getFile`).some(({ body }) => body.file_id === voice.file_id),
  )
  expect(await app.mediaRecord(mediaOf(note))).toBeNull()
  if (usual) answers.set(voice.file_id, usual)
  await app.received(mediaOf(note))
})
