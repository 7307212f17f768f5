import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../../testing/fake-api.ts'
import { document as note } from '../../testing/notes.ts'
import { ada } from '../../testing/people.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'
import { getToasts } from '../../ui/feedback/toast.ts'

const made = { model: 'small-1', at: '2026-11-20T14:06:00.000Z', stale: false }
const gist = {
  lines: ['He will be late.'],
  tasks: [
    { text: 'Order the cake', due: '2026-11-27', done: false },
    { text: 'Call back', due: null, done: false },
  ],
  language: 'en',
  ...made,
}
const translation = {
  language: 'ar',
  segments: note.segments.map(({ id }, at) => ({ id, text: `جملة ${at + 1} 🙏` })),
  ...made,
}

/** Opens a note's page; the model makes these texts. */
function open(document: Partial<TranscriptionDocument> = {}, more: FakeHandlers = {}, textModel = true) {
  let current: TranscriptionDocument = { ...note, ...document }
  const become = (change: Partial<TranscriptionDocument>) => {
    current = { ...current, ...change }
    return ok<'transcription'>({ transcription: current })
  }
  return openApp(
    '/transcriptions/note-1',
    {
      config: () => ok({ ...config, textModel }),
      transcription: () => become({}),
      makeGist: () => become({ gist }),
      translate: () => become({ translations: [translation] }),
      ...more,
    },
    ada,
  )
}
const summary = async () => (await screen.findByText('Summary')).closest('details')!
async function translate(user: ReturnType<typeof open>['user']) {
  await screen.findByText('Summary')
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(screen.getByRole('button', { name: 'Translate' }))
  return screen.findByLabelText<HTMLSelectElement>('Translation')
}

test('when there is no text model, then there is no sign of it', async () => {
  open({}, {}, false)
  await screen.findByRole('region', { name: 'Transcript' })
  expect(screen.queryByRole('button', { name: 'Summarize' })).toBeNull()
  expect(screen.queryByLabelText('Translation')).toBeNull()
})

test('when a summary is asked for, then it stands above the text with its tasks and a calendar file', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Summarize' }))
  const card = await summary()
  expect(card.textContent).toContain('He will be late.')
  expect(card.textContent).toContain('Made by a machine')
  expect(
    within(card)
      .getAllByRole('listitem')
      .map(item => item.textContent),
  ).toEqual(['Order the cake November 27, 2026', 'Call back'])
  const file = within(card).getByRole('link', { name: 'Add to calendar' })
  expect(decodeURIComponent(file.getAttribute('href') ?? '')).toContain('DTSTART;VALUE=DATE:20261127')
  expect(within(card).queryByRole('button')).toBeNull()
  const transcript = screen.getByRole('region', { name: 'Transcript' })
  expect(card.compareDocumentPosition(transcript)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(transcript.textContent).toContain(note.segments[0]!.text)
})

test('when a to-do is ticked, then the server keeps it, and it can be opened again', async () => {
  let tasks = gist.tasks
  const { api, user } = open(
    {},
    {
      transcription: () => ok({ transcription: { ...note, gist: { ...gist, tasks } } }),
      tickTodo({ params, body: { done } }) {
        const place = Number(params.n) - 1
        tasks = tasks.map((task, at) => (at === place ? { ...task, done } : task))
        const { id: transcriptionId, title, createdAt } = note
        return ok({ todo: { ...tasks[place]!, transcriptionId, n: place + 1, title, createdAt } })
      },
    },
  )
  const card = await summary()
  const box = within(card).getByRole<HTMLInputElement>('checkbox', { name: /^Call back/ })
  await user.click(box)
  await waitFor(() => expect(tasks.map(({ done }) => done)).toEqual([false, true]))
  expect(box.checked).toBe(true)
  await user.click(box)
  await waitFor(() => expect(box.checked).toBe(false))
  expect(api.of('tickTodo').map(({ params, body }) => [params, body])).toEqual([
    [{ transcriptionId: 'note-1', n: '2' }, { done: true }],
    [{ transcriptionId: 'note-1', n: '2' }, { done: false }],
  ])
})

test('when a to-do can’t be ticked, then it is open again, and says why', async () => {
  const { user } = open({ gist }, { tickTodo: () => failure(503, 'Busy') })
  const box = within(await summary()).getByRole<HTMLInputElement>('checkbox', { name: /^Call back/ })
  await user.click(box)
  await waitFor(() => expect(getToasts()).toMatchObject([{ type: 'error', message: 'Busy' }]))
  await waitFor(() => expect(box.checked).toBe(false))
})

test('when the text has changed, then the summary says so and can be made again', async () => {
  open({ gist: { ...gist, stale: true } })
  expect((await summary()).textContent).toContain('The text has changed since.')
  expect(screen.getByRole('button', { name: 'Summarize again' })).toBeTruthy()
})

test('when a language is chosen, then the translation stands beside each line, and files are in it', async () => {
  const asked: unknown[] = []
  const exportTranscription: FakeHandlers['exportTranscription'] = ({ query }) => {
    asked.push(query)
    return failure(404)
  }
  const { user } = open({}, { exportTranscription })
  await user.selectOptions(await translate(user), 'Arabic')
  const first = await screen.findByText('جملة 1 🙏')
  expect([first.lang, first.dir]).toEqual(['ar', 'auto'])
  const lines = within(screen.getByRole('region', { name: 'Transcript' })).getAllByRole('listitem')
  expect(lines.map(line => [...line.querySelectorAll('p')].map(text => text.textContent))).toEqual(
    note.segments.map(({ text }, at) => [text, `جملة ${at + 1} 🙏`]),
  )
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(screen.getByRole('button', { name: 'Download' }))
  await user.click(screen.getByRole('button', { name: 'Subtitles (SRT)' }))
  await waitFor(() => expect(asked).toEqual([{ format: 'srt', language: 'ar' }]))
})

test('when a translation is wanted, then its choice comes by the menu with the focus, and goes when it is done', async () => {
  const { user } = open()
  const choice = await translate(user)
  expect(document.activeElement).toBe(choice)
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByLabelText('Translation')).toBeNull()
})

test('when arrow keys pass through a language, then only the one where they rest is translated', async () => {
  const { api, user } = open()
  const choice = await translate(user)
  choice.focus()
  for (const value of ['af', 'ar']) fireEvent.change(choice, { target: { value } })
  await screen.findByText('جملة 1 🙏')
  expect(api.of('translate').map(({ body }) => body)).toEqual([{ language: 'ar' }])
  await waitFor(() => expect(document.activeElement).toBe(choice))
})

test('when the model fails, then the reason is shown and the text stays as it was', async () => {
  const problem = failure(502, 'The text model gave no usable answer. Please try again later.')
  const { user } = open({}, { translate: () => problem })
  const choice = await translate(user)
  await user.selectOptions(choice, 'Arabic')
  await waitFor(() =>
    expect(getToasts()).toMatchObject([{ message: expect.stringContaining('no usable answer') }]),
  )
  await waitFor(() => expect(choice.value).toBe(''))
})

test('when the summary is opened, then the texts in the person’s forms stand there, and others can be made', async () => {
  const text = {
    formId: 'f1',
    name: 'Letter',
    status: 'done' as const,
    text: 'Dear <b>Sir</b>',
    at: made.at,
    stale: false,
  }
  const forms = ['Letter', 'Diary'].map((name, at) => ({
    id: `f${at + 1}`,
    name,
    instruction: '',
    auto: null,
  }))
  const { api, user } = open(
    { gist, texts: [text, { ...text, formId: 'f3', name: 'Minutes', status: 'working', text: '' }] },
    {
      forms: () => ok<'forms'>({ forms, examples: [] }),
      makeText: () => failure(429, 'Too many attempts.'),
    },
  )
  const card = await summary()
  expect(api.of('forms')).toEqual([])
  await user.click(screen.getByText('Summary'))
  expect(await within(card).findByText('Dear <b>Sir</b>')).toBeTruthy()
  expect(within(card).getByText('Being written…')).toBeTruthy()
  expect(within(card).queryByRole('button', { name: 'Letter' })).toBeNull()
  await user.click(await within(card).findByRole('button', { name: 'Diary' }))
  await waitFor(() => expect(getToasts().at(-1)?.message).toBe('Too many attempts.'))
  expect(api.of('makeText')[0]).toMatchObject({ params: { id: 'note-1' }, body: { formId: 'f2' } })
})
