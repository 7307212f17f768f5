import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Answered } from '@voxscribe/contracts/http'
import { failure, ok } from '../testing/fake-api.ts'
import { completed, pageOf } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

const QUOTE = {
  ...{ transcriptionId: 'note-7', title: 'Boiler', at: '2026-11-02T10:00:00.000Z' },
  ...{ segment: '2', start: 12.4, text: 'two hundred euros' },
}
const NOTHING = { found: false, answer: [], passages: [], searched: [], left: 59 }

const openAt = (search: string, ask: () => ReturnType<typeof ok>) =>
  openApp(
    `/transcription-history?${new URLSearchParams({ search })}`,
    { transcriptions: ({ query }) => ok(pageOf(query.search === 'boiler' ? [completed] : [])), ask },
    ada,
  )
const askIt = async () => userEvent.click(await screen.findByRole('button', { name: 'Ask your notes' }))

test('when the notes have the answer, then its quotes lead to their second, with the words marked', async () => {
  const answered: Answered = {
    ...NOTHING,
    found: true,
    answer: [{ text: 'Nora paid 200 euros.', quotes: [QUOTE] }],
  }
  const { api } = openAt('what did Nora pay?', () => ok(answered))
  await askIt()
  const claim = await screen.findByText('Nora paid 200 euros.')
  const link = within(claim.closest('li')!).getByRole('link', { name: 'Boiler' })
  expect(link.getAttribute('href')).toBe('/transcriptions/note-7?t=12&search=two+hundred+euros')
  expect(screen.queryByText('Nothing found')).toBeNull()
  expect(api.of('ask')).toEqual([expect.objectContaining({ body: { question: 'what did Nora pay?' } })])
})

test('when one follows others, then the last three within the hour go along, in memory of the page only', async () => {
  const { api } = openAt('who fixed it?', () => ok({ ...NOTHING, left: 10 }))
  for (const question of ['what did she pay?', 'and when was that?', 'why so much?', 'who was it?']) {
    await askIt()
    await screen.findByText('10 more questions or texts today')
    const search = screen.getByRole('searchbox')
    await userEvent.clear(search)
    await waitFor(() => expect(screen.queryByText('Your notes don’t say.')).toBeNull())
    await userEvent.type(search, question)
  }
  await askIt()
  await waitFor(() =>
    expect(api.of('ask').map(({ body }) => body)).toEqual([
      { question: 'who fixed it?' },
      { question: 'what did she pay?', earlier: ['who fixed it?'] },
      { question: 'and when was that?', earlier: ['who fixed it?', 'what did she pay?'] },
      {
        question: 'why so much?',
        earlier: ['who fixed it?', 'what did she pay?', 'and when was that?'],
      },
      { question: 'who was it?', earlier: ['what did she pay?', 'and when was that?', 'why so much?'] },
    ]),
  )
})

test('when they have not, then that is said, with what comes closest', async () => {
  openAt('what did Nora pay?', () => ok({ ...NOTHING, passages: [QUOTE] }))
  await askIt()
  expect(await screen.findByText('Your notes don’t say.')).toBeTruthy()
  expect(screen.getByText('two hundred euros')).toBeTruthy()
})

test('while a model reads, then what comes closest is there, and the answer takes its place', async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof ok>>()
  const answer = [{ text: 'Nora paid 200 euros.', quotes: [{ ...QUOTE, text: 'paid two hundred' }] }]
  const { api } = openApp(
    `/transcription-history?${new URLSearchParams({ search: 'what did Nora pay?' })}`,
    {
      config: () => ok({ ...config, textModel: true }),
      transcriptions: () => ok(pageOf([])),
      ask: ({ body }) =>
        (body as { passagesOnly?: true }).passagesOnly ? ok({ ...NOTHING, passages: [QUOTE] }) : promise,
    },
    ada,
  )
  await askIt()
  expect(await screen.findByText('two hundred euros')).toBeTruthy()
  expect(screen.queryByText(/Nothing found|Your notes don’t say/)).toBeNull()
  resolve(ok({ ...NOTHING, found: true, answer }))
  await screen.findByText('Nora paid 200 euros.')
  expect(screen.queryByText('two hundred euros')).toBeNull()
  expect(api.of('ask')).toHaveLength(2)
})

test('when one comes back from a note that is quoted, then the answer is still there, without another call', async () => {
  const answer = [{ text: 'Nora paid 200 euros.', quotes: [QUOTE] }]
  const { api, navigate } = openAt('what did Nora pay?', () => ok({ ...NOTHING, found: true, answer }))
  await askIt()
  await userEvent.click(await screen.findByRole('link', { name: 'Boiler' }))
  await waitFor(() => expect(screen.queryByText('Nora paid 200 euros.')).toBeNull())
  navigate(-1)
  expect(await screen.findByText('Nora paid 200 euros.')).toBeTruthy()
  expect(api.of('ask')).toHaveLength(1)
})

test('when it fails, then the reason is said', async () => {
  openAt('what did Nora pay?', () => failure(503, 'Please try again later.') as never)
  await askIt()
  expect(await screen.findByText('Please try again later.')).toBeTruthy()
})

test('when words are typed that are no question, then nothing is offered', async () => {
  openAt('boiler', () => ok(NOTHING))
  await screen.findByRole('article', { name: completed.title })
  expect(screen.queryByRole('button', { name: 'Ask your notes' })).toBeNull()
})
