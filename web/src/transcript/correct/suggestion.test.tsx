import { screen, waitFor } from '@testing-library/react'
import type { OwnWords } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../../testing/fake-api.ts'
import { document as note } from '../../testing/notes.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { getToasts } from '../../ui/feedback/toast.ts'

const pair = { heard: 'Norah', write: 'Nora' }
const other = { heard: 'x', write: 'y' }
const USED = { engine: null, refused: [] }
const question = 'Always write “Nora” for “Norah”?'

/** A note on its page, about which the page asks until the words are saved. */
async function open(own: OwnWords, more: FakeHandlers = {}) {
  let suggestion: typeof pair | null = pair
  const handlers: FakeHandlers = {
    transcription: () => ok<'transcription'>({ transcription: { ...note, audioUrl: null, suggestion } }),
    words: () => ok<'words'>({ ...own, ...USED }),
    replaceWords({ body }) {
      suggestion = null
      return ok<'replaceWords'>({ ...body, ...USED })
    },
    ...more,
  }
  const app = openApp('/transcriptions/note-1', handlers, ada)
  await screen.findByText(question)
  return app
}

test.each([
  ['Yes', { words: ['Basel'], replacements: [other, pair], declined: [other] }],
  ['No', { words: ['Basel'], replacements: [other], declined: [other, pair] }],
])(
  'when the answer is %s, then it is saved with the other words, and not asked again',
  async (press, saved) => {
    const { api, user } = await open({ words: ['Basel'], replacements: [other], declined: [other] })
    await user.click(screen.getByRole('button', { name: press }))
    await waitFor(() => expect(screen.queryByText(question)).toBeNull())
    const text = screen.getByRole('region', { name: 'Transcript' })
    await waitFor(() => expect(document.activeElement).toBe(text))
    expect(api.of('replaceWords').map(({ body }) => body)).toEqual([saved])
  },
)

test('when a hundred were declined, then the oldest makes room', async () => {
  const declined = Array.from({ length: 100 }, (_, at) => ({ heard: `x${at}`, write: 'y' }))
  const { api, user } = await open({ words: [], replacements: [], declined })
  await user.click(screen.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByText(question)).toBeNull())
  expect(api.of('replaceWords')[0]?.body.declined).toEqual([...declined.slice(1), pair])
})

test('when the answer cannot be saved, then the page says why, and still asks', async () => {
  const refused = () => failure(503, 'Away for a moment.')
  const { user } = await open({ words: [], replacements: [] }, { replaceWords: refused })
  await user.click(screen.getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(getToasts().at(-1)?.message).toBe('Away for a moment.'))
  expect(await screen.findByText(question)).toBeTruthy()
})
