import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ConversationMessage } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, noNetwork, ok } from '../testing/fake-api.ts'
import { document } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { conversation } from './testing.ts'

const message = (n: number, more: Partial<ConversationMessage> = {}): ConversationMessage => ({
  n,
  at: '2025-03-14T20:00:00Z',
  personId: 'p1',
  kind: 'text',
  text: `message ${n}`,
  edited: false,
  file: null,
  note: null,
  ...more,
})
const note = { id: 'n1', status: 'completed' as const, durationSeconds: 3, text: 'bring bread' }
const messages = [
  message(1),
  message(2, { personId: 'p2', kind: 'note', text: '', file: { name: 'a.opus', omitted: false }, note }),
  message(3, { at: '2025-03-15T20:00:00Z', kind: 'file', text: '', file: { name: null, omitted: true } }),
]

const wayBack = () => screen.getByRole('link', { name: 'All chats' }).getAttribute('href')

test('when a chat is opened, then its days, people, notes and files stand in order, and more is loaded', async () => {
  const { api, user } = openApp(
    '/conversations/c1',
    {
      conversation: () => ok<'conversation'>({ conversation }),
      conversationMessages: ({ query }) =>
        ok<'conversationMessages'>(
          String(query.after) === '3'
            ? {
                messages: [
                  message(4, {
                    at: '2025-03-15T20:00:00Z',
                    personId: null,
                    kind: 'system',
                    text: 'Ana left',
                  }),
                ],
                next: null,
              }
            : { messages, next: 3 },
        ),
    },
    ada,
  )
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('العائلة')
  expect(wayBack()).toBe('/conversations')
  expect(await screen.findByText('bring bread')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2, name: /2025/ }).map(day => day.textContent)).toEqual([
    'Friday, March 14, 2025',
    'Saturday, March 15, 2025',
  ])
  expect(screen.getByText('File, left out of the export')).toBeTruthy()
  expect(await screen.findByText('Ana left')).toBeTruthy()
  expect(screen.getByRole('article', { name: /^Bo, 9:00/ }).textContent).toMatch(/bring bread/)
  expect(screen.getByRole('button', { name: 'Play the voice note of Bo' })).toBeTruthy()
  expect(
    within(screen.getByRole('list', { name: 'Messages' }))
      .getAllByRole('listitem')
      .map(item => `${item.ariaPosInSet ?? item.getAttribute('aria-posinset')} of 4`),
  ).toEqual(['1 of 4', '2 of 4', '3 of 4', '4 of 4'])
  for (const name of ['Ana', 'Bo']) {
    await user.keyboard('j')
    await waitFor(() =>
      expect(window.document.activeElement?.getAttribute('aria-label')).toMatch(`${name}, 9:00`),
    )
  }
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'bread')
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() =>
    expect(api.of('conversationMessages').at(-1)).toMatchObject({ query: { search: 'bread' } }),
  )
  await waitFor(() =>
    expect(screen.getAllByRole('mark').map(({ textContent }) => textContent)).toEqual(['bread']),
  )
})

test('when a question is typed into the search of a chat, then it is asked of this chat alone', async () => {
  const quote = {
    ...{ transcriptionId: 'n1', title: 'Bread', at: '2025-03-14T20:00:00.000Z' },
    ...{ segment: '1', start: 2, text: 'bring bread' },
  }
  const answer = [{ text: 'Bread.', quotes: [quote] }]
  const { api, user } = openApp(
    '/conversations/c1?search=what+shall+I+bring',
    {
      conversation: () => ok<'conversation'>({ conversation }),
      conversationMessages: () => ok<'conversationMessages'>({ messages: [], next: null }),
      ask: () => ok<'ask'>({ found: true, answer, passages: [], searched: [], left: 59 }),
    },
    ada,
  )
  await user.click(await screen.findByRole('button', { name: 'Ask your notes' }))
  const link = await screen.findByRole('link', { name: 'Bread' })
  expect(link.getAttribute('href')).toBe('/transcriptions/n1?t=2&search=bring+bread')
  expect(screen.queryByText(/more questions/)).toBeNull()
  expect(api.of('ask')[0]?.body).toEqual({ question: 'what shall I bring', conversation: 'c1' })
})

test('when it is gone, then the page says so', async () => {
  openApp(
    '/conversations/c9',
    { conversation: () => failure(404, 'There is no such conversation.', { code: 'conversation_unknown' }) },
    ada,
  )
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(
    'There is no such conversation.',
  )
  expect(wayBack()).toBe('/conversations')
})

test('when a chat is opened on a narrow screen, then what is about all of it is in one row', async () => {
  const listen = { addEventListener() {}, removeEventListener() {} }
  window.matchMedia = () => ({ matches: false, ...listen }) as unknown as MediaQueryList
  try {
    openApp(
      '/conversations/c1',
      {
        conversation: () => ok<'conversation'>({ conversation }),
        conversationMessages: () => ok<'conversationMessages'>({ messages, next: null }),
      },
      ada,
    )
    const row = (await screen.findByText('About this chat')).closest('details')!
    expect(row.open).toBe(false)
    for (const name of ['Go to a day', 'People', 'Download', 'Share a link', 'Rename or delete'])
      expect(row.contains(screen.getByText(name))).toBe(true)
    expect(row.contains(screen.getByRole('searchbox', { name: 'Search' }))).toBe(false)
  } finally {
    Reflect.deleteProperty(window, 'matchMedia')
  }
})

test('when a person says who they are, then their messages stand on the other side', async () => {
  const { api, user } = openApp(
    '/conversations/c1',
    {
      conversation: () => ok<'conversation'>({ conversation: { ...conversation, me: null } }),
      conversationMessages: () => ok<'conversationMessages'>({ messages, next: null }),
      changeConversation: () => ok<'changeConversation'>({ conversation: { ...conversation, version: 2 } }),
    },
    ada,
  )
  await user.click(await screen.findByText('People'))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'You in this chat' }), 'Ana')
  await waitFor(() =>
    expect(screen.getAllByRole('article', { name: /^Ana/ })[0]?.className).toMatch(/ms-auto/),
  )
  expect(api.of('changeConversation')[0]!.body).toEqual({ me: 'p1', version: 1 })
})

const open = (more: FakeHandlers, at = '/conversations/c1') =>
  openApp(
    at,
    {
      conversation: () => ok<'conversation'>({ conversation }),
      conversationMessages: () => ok<'conversationMessages'>({ messages, next: null }),
      ...more,
    },
    ada,
  )

test('when all is played, then a voice note begins when the one before ends, also one that was not loaded', async () => {
  const played: HTMLMediaElement[] = []
  const paths: string[] = []
  Object.assign(HTMLMediaElement.prototype, {
    async play(this: HTMLMediaElement) {
      played.push(this)
      paths.push(new URL(this.src).pathname)
    },
    pause() {},
  })
  const listed = { file: 'a.opus', bytes: 1, at: null, personId: 'p2', transcriptionId: 'n1' }
  const more = [message(4, { kind: 'note', note: { ...note, id: 'n0', status: 'failed' } }), message(5)]
  const last = message(6, { kind: 'note', note: { ...note, id: 'n2', text: 'and salt' } })
  const { user } = open({
    conversation: () => ok<'conversation'>({ conversation: { ...conversation, notes: [listed] } }),
    conversationMessages: ({ query: { after } }) =>
      ok<'conversationMessages'>(
        String(after) === '3' ? { messages: [...more, last], next: null } : { messages, next: 3 },
      ),
    transcription: ({ params: { id } }) =>
      ok<'transcription'>({ transcription: { ...document, id: id!, audioUrl: `/audio/${id}` } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Play all voice notes' }))
  await screen.findByRole('button', { name: 'Pause' })
  expect(screen.getByRole('article', { current: true }).textContent).toMatch(/bring bread/)
  fireEvent(played[0]!, new Event('ended'))
  await waitFor(() => expect(paths).toEqual(['/audio/n1', '/audio/n2']))
  await waitFor(() => expect(screen.getByRole('article', { current: true }).textContent).toMatch(/and salt/))
  // A phone plays on by itself only with an element that a press has started.
  expect(new Set(played).size).toBe(1)
  fireEvent(played[1]!, new Event('ended'))
  expect(await screen.findByRole('button', { name: 'Play all voice notes' })).toBeTruthy()
  expect(paths).toHaveLength(2)
})

test('when a day is chosen, then the chat begins there, and earlier messages are a press away', async () => {
  const { api, user, place } = open({
    conversationMessages: ({ query }) =>
      ok<'conversationMessages'>({
        messages: query.day || Number(query.after) === 2 ? messages.slice(2) : messages.slice(0, 2),
        next: null,
      }),
  })
  const field = await screen.findByLabelText<HTMLInputElement>('Go to a day')
  expect([field.min, field.max]).toEqual(['2025-03-14', '2025-03-15'])
  fireEvent.change(field, { target: { value: '2025-03-15' } })
  await user.click(screen.getByRole('button', { name: 'Go' }))
  await waitFor(() => expect(place()).toBe('/conversations/c1?n=3'))
  expect(api.of('conversationMessages').map(({ query }) => query)).toContainEqual({
    day: '2025-03-15',
    limit: 1,
  })
  await waitFor(() => expect(screen.queryByText('message 1')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Earlier messages' }))
  expect(await screen.findByText('message 1')).toBeTruthy()
  expect(api.of('conversationMessages').at(-1)!.query).toEqual({ after: 0, limit: 2 })
  const shown = within(screen.getByRole('list', { name: 'Messages' })).getAllByRole('listitem')
  expect(shown.map(item => item.getAttribute('aria-posinset'))).toEqual(['1', '2', '3'])
  expect(screen.queryByRole('button', { name: 'Earlier messages' })).toBeNull()
})

test('when a day is chosen after a search, then the search is over, and Back brings it again', async () => {
  const { user, place, navigate } = open({
    conversationMessages: () => ok<'conversationMessages'>({ messages, next: null }),
  })
  const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' })
  await user.type(field, 'bread{Enter}')
  await waitFor(() => expect(place()).toBe('/conversations/c1?search=bread'))
  await user.click(screen.getByRole('button', { name: 'Go' }))
  await waitFor(() => expect(place()).toBe('/conversations/c1?n=1'))
  expect(field.value).toBe('')
  navigate(-1)
  await waitFor(() => expect(field.value).toBe('bread'))
})

test('when people are renamed and joined, then their messages say so, and a join can be undone', async () => {
  let [now, version] = [conversation, 1]
  const { api, user } = open({
    changeConversation({ body }) {
      version += 1
      const [{ id, name, sameAs } = { id: '' }] = body.people ?? []
      const people = conversation.people
        .filter(person => !sameAs || person.id !== id)
        .map(person => (person.id === id && name ? { ...person, name } : person))
      now = { ...now, version, people }
      return ok<'changeConversation'>({ conversation: now })
    },
  })
  await user.click(await screen.findByText('People'))
  const name = screen.getByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Anna')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findAllByRole('article', { name: /^Anna/ })).not.toHaveLength(0)
  await user.selectOptions(screen.getByLabelText('The same person as'), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(api.of('changeConversation').map(({ body }) => body)).toEqual([
      { people: [{ id: 'p1', name: 'Anna' }], version: 1 },
      { people: [{ id: 'p1', sameAs: 'p2' }], version: 2 },
      { people: [{ id: 'p1', sameAs: null }], version: 3 },
    ]),
  )
  expect(api.of('conversationMessages').length).toBeGreaterThan(1)
})

test('when the keys go through a chat, then they pass its notices', async () => {
  const notice = (n: number) => message(n, { personId: null, kind: 'system', text: `notice ${n}` })
  const { user } = open({
    conversationMessages: () =>
      ok<'conversationMessages'>({
        messages: [notice(1), message(2), notice(3), message(4, { personId: 'p2' })],
        next: null,
      }),
  })
  await screen.findByText('message 4')
  for (const [key, name] of ['j Ana', 'j Bo', 'k Ana'].map(step => step.split(' '))) {
    await user.keyboard(key!)
    await waitFor(() => expect(window.document.activeElement?.getAttribute('aria-label')).toMatch(name!))
  }
})

test('when its PDF with checksums is pressed, then it is certified', async () => {
  const { api, user } = open({ exportConversation: noNetwork })
  await user.click(await screen.findByText('Download'))
  await user.click(screen.getByRole('button', { name: 'PDF with checksums' }))
  await waitFor(() =>
    expect(api.of('exportConversation')[0]?.query).toEqual({ format: 'pdf', certified: 'on' }),
  )
})

test('when somebody else has changed it meanwhile, then the newest is shown', async () => {
  const { api, user } = open({
    changeConversation: () => failure(409, 'It has changed.', { code: 'conversation_changed' }),
  })
  await user.click(await screen.findByText('People'))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'You in this chat' }), 'Bo')
  expect(await screen.findByText('It has changed.')).toBeTruthy()
  await waitFor(() => expect(api.of('conversation')).toHaveLength(2))
})

test('when voice notes of a chat were not sent, then the page says how many, and where to go on', async () => {
  const left = { file: 'a.opus', bytes: 1, at: null, personId: null, transcriptionId: null }
  openApp(
    '/conversations/c1',
    {
      conversation: () => ok<'conversation'>({ conversation: { ...conversation, notes: [left] } }),
      conversationMessages: () => ok<'conversationMessages'>({ messages, next: null }),
    },
    ada,
  )
  expect(await screen.findByText(/^1 voice note of this chat isn’t here yet/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Choose the export again to go on' })).toBeTruthy()
})

test('when a link is made, then it is shown until it is turned off', async () => {
  const url = 'https://vox.example/s/abc'
  const { api, user } = open({
    shareConversation: () => ok<'shareConversation'>({ url, expiresAt: '2026-12-01T10:00:00.000Z' }),
    endConversationShare: () => ok<'endConversationShare'>(null),
  })
  await user.click(await screen.findByText('Share a link'))
  await user.selectOptions(screen.getByLabelText('The link works for'), '1 day')
  await user.click(screen.getByRole('button', { name: 'Make a link' }))
  expect(await screen.findByText(url)).toBeTruthy()
  expect(api.of('shareConversation')[0]!.body).toEqual({ days: 1 })
  await user.click(screen.getByRole('button', { name: 'Turn off the link' }))
  await waitFor(() => expect(screen.queryByText(url)).toBeNull())
  expect(api.of('endConversationShare')).toHaveLength(1)
})

test('when a chat is renamed, then it is called so', async () => {
  const { api, user } = open({
    changeConversation: ({ body }) =>
      ok<'changeConversation'>({ conversation: { ...conversation, name: body.name!, version: 2 } }),
  })
  await user.click(await screen.findByText('Rename or delete'))
  const name = screen.getByLabelText('Name of the chat')
  await user.clear(name)
  await user.type(name, 'Home{Enter}')
  expect((await screen.findByRole('heading', { level: 1, name: 'Home' })).textContent).toBe('Home')
  expect(api.of('changeConversation')[0]!.body).toEqual({ name: 'Home', version: 1 })
})

test('when a chat is deleted, then its voice notes go or stay as the person says, and the list is next', async () => {
  const listed = { file: 'a.opus', bytes: 1, at: null, personId: 'p2', transcriptionId: 'n1' }
  const { api, user, place } = open({
    conversation: () => ok<'conversation'>({ conversation: { ...conversation, notes: [listed] } }),
    conversations: () =>
      ok<'conversations'>({
        conversations: [],
        pagination: { page: 1, limit: 10, total: 0, totalPages: 0 },
      }),
    deleteConversation: () => ok<'deleteConversation'>(null),
  })
  await user.click(await screen.findByText('Rename or delete'))
  await user.click(screen.getByRole('button', { name: 'Delete this chat' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Delete “العائلة”?' }))
  await user.click(dialog.getByRole('checkbox', { name: 'Delete its voice notes, too' }))
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(place()).toBe('/conversations'))
  expect(api.of('deleteConversation')[0]!.query).toEqual({ notes: 'false' })
})
