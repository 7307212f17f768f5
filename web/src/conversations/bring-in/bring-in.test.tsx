import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { configure, TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js'
import { replaceDelays } from '../../testing/delays.ts'
import { drop } from '../../testing/drop.ts'
import { type FakeHandlers, failure, fakeApi, held, ok } from '../../testing/fake-api.ts'
import { processing } from '../../testing/notes.ts'
import { ada } from '../../testing/people.ts'
import { config } from '../../testing/plans.ts'
import { openApp, renderApp } from '../../testing/render-app.tsx'
import { conversation } from '../testing.ts'

configure({ useWebWorkers: false })

const CHAT = [
  '17/08/2025, 10:00 - Hattie: a.opus (file attached)',
  '18/08/2025, 10:01 - Ewan: b.opus (file attached)',
  '19/08/2025, 10:02 - Ewan: yes',
].join('\n')

async function zip(files: Record<string, string>): Promise<File> {
  const writer = new ZipWriter(new Uint8ArrayWriter())
  for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text))
  return new File([await writer.close()], 'WhatsApp Chat - Ewan.zip')
}
const whole = () => zip({ '_chat.txt': CHAT, 'a.opus': 'one', 'b.opus': 'two' })

const pagination = { page: 1, limit: 10, total: 0, totalPages: 0 }
const note = (file: string, transcriptionId: string | null) => ({
  file,
  bytes: 3,
  at: null,
  personId: null,
  transcriptionId,
})
const open = (handlers: FakeHandlers = {}, at = '/conversations') =>
  openApp(at, { conversations: () => ok({ conversations: [], pagination }), ...handlers }, ada)
const made = (a: string | null, b: string | null) => () =>
  ok<'createConversation'>({
    conversation: { ...conversation, name: 'Ewan', notes: [note('a.opus', a), note('b.opus', b)] },
  })
const sent = () => ok<'upload'>({ transcription: processing })

test('when an export is dropped, then it says what is in it, and sends text and voice notes on request, newest first', async () => {
  const { api, user } = open({ createConversation: made(null, null), upload: sent })
  await screen.findByText('No chats yet')
  drop(await whole())
  const found = within(await screen.findByRole('region', { name: 'Ewan' }))
  expect(found.getByText(/^.Hattie. and .Ewan.$/)).toBeTruthy()
  expect(found.getByText('August 17, 2025 – August 19, 2025')).toBeTruthy()
  expect(found.getByText(/^2 voice notes of these days take/)).toBeTruthy()
  expect(api.of('createConversation')).toHaveLength(0)
  await user.click(found.getByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('2 of 2 voice notes sent')).toBeTruthy()
  expect(api.of('createConversation')[0]!.body).toMatchObject({
    source: 'whatsapp',
    name: 'Ewan',
    text: CHAT,
  })
  const uploads = api.of('upload') as unknown as { body: FormData; idempotencyKey?: string }[]
  expect(uploads.map(({ body }) => [body.get('conversation'), body.get('conversationFile')])).toEqual([
    ['c1', 'b.opus'],
    ['c1', 'a.opus'],
  ])
  // A key's claim would survive a killed server; the server recognizes a recording without a key.
  expect(uploads.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined, undefined])
  expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/conversations/c1')
})

test('when the page is loaded again while a chat is made, then it appears by itself', async () => {
  replaceDelays({ 5000: 50 })
  const first = held()
  const { user, unmount } = open({ createConversation: first.handler })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  const leaving = new Event('beforeunload', { cancelable: true })
  await waitFor(() => {
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
  })
  unmount()

  const none = ok<'conversations'>({ conversations: [], pagination })
  const row = { ...conversation, name: 'Ewan' }
  const one = ok<'conversations'>({
    conversations: [row],
    pagination: { ...pagination, total: 1, totalPages: 1 },
  })
  const answers = [none, none]
  const api = fakeApi({ profile: () => ok({ user: ada }), config: () => ok(config) })
  api.on({ conversations: () => answers.shift() ?? one })
  renderApp('/conversations', { as: ada })
  expect(await screen.findByRole('link', { name: 'Ewan' })).toBeTruthy()
})

test('when a chat is refused, then it says why, and can be brought in again', async () => {
  const answers = [failure(429, 'Too many'), made('n1', 'n2')()]
  const { user, place } = open({ createConversation: () => answers.shift()!, upload: sent })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Too many')
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  await waitFor(() => expect(place()).toBe('/conversations/c1'))
})

test('when it is brought in again after the page was closed, then only what is not there is sent', async () => {
  const { api, user } = open({ createConversation: made('n1', null), upload: sent })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('1 of 1 voice note sent')).toBeTruthy()
  const uploads = api.of('upload') as unknown as { body: FormData }[]
  expect(uploads.map(({ body }) => body.get('conversationFile'))).toEqual(['b.opus'])
})

test('when days are chosen, then only their voice notes are sent', async () => {
  const { api, user } = open({ createConversation: made(null, null), upload: sent })
  await screen.findByText('No chats yet')
  drop(await whole())
  const from = await screen.findByLabelText<HTMLInputElement>('From')
  fireEvent.change(from, { target: { value: '2025-08-18' } })
  expect(screen.getByText(/^1 voice note of these days takes/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('1 of 1 voice note sent')).toBeTruthy()
  expect(api.of('upload')).toHaveLength(1)
})

test('when sending is canceled, then nothing more is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof sent>>()
  const { api, user } = open({ createConversation: made(null, null), upload: () => promise })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  await waitFor(() => expect(api.of('upload')).toHaveLength(1))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  resolve(sent())
  await waitFor(() => expect(screen.queryByText(/voice notes sent/)).toBeNull())
  expect(api.of('upload')).toHaveLength(1)
})

test('when the files of an hour are used up, then the page says when it goes on, and it does', async () => {
  const full = (seconds: number) => () => ({
    ...failure(429, 'Too many', { code: 'rate_limited' }),
    headers: { 'retry-after': String(seconds) },
  })
  const answers = [sent, full(0.01), sent, full(3_600)]
  const { api, user } = open({
    createConversation: made(null, null),
    upload: () => (answers.shift() ?? full(3_600))(),
  })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('2 of 2 voice notes sent')).toBeTruthy()
  expect(api.of('upload')).toHaveLength(3)
  expect(screen.queryByText(/It goes on by itself/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect((await screen.findByText(/^You’ve sent as many files/)).textContent).toMatch(/itself at .*:\d\d/)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText(/It goes on by itself/)).toBeNull())
  expect(api.of('upload')).toHaveLength(4)
})

test('when a server is away for a while, then all is sent once it is back, and nothing is said', async () => {
  replaceDelays({ 2000: 1, 4000: 1, 6000: 1, 8000: 1 })
  const away = () => failure(503, 'Away')
  const answers = [away, away, away, away]
  const { api, user } = open({
    createConversation: made(null, null),
    upload: () => (answers.shift() ?? sent)(),
  })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('2 of 2 voice notes sent')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(api.of('upload')).toHaveLength(6)
})

test('when a server is away, then the page says that it goes on by itself', async () => {
  const { user } = open({ createConversation: made(null, null), upload: () => failure(503, 'Away') })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText(/^The server doesn’t answer/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
})

test('when a voice note is refused, then the others are sent, and the page says which and why', async () => {
  const upload: FakeHandlers['upload'] = ({ body }) =>
    (body as unknown as FormData).get('conversationFile') === 'b.opus'
      ? failure(415, 'No sound in it.')
      : sent()
  const { user } = open({ createConversation: made(null, null), upload })
  await screen.findByText('No chats yet')
  drop(await whole())
  await user.click(await screen.findByRole('button', { name: 'Bring in this chat' }))
  expect(await screen.findByText('1 of 2 voice notes sent')).toBeTruthy()
  expect((await screen.findByRole('alert')).textContent).toBe('b.opus: No sound in it.')
})

test('when a ZIP is dropped on the history, then the page of chats opens with it', async () => {
  const { place } = open({}, '/transcription-history')
  await screen.findByLabelText('Audio or video files')
  drop(await zip({ 'IMG-1.jpg': 'x' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^There is no chat in it/)
  expect(place()).toBe('/conversations')
})

test('when dates can be read two ways, then the page asks with both readings', async () => {
  const { api, user } = open({ createConversation: made(null, null), upload: sent })
  await screen.findByText('No chats yet')
  drop(new File(['03/04/2025, 10:00 - Hattie: hello'], '_chat.txt'))
  const when = await screen.findByRole('combobox', { name: /The dates can be read two ways/ })
  expect([...when.querySelectorAll('option')].map(({ text }) => text)).toEqual([
    'April 3, 2025',
    'March 4, 2025',
  ])
  await user.selectOptions(when, 'March 4, 2025')
  await user.click(screen.getByRole('button', { name: 'Bring in this chat' }))
  await waitFor(() => expect(api.of('createConversation')[0]?.body).toMatchObject({ dayFirst: false }))
})
