import { screen, waitFor, within } from '@testing-library/react'
import type { api, DataOf } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, held, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

type InUse = DataOf<typeof api.words>
const engine: InUse['engine'] = { name: 'openai', model: 'gpt-transcribe', takes: 'keywords' }
const own = {
  words: ['Nora', 'Wrocław'],
  replacements: [{ heard: 'Norah', write: 'Nora' }],
  engine,
} satisfies InUse
async function open(more: FakeHandlers = {}) {
  const app = openApp('/words', { words: () => ok<'words'>(own), ...more }, ada)
  const words = (await screen.findByLabelText('One a line')) as HTMLTextAreaElement
  return { ...app, words, save: () => app.user.click(screen.getByRole('button', { name: 'Save' })) }
}

test('when words are changed, then they are saved without empty lines and repeats', async () => {
  const { api, user, words, save } = await open({
    replaceWords: ({ body }) => ok<'replaceWords'>({ ...body, engine }),
  })
  expect(words.value).toBe('Nora\nWrocław')
  await user.type(words, '\n  \nNora\n 東京 ')
  await user.click(screen.getByRole('button', { name: 'Add a replacement' }))
  const [, added] = screen.getAllByRole('listitem').filter(item => within(item).queryByLabelText('Heard'))
  await user.type(within(added!).getByLabelText('Heard'), 'ai o ti')
  await user.type(within(added!).getByLabelText('Write instead'), 'IoT')
  await save()
  await waitFor(() => expect(getToasts().at(-1)?.message).toMatch(/^Your words are saved/))
  expect(api.of('replaceWords')[0]?.body).toEqual({
    words: ['Nora', 'Wrocław', '東京'],
    replacements: [...own.replacements, { heard: 'ai o ti', write: 'IoT' }],
  })
})

test('while the words are on their way, then nothing stands below that they would push down', async () => {
  const words = held()
  openApp('/words', { words: words.handler, config: () => ok({ ...config, textModel: true }) }, ada)
  await screen.findAllByTestId('skeleton')
  expect(screen.queryByRole('region', { name: 'Your forms' })).toBeNull()
  words.answer(ok<'words'>(own))
  expect(await screen.findByRole('region', { name: 'Your forms' })).toBeTruthy()
})

test('when a word cannot be taken, then its field says why, and nothing is sent', async () => {
  const { api, user, words, save } = await open()
  await user.type(words, '\n<b>')
  await user.clear(screen.getByLabelText('Heard'))
  await save()
  expect(await screen.findByText('A word may not contain <, > or line breaks')).toBeTruthy()
  expect(screen.getByText('A word is required')).toBeTruthy()
  await user.clear(words)
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(api.of('replaceWords')).toEqual([])
})

test('when the server refuses, then the page says so, and keeps what was typed', async () => {
  const { words, user, save } = await open({ replaceWords: () => failure(503, 'Away for a moment.') })
  await user.type(words, '\nBasel')
  await save()
  expect(await screen.findByText('Away for a moment.')).toBeTruthy()
  expect(words.value).toContain('Basel')
})

test('when the words have changed since an earlier visit, then the page shows and saves the new ones', async () => {
  const { api, navigate, save } = await open({
    replaceWords: ({ body }) => ok<'replaceWords'>({ ...body, engine }),
  })
  navigate('/security')
  await waitFor(() => expect(screen.queryByLabelText('One a line')).toBeNull())
  const now = { words: ['Basel'], replacements: [] }
  api.on({ words: () => ok<'words'>({ ...now, engine }) })
  navigate('/words')
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('One a line').value).toBe('Basel'))
  await save()
  await waitFor(() => expect(api.of('replaceWords').map(({ body }) => body)).toEqual([now]))
})

test.each<[InUse['engine'], RegExp]>([
  [engine, /^Speech engine in use: OpenAI\. It listens for each/],
  [{ ...engine, takes: 'prompt' }, /It gets these words as a hint/],
  [
    { name: 'local', model: 'whisper-base', takes: null },
    /^Speech engine in use: Whisper, .*takes no such list/,
  ],
  [null, /^Speech engines that take such a list/],
])('when the engine is %j, then the page says what it does with words', async (inUse, said) => {
  await open({ words: () => ok<'words'>({ ...own, engine: inUse }) })
  expect(screen.getByText(said)).toBeTruthy()
})
