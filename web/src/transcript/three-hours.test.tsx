import { jest } from '@jest/globals'
import { act, fireEvent, screen } from '@testing-library/react'
import { i18n } from '../language/i18n.ts'
import { ok } from '../testing/fake-api.ts'
import { document as note } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

const PASSAGES = 2_400
const SECONDS = 4.5
const segments = Array.from({ length: PASSAGES }, (_, at) => ({
  id: `p${at}`,
  from: at * SECONDS,
  to: (at + 1) * SECONDS,
  text: at % 100 ? `Passage ${at}` : 'The meeting',
  confidence: null,
}))

test('when a note of three hours is used, then only the passages that change render again', async () => {
  localStorage.setItem('transcriptView', 'lines')
  const audio = Object.assign(window.document.createElement('audio'), { pause() {} })
  jest.spyOn(globalThis, 'Audio').mockReturnValue(audio)
  // Installed before the page loads: none of its passages is near the window.
  Object.assign(globalThis, {
    IntersectionObserver: class {
      observe() {}
      unobserve() {}
    },
  })
  const inWords = jest.spyOn(Intl.ListFormat.prototype, 'format')
  const texts = jest.spyOn(i18n, 't')
  /** Returns how many passages render because of an action. */
  const renderedBy = async (does: () => unknown): Promise<number> => {
    texts.mockClear()
    await act(async () => void does())
    return texts.mock.calls.filter(([id]) => id === 'Play from {time}').length / rendersOfOne
  }
  let rendersOfOne = 1
  const transcription = { ...note, segments, durationSeconds: PASSAGES * SECONDS }
  openApp('/transcriptions/note-1', { transcription: () => ok<'transcription'>({ transcription }) }, ada)
  await screen.findByRole('region', { name: 'Transcript' })
  expect(inWords.mock.calls.length).toBeLessThan(50)
  // React renders twice in development.
  rendersOfOne = await renderedBy(() => playTo(1))

  const find = (selector: string) => window.document.querySelector<HTMLElement>(selector)!
  function playTo(second: number) {
    audio.currentTime = second
    audio.dispatchEvent(new Event('timeupdate'))
  }
  const select = (id: string) => {
    window.getSelection()!.selectAllChildren(find(`[data-passage="${id}"]`))
    fireEvent(window.document, new Event('selectionchange'))
  }
  const search = (value: string) => fireEvent.change(find('input[type=search]'), { target: { value } })

  expect(await renderedBy(() => playTo(9_000))).toBe(2)
  expect(await renderedBy(() => select('p2399'))).toBe(0)
  expect(await renderedBy(() => fireEvent.click(find('[aria-label="Search in this note"]')))).toBe(0)
  // Passages that have the word, or had it.
  expect(await renderedBy(() => search('meeting'))).toBe(PASSAGES / 100)
  expect(await renderedBy(() => fireEvent.submit(find('input[type=search]').closest('form')!))).toBe(2)
  expect(await renderedBy(() => search('2399'))).toBeLessThanOrEqual(PASSAGES / 100 + 3)
})
