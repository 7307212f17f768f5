import { screen, waitFor, within } from '@testing-library/react'
import type { ConversationMessage } from '@voxscribe/contracts/http'
import { failure, ok } from '../testing/fake-api.ts'
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
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(`${name}, 9:00`))
  }
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'bread')
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() =>
    expect(api.of('conversationMessages').at(-1)).toMatchObject({ query: { search: 'bread' } }),
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
  await user.selectOptions(await screen.findByRole('combobox', { name: 'You in this chat' }), 'Ana')
  await waitFor(() =>
    expect(screen.getAllByRole('article', { name: /^Ana/ })[0]?.className).toMatch(/ms-auto/),
  )
  expect(api.of('changeConversation')[0]!.body).toEqual({ me: 'p1', version: 1 })
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
