import { jest } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import type { AxiosAdapter } from 'axios'
import { http } from '../api/http.ts'
import { queryClient } from '../app/query-client.ts'
import { type FakeHandlers, failure, fakeApi, noNetwork, ok } from '../testing/fake-api.ts'
import { document as note } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { renderApp } from '../testing/render-app.tsx'
import { freshBrowser } from '../testing/storage.ts'

let audio: HTMLAudioElement
let paused = true
beforeEach(() => {
  freshBrowser()
  paused = true
  // jsdom has the element, but plays nothing.
  const made = window.document.createElement('audio')
  jest.spyOn(globalThis, 'Audio').mockImplementation((() => made) as never)
  Object.defineProperty(made, 'paused', { get: () => paused })
  made.play = async () => {
    paused = false
    made.dispatchEvent(new Event('play'))
  }
  made.pause = () => {
    paused = true
    made.dispatchEvent(new Event('pause'))
  }
  audio = made
})
afterEach(() => {
  audio.pause()
  jest.restoreAllMocks()
})

const answer = (document: TranscriptionDocument) => ok<'transcription'>({ transcription: document })

function open(
  document: Partial<TranscriptionDocument> = {},
  handlers: FakeHandlers = {},
  address = '/transcriptions/note-1',
) {
  let current: TranscriptionDocument = { ...note, durationSeconds: 90, ...document }
  const api = fakeApi({
    transcription: () => answer(current),
    editTranscription: ({ body }) => {
      const edited = body!.segments ?? []
      const segments = current.segments.map(segment => ({
        ...segment,
        ...edited.find(({ id }) => id === segment.id),
      }))
      current = { ...current, segments, title: body!.title ?? current.title, edited: true }
      current.version += 1
      return answer(current)
    },
    transcriptions: () => failure(503),
    ...handlers,
  })
  const app = renderApp(address, { as: ada })
  return { ...app, api, change: (to: Partial<TranscriptionDocument>) => Object.assign(current, to) }
}
async function opened(...parts: Parameters<typeof open>) {
  const app = open(...parts)
  await screen.findByRole('heading', { level: 1, name: note.title })
  return app
}
const lines = () => within(screen.getByRole('region', { name: 'Transcript' })).getAllByRole('listitem')
const texts = () => lines().map(line => line.querySelector('p')?.textContent)
const press = (key: string, on: Element = window.document.body) => fireEvent.keyDown(on, { key })
const field = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })

describe('when a completed note is opened', () => {
  test('then text, times, source, engine, language, length and history of the note are there', async () => {
    await opened()
    expect(lines().map(line => line.textContent)).toEqual([
      '0:00Play from 0 secondsI will be',
      '1:01Play from 1 minute 1 secondten minutes late.',
    ])
    for (const fact of ['WhatsApp', 'Whisper, on our own server', 'English', '42s']) {
      expect(screen.getByText(fact)).toBeTruthy()
    }
    expect(screen.getByText('What happened to this note')).toBeTruthy()
    expect(screen.getByText('The text was ready.').parentElement?.textContent).toMatch(/after 3.2 s$/)
  })

  test('then a failed engine is named with its reason, a missing one is not', async () => {
    const instead = [
      { name: 'openai', reason: 'engine_missing' },
      { name: 'sphinx', reason: 'language_not_supported' },
    ]
    await opened({ engine: { name: 'local', model: 'whisper-base', instead } })
    expect(screen.getByText(/^Not /).textContent).toBe(
      'Not PocketSphinx, on our own server: it doesn’t know the language',
    )
  })

  test('then doubtful words are underlined, and one line explains that', async () => {
    await opened()
    expect(screen.getByText('will', { exact: false, selector: 'span' }).className).toContain('underline')
    expect(screen.getAllByText(/words may be wrong/)).toHaveLength(1)
    expect(screen.queryByText(/Much of this text/)).toBeNull()
  })

  test('and the whole text is doubtful, or its times are estimates, then it is said plainly', async () => {
    await opened({ confidenceScore: 0.41, timesExact: false })
    expect(screen.getByText(/Much of this text may be wrong/)).toBeTruthy()
    expect(screen.getByText('The times are estimates.')).toBeTruthy()
  })

  test('and it is the same audio as another note, then that is said and leads there', async () => {
    await opened({ notice: 'Same as call.ogg of 2026-11-20', noticeCodes: ['same_as'], sameAs: 'note-0' })
    expect(screen.getByText(/Same as call.ogg of 2026-11-20/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open that note' }).getAttribute('href')).toBe(
      '/transcriptions/note-0',
    )
  })

  test('then markup in the text is text', async () => {
    await opened({ segments: [{ ...note.segments[1]!, text: '<img src=x> שלום 🎉' }] })
    expect(texts()).toEqual(['<img src=x> שלום 🎉'])
  })
})

describe('when there is no text', () => {
  test.each([
    ['it is being transcribed', { status: 'processing' as const }, /appear here automatically/],
    [
      'it failed',
      { status: 'failed' as const, error: 'Please send it once more.' },
      /Please send it once more/,
    ],
    ['nobody speaks', { notice: 'No speech found' }, /No speech found. It didn’t use any minutes/],
  ])('because %s, then the page says what to do', async (_, document, words) => {
    await opened({ text: '', segments: [], ...document })
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Correct the text' })).toBeNull()
  })

  test('because there is no such note, then the page says so', async () => {
    open({}, { transcription: () => failure(404, 'There is no such transcription.') })
    expect(await screen.findByRole('heading', { name: 'This transcript doesn’t exist' })).toBeTruthy()
  })
})

describe('when it is opened from a search', () => {
  const marks = () => [...window.document.querySelectorAll('mark')].map(mark => mark.textContent)

  test('then its words are marked in title and text until one takes the marks off', async () => {
    const { user, place } = open(
      { title: 'Minutes of Monday' },
      {},
      '/transcriptions/note-1?search=WIL+minute',
    )
    await screen.findByRole('heading', { level: 1 })
    expect(marks()).toEqual(['Minute', 'WIL minute', 'wil', 'minute'])
    await user.click(screen.getByRole('button', { name: 'Clear highlights' }))
    expect([marks(), place()]).toEqual([[], '/transcriptions/note-1'])
    expect(texts()).toEqual(['I will be', 'ten minutes late.'])
  })
})

test('when nobody is signed in, then signing in leads back to the note', async () => {
  fakeApi({
    login: () => ok<'login'>({ user: ada, accessToken: 'a', refreshToken: 'r' }),
    transcription: () => answer(note),
  })
  const { user, place } = renderApp('/transcriptions/note-1')
  await user.type(await screen.findByLabelText('Email'), ada.email)
  await user.type(screen.getByLabelText('Password'), 'password')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(place()).toBe('/transcriptions/note-1'))
})

describe('the player', () => {
  test('plays, jumps and changes its speed by keys', async () => {
    await opened()
    await waitFor(() => expect(audio.src).toContain('/audio?token=t1'))
    press(' ')
    await screen.findByRole('button', { name: 'Pause' })
    press('ArrowRight')
    expect(audio.currentTime).toBe(10)
    press('ArrowLeft')
    press('ArrowLeft')
    expect(audio.currentTime).toBe(0)
    for (const rate of [1.25, 1.5, 2, 2]) {
      press(']')
      expect(audio.playbackRate).toBe(rate)
    }
    press('[')
    expect(audio.playbackRate).toBe(1.5)
    press(' ')
    await screen.findByRole('button', { name: 'Play' })
  })

  test('jumps by the arrows on its slider as well', async () => {
    await opened()
    await waitFor(() => expect(audio.src).toContain('/audio?token=t1'))
    press('ArrowRight', screen.getByRole('slider', { name: 'Position' }))
    expect(audio.currentTime).toBe(10)
  })

  test('leaves keys to the field or button that has the focus', async () => {
    const { user } = await opened()
    press(' ', screen.getByRole('button', { name: 'Play' }))
    expect(paused).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Correct the text' }))
    press('ArrowRight', await field('Text at 0 seconds'))
    expect(audio.currentTime).toBe(0)
  })

  test('plays from a word or a time that is clicked, and marks what is spoken', async () => {
    const { user } = await opened()
    await user.click(screen.getByText('will', { exact: false, selector: 'span' }))
    expect([audio.currentTime, paused]).toEqual([1, false])
    await user.click(screen.getByRole('button', { name: 'Play from 1 minute 1 second' }))
    expect(audio.currentTime).toBe(61.2)
    await waitFor(() => {
      const spoken = screen.getAllByRole('listitem').filter(line => line.getAttribute('aria-current'))
      expect(spoken.map(line => line.lastElementChild?.textContent)).toEqual(['ten minutes late.'])
    })
  })

  test('plays about from a word whose time the engine did not give', async () => {
    const { user } = await opened({
      segments: [{ ...note.segments[1]!, from: 60, to: 64, text: 'one two three four' }],
    })
    await user.click(screen.getByText('three'))
    expect(audio.currentTime).toBeGreaterThan(61)
    expect(audio.currentTime).toBeLessThan(63)
  })

  describe('while it plays', () => {
    const playing = async () => {
      const scrolled: string[] = []
      Element.prototype.scrollIntoView = function (this: Element) {
        scrolled.push(this.querySelector('p')?.textContent ?? '')
      }
      const app = await opened()
      const playTo = (seconds: number) => {
        audio.currentTime = seconds
        fireEvent(audio, new Event('timeupdate'))
      }
      await app.user.click(screen.getByRole('button', { name: 'Play from 0 seconds' }))
      await waitFor(() => expect(scrolled).toEqual(['I will be']))
      return { ...app, playTo, scrolled }
    }
    afterEach(() => {
      delete (Element.prototype as Partial<Element>).scrollIntoView
    })

    test('scrolls along with what is spoken', async () => {
      const { playTo, scrolled } = await playing()
      playTo(62)
      await waitFor(() => expect(scrolled).toEqual(['I will be', 'ten minutes late.']))
    })

    test('leaves who has scrolled elsewhere there, and shows the way back', async () => {
      const { playTo, scrolled, user } = await playing()
      fireEvent.wheel(window.document.body)
      playTo(62)
      await waitFor(() => expect(lines()[1]?.getAttribute('aria-current')).toBe('true'))
      expect(scrolled).toEqual(['I will be'])
      await user.click(screen.getByRole('button', { name: 'Back to what’s playing' }))
      expect(scrolled).toEqual(['I will be', 'ten minutes late.'])
      expect(screen.queryByRole('button', { name: 'Back to what’s playing' })).toBeNull()
    })

    test('does not scroll once that is switched off', async () => {
      const { playTo, scrolled, user } = await playing()
      await user.click(screen.getByRole('button', { name: 'Follow along', pressed: true }))
      playTo(62)
      await waitFor(() => expect(lines()[1]?.getAttribute('aria-current')).toBe('true'))
      fireEvent.wheel(window.document.body)
      expect(scrolled).toEqual(['I will be'])
      expect(screen.queryByRole('button', { name: 'Back to what’s playing' })).toBeNull()
    })
  })

  test('asks for another address when the one in use has ended, and goes on where it was', async () => {
    const { user, change } = await opened()
    audio.currentTime = 12
    Object.defineProperty(audio, 'error', { value: { code: 2 }, configurable: true })
    fireEvent(audio, new Event('error'))
    change({ audioUrl: '/api/transcriptions/note-1/audio?token=t2' })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(audio.src).toContain('token=t2'))
    expect(audio.currentTime).toBe(12)
  })

  test('is not there when the audio is gone', async () => {
    await opened({ audioUrl: null, audioAvailable: false })
    expect(screen.queryByRole('region', { name: 'Player' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Transcribe again' })).toBeNull()
  })
})

describe('when the text is corrected', () => {
  async function correct(text: string, ...parts: Parameters<typeof open>) {
    const app = await opened(...parts)
    await app.user.click(screen.getByRole('button', { name: 'Correct the text' }))
    const line = await field('Text at 0 seconds')
    fireEvent.change(line, { target: { value: text } })
    line.focus()
    press('Enter', line)
    return app
  }

  test('then Enter saves it to the version on the page and goes on to the next passage', async () => {
    const { api } = await correct('I shall be')
    expect(await screen.findByText('Saved')).toBeTruthy()
    const [edit] = api.of('editTranscription')
    expect([edit?.body, edit?.ifMatch]).toEqual([{ segments: [{ id: 's1', text: 'I shall be' }] }, '"3"'])
    expect(window.document.activeElement).toBe(await field('Text at 1 minute 1 second'))
  })

  test('then undo brings the text of before back', async () => {
    const { api, user } = await correct('I shall be')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect((await field('Text at 0 seconds')).value).toBe('I will be'))
    expect(api.of('editTranscription').map(({ body }) => body?.segments)).toEqual([
      [{ id: 's1', text: 'I shall be' }],
      [{ id: 's1', text: 'I will be' }],
    ])
  })

  test('and nothing differs, then nothing is sent', async () => {
    const { api } = await correct(' I will be ')
    expect(api.of('editTranscription')).toEqual([])
  })

  test('and it cannot be saved, then that is said and tried again on request', async () => {
    const { api, user } = await correct('I shall be', {}, { editTranscription: () => failure(503, 'Away.') })
    expect((await screen.findByRole('alert')).textContent).toContain('Not saved: Away.')
    expect((await field('Text at 0 seconds')).value).toBe('I shall be')
    api.on({ editTranscription: () => answer({ ...note, version: 4 }) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(api.of('editTranscription').at(-1)?.body?.segments).toEqual([{ id: 's1', text: 'I shall be' }])
  })

  test('and the connection comes back, then it is saved by itself', async () => {
    const { api } = await correct('I shall be', {}, { editTranscription: noNetwork })
    expect((await screen.findByRole('alert')).textContent).toContain('Not saved: Network error.')
    await screen.findByRole('textbox', { name: 'Text at 0 seconds' })
    api.on({ editTranscription: () => answer({ ...note, version: 4 }) })
    fireEvent(window, new Event('online'))
    expect(await screen.findByText('Saved')).toBeTruthy()
  })

  test('and the page is left before it is saved, then the browser asks; who comes back finds it', async () => {
    const { api, navigate } = await correct(
      'I shall be',
      {},
      { editTranscription: () => failure(503, 'Away.') },
    )
    await screen.findByRole('alert')
    expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
    navigate('/transcription-history')
    await waitFor(() => expect(screen.queryByRole('heading', { name: note.title })).toBeNull())
    api.on({ editTranscription: () => answer({ ...note, version: 4, title: 'Saved after all' }) })
    navigate('/transcriptions/note-1')
    expect(await screen.findByRole('heading', { name: 'Saved after all' })).toBeTruthy()
    expect(api.of('editTranscription').at(-1)?.body?.segments).toEqual([{ id: 's1', text: 'I shall be' }])
    expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true)
  })

  test('and the session has ended, then it is saved after signing in again', async () => {
    const { api, user, place } = await correct(
      'I shall be',
      {},
      {
        editTranscription: () => failure(401, 'Token expired'),
        refresh: () => failure(401, 'Unauthorized'),
        login: () => ok<'login'>({ user: ada, accessToken: 'a', refreshToken: 'r' }),
      },
    )
    await user.type(await screen.findByLabelText('Email'), ada.email)
    await user.type(screen.getByLabelText('Password'), 'password')
    api.on({ editTranscription: () => answer({ ...note, version: 4, title: 'Saved after all' }) })
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(place()).toBe('/transcriptions/note-1'))
    expect(await screen.findByRole('heading', { name: 'Saved after all' })).toBeTruthy()
  })

  test('and another tab changes a passage that is being typed in, then nothing typed is lost', async () => {
    const { user, change } = await opened({}, {})
    await user.click(screen.getByRole('button', { name: 'Correct the text' }))
    const line = await field('Text at 0 seconds')
    line.focus()
    fireEvent.change(line, { target: { value: 'I shall be' } })
    change(newer('I may be'))
    await queryClient.invalidateQueries({ queryKey: ['transcription'] })
    expect((await field('Text at 0 seconds')).value).toBe('I shall be')
    press('Enter', line)
    expect(await screen.findByText(/changed in another tab/)).toBeTruthy()
    expect((await field('Text at 0 seconds')).value).toBe('I may be')
    await user.click(screen.getByRole('button', { name: 'Use mine' }))
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect((await field('Text at 0 seconds')).value).toBe('I shall be')
  })

  test('and the note was deleted in another tab, then the page says so', async () => {
    const gone = () => failure(404, 'There is no such transcription.')
    let reads = 0
    await correct(
      'I shall be',
      {},
      { editTranscription: gone, transcription: () => (reads++ ? gone() : answer(note)) },
    )
    expect(await screen.findByRole('heading', { name: 'This transcript doesn’t exist' })).toBeTruthy()
  })

  const newer = (text: string) => ({
    ...note,
    version: 4,
    segments: note.segments.map(segment => (segment.id === 's1' ? { ...segment, text } : segment)),
  })
  const refusingOld = (theirs: TranscriptionDocument): FakeHandlers => {
    let reads = 0
    return {
      transcription: () => answer(reads++ ? theirs : note),
      editTranscription: ({ ifMatch, body }) =>
        ifMatch === '"4"'
          ? answer({ ...newer(body?.segments?.[0]?.text ?? ''), version: 5 })
          : failure(409, 'Somebody was quicker.', { code: 'version_conflict' }),
    }
  }

  test('and another tab has changed another passage, then both changes stand', async () => {
    const { api } = await correct('I shall be', {}, refusingOld({ ...note, version: 4, title: 'Renamed' }))
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(api.of('editTranscription').map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"4"'])
  })

  test('and another tab has changed the same passage, then both texts are shown and one is chosen', async () => {
    const { api, user } = await correct('I shall be', {}, refusingOld(newer('I may be')))
    const banner = (await screen.findByText(/changed in another tab/)).parentElement!
    expect(within(banner).getByText('I shall be')).toBeTruthy()
    expect(within(banner).getByText('I may be')).toBeTruthy()
    expect(screen.queryByText('Saved')).toBeNull()
    await user.click(within(banner).getByRole('button', { name: 'Use mine' }))
    await waitFor(async () => expect((await field('Text at 0 seconds')).value).toBe('I shall be'))
    expect(screen.queryByText(/changed in another tab/)).toBeNull()
    expect(api.of('editTranscription').at(-1)?.ifMatch).toBe('"4"')
  })

  test('then the original can be shown, and brought back after a question', async () => {
    const original = { text: 'As heard', segments: [{ ...note.segments[1]!, text: 'As heard' }] }
    const { api, user } = await opened({ edited: true, original })
    await user.click(screen.getByRole('button', { name: 'Show original' }))
    expect(texts()).toEqual(['As heard'])
    await user.click(screen.getByRole('button', { name: 'Restore original' }))
    expect(api.of('editTranscription')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Restore it' }))
    await waitFor(() => expect(api.of('editTranscription')[0]?.body).toEqual({ restore: true }))
  })
})

test('when the title is changed in place, then it is saved, and Escape leaves it', async () => {
  const { api, user } = await opened()
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  await user.keyboard('Not this{Escape}')
  expect(api.of('editTranscription')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  await user.keyboard('Call with Ben{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Call with Ben' })).toBeTruthy()
  expect(api.of('editTranscription')[0]?.body).toEqual({ title: 'Call with Ben' })
})

describe('when the note is taken away', () => {
  test.each([
    ['Subtitles (SRT)', true, 'format=srt'],
    ['Text (TXT)', false, 'format=txt&times=off'],
    ['Data (JSON)', false, 'format=json'],
  ])('as %s with times %s, then that file is asked for under its own name', async (label, times, query) => {
    const { user } = await opened()
    const asked: string[] = []
    const adapter = http.defaults.adapter as AxiosAdapter
    http.defaults.adapter = async config => {
      if (!config.url?.includes('/export')) return adapter(config)
      asked.push(`${config.url}?${new URLSearchParams(config.params)}`)
      const headers = { 'content-disposition': `attachment; filename="x"; filename*=UTF-8''caf%C3%A9.srt` }
      return { status: 200, statusText: '', data: new Blob(['1']), headers, config }
    }
    URL.createObjectURL = () => 'blob:1'
    const named = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      asked.push(this.download)
    })
    await user.click(screen.getByText('Download'))
    if (!times) await user.click(screen.getByLabelText('With times (TXT and DOCX)'))
    await user.click(screen.getByText(label))
    await waitFor(() => expect(named).toHaveBeenCalled())
    expect(asked).toEqual([`/transcriptions/note-1/export?${query}`, 'café.srt'])
  })

  describe('by the menu of downloads', () => {
    const menu = async (document: Partial<TranscriptionDocument> = {}) => {
      const { user } = await opened(document)
      const button = screen.getByRole('button', { name: 'Download' })
      await user.click(button)
      return { user, button }
    }
    const entries = () =>
      screen.queryAllByRole('button', { name: /^Subtitles/ }).map(({ textContent }) => textContent)

    test('and Escape is pressed, then it is closed and its button has the focus', async () => {
      const { user, button } = await menu()
      await user.tab()
      expect(window.document.activeElement).toBe(screen.getByLabelText('With times (TXT and DOCX)'))
      await user.keyboard('{Escape}')
      expect([entries(), button.getAttribute('aria-expanded')]).toEqual([[], 'false'])
      expect(window.document.activeElement).toBe(button)
    })

    test('and something else is pressed, then it is closed', async () => {
      const { user } = await menu()
      expect(entries()).toEqual(['Subtitles (SRT)', 'Subtitles (VTT)'])
      await user.click(screen.getByRole('heading', { level: 1 }))
      expect(entries()).toEqual([])
    })

    test('and its times are estimates, then the subtitles say so', async () => {
      await menu({ timesExact: false })
      expect(screen.getByText('Audio').getAttribute('href')).toBe(`${note.audioUrl}&download=1`)
      expect(entries()).toEqual(['Subtitles (SRT)Times are estimates', 'Subtitles (VTT)Times are estimates'])
      expect(screen.getByRole('button', { name: 'Text (TXT)' })).toBeTruthy()
    })
  })

  test('as a copy with times, then each passage is a line with its time', async () => {
    const { user } = await opened()
    await user.click(screen.getByRole('button', { name: 'Copy with times' }))
    expect(await navigator.clipboard.readText()).toBe('0:00 I will be\n1:01 ten minutes late.')
  })
})

test('when it is to be transcribed again in another language, then that language is sent', async () => {
  const { api, user } = await opened({}, { refreshTranscription: () => answer(note) })
  await user.click(screen.getByRole('button', { name: 'Transcribe again' }))
  const dialog = screen.getByRole('dialog')
  await user.selectOptions(within(dialog).getByLabelText('Spoken language'), 'Spanish')
  await user.click(within(dialog).getByRole('button', { name: 'Transcribe again' }))
  await waitFor(() => expect(api.of('refreshTranscription')[0]?.body).toEqual({ language: 'es' }))
})

test('when the note is deleted, then the history opens, and Undo is offered', async () => {
  const { user, place } = await opened()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(place()).toBe('/transcription-history'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
})
