import { jest } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { reason } from '@voxscribe/contracts/reasons'
import type { AxiosAdapter } from 'axios'
import { http } from '../api/http.ts'
import { queryClient } from '../session/query-client.ts'
import { endSession } from '../session/session.ts'
import { replaceDelays } from '../testing/delays.ts'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { completed, document as note, pageOf } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp, signIn } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

let audio: HTMLAudioElement
let paused = true
beforeEach(() => {
  paused = true
  // jsdom has the element, but doesn't play.
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
  const app = openApp(
    address,
    {
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
      ...handlers,
    },
    ada,
  )
  return { ...app, change: (to: Partial<TranscriptionDocument>) => Object.assign(current, to) }
}
async function opened(...parts: Parameters<typeof open>) {
  const app = open(...parts)
  await screen.findByRole('heading', { level: 1, name: note.title })
  return app
}
const lines = () => within(screen.getByRole('region', { name: 'Transcript' })).getAllByRole('listitem')
const texts = () => lines().map(line => line.querySelector('p')?.textContent)
const more = (user: ReturnType<typeof open>['user']) =>
  user.click(screen.getByRole('button', { name: 'More actions' }))
async function shareLink(user: ReturnType<typeof open>['user']) {
  await more(user)
  const [entry] = screen.getAllByRole('button', { name: 'Share' }).slice(-1)
  await user.click(entry!)
}
const press = (key: string, on: Element = window.document.body) => fireEvent.keyDown(on, { key })
const field = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })

describe('when a completed note is opened', () => {
  test('then its text is there with the times, and its facts and history are folded', async () => {
    const passedOver = [
      { name: 'openai', reason: 'model_missing' },
      { name: 'sphinx', reason: 'language_not_supported' },
    ]
    await opened({ engine: { name: 'local', model: 'whisper-base' }, passedOver })
    expect(lines().map(line => line.textContent)).toEqual([
      '0:00Play from 0 secondsI will be',
      '1:01Play from 1 minute, 1 secondten minutes late.',
    ])
    expect(screen.getByText('1m 30s', { selector: 'dd' })).toBeTruthy()
    expect(
      screen.getByText('Language', { selector: 'summary span' }).closest('details')?.textContent,
    ).toContain('English')
    const folded = within(screen.getByText('What happened to this note').closest('details')!)
    for (const fact of ['WhatsApp', 'Whisper, on our own server', '93%', /, 48 kB$/]) folded.getByText(fact)
    expect(folded.getByText('The text was ready.').parentElement?.textContent).toMatch(/after 3.2 sec$/)
    expect(folded.getByText(/^Not /).textContent).toBe(
      'Not PocketSphinx, on our own server: it doesn’t know the language',
    )
  })

  test('and it is the sample, then it plays, is copied and removed, and nothing that needs a note is offered', async () => {
    const lines = ['The meeting moves.']
    const made = { language: 'en', model: '', at: note.createdAt, stale: false }
    const { user, api, place } = await opened(
      {
        sample: true,
        speakers: [{ id: '1', name: 'Maya' }],
        segments: note.segments.map(segment => ({ ...segment, speaker: '1' })),
        gist: { lines, tasks: [{ text: 'Book the room', due: null, done: false }], ...made },
      },
      { deleteTranscription: () => ok<'deleteTranscription'>(null), transcriptions: () => ok(pageOf([])) },
    )
    const dock = screen.getByRole('button', { name: 'Remove the sample' }).parentElement!
    expect(within(dock).getAllByRole('button')).toHaveLength(2)
    within(dock).getByRole('button', { name: 'Copy' })
    for (const name of ['Correct the text', 'More actions', 'Maya'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByText('What happened to this note')).toBeNull()
    const todo = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Book the room' })
    await user.click(todo)
    expect([todo.checked, api.of('tickTodo')]).toEqual([true, []])
    await user.click(within(dock).getByRole('button', { name: 'Remove the sample' }))
    await waitFor(() => expect(place()).toBe('/transcription-history'))
  })

  test('then it waits for what the installation can do: a row above the text hangs on it', async () => {
    const settings = held()
    open({}, { config: settings.handler })
    await screen.findAllByTestId('skeleton')
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
    settings.answer(ok({ ...config, textModel: true }))
    await screen.findByRole('heading', { level: 1, name: note.title })
    expect(screen.getByText('Summary', { selector: 'summary span' })).toBeTruthy()
  })

  test('then passages are paragraphs or lines, as this browser showed them last', async () => {
    const segments = [note.segments[0]!, { ...note.segments[1]!, from: 3 }]
    const { user, unmount } = await opened({ segments })
    expect(texts()).toEqual(['I will be ten minutes late.'])
    await user.click(screen.getByRole('button', { name: 'Line by line' }))
    expect(texts()).toEqual(['I will be', 'ten minutes late.'])
    unmount()
    await opened({ segments })
    expect(texts()).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Reading' }))
    expect(texts()).toHaveLength(1)
  })

  test('then doubtful words are underlined, and doubts about all of it are said', async () => {
    const { change } = await opened()
    expect(screen.getByText('will', { exact: false, selector: 'span' }).className).toContain('underline')
    expect(screen.getAllByText(/words may be wrong/)).toHaveLength(1)
    expect(screen.queryByText(/Much of this text/)).toBeNull()
    change({ confidenceScore: 0.41, timesExact: false })
    await queryClient.invalidateQueries({ queryKey: ['transcription'] })
    expect(await screen.findByText(/Much of this text may be wrong/)).toBeTruthy()
    expect(screen.getByText('The times are estimates.')).toBeTruthy()
  })

  test('and it is the same audio as another note, then that leads there', async () => {
    const notices = [reason('same_as', { title: 'call.ogg', day: '2026-11-20' })]
    await opened({ notice: 'Same as call.ogg of 2026-11-20', notices, sameAs: 'note-0' })
    const link = screen.getByRole('link', { name: 'Same as call.ogg of November 20, 2026' })
    expect(link.getAttribute('href')).toBe('/transcriptions/note-0')
  })

  test('then a made file name has the time of where the reader is', async () => {
    await opened({ fileName: 'Voice note 2026-11-20 14.05.ogg' })
    expect(screen.getByText(/^Voice note of Nov 20, \d+:05/)).toBeTruthy()
  })

  test('then markup in the text is text', async () => {
    await opened({ segments: [{ ...note.segments[1]!, text: '<img src=x> שלום 🎉' }] })
    expect(texts()).toEqual(['<img src=x> שלום 🎉'])
  })

  test('and the answer lacks fields, then the page shows the rest', async () => {
    const { id, status, text, fileName } = note
    open({}, { transcription: () => answer({ id, status, text, fileName } as TranscriptionDocument) })
    expect(await screen.findByRole('heading', { level: 1, name: fileName })).toBeTruthy()
    expect(texts()).toEqual([text])
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
    ['nobody speaks', { notices: [reason('no_speech')] }, /No speech found\s*That didn’t use any minutes/],
  ])('because %s, then the page says what to do', async (_, document, words) => {
    await opened({ text: '', segments: [], ...document })
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Correct the text' })).toBeNull()
  })

  test('because it is long and still being transcribed, then what is finished is there', async () => {
    const partial = { text: 'The beginning.', seconds: 15, secondsLeft: 40 }
    await opened({ status: 'processing', text: '', segments: [], partial })
    expect(screen.getByRole('region', { name: 'Transcript so far' }).textContent).toBe('The beginning. …')
  })

  test('because there is no such note, then the page says so', async () => {
    open({}, { transcription: () => failure(404, 'There is no such transcription.') })
    expect(await screen.findByRole('heading', { name: 'This transcript doesn’t exist' })).toBeTruthy()
  })
})

test('when it is opened from a search, then its words are marked, and others can be searched', async () => {
  const marks = () => [...window.document.querySelectorAll('mark')].map(mark => mark.textContent)
  const { user, place } = open({ title: 'Minutes of Monday' }, {}, '/transcriptions/note-1?search=WIL+minute')
  await screen.findByRole('heading', { level: 1 })
  expect(marks()).toEqual(['Minute', 'wil', 'minute'])
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect([marks(), place()]).toEqual([[], '/transcriptions/note-1'])
  await user.click(screen.getByRole('button', { name: 'Search in this note' }))
  await user.keyboard('late')
  expect([marks(), place()]).toEqual([['late'], '/transcriptions/note-1?search=late'])
  expect(texts()).toEqual(['I will be', 'ten minutes late.'])
})

test('when it came with a chat, then it says where it stands, and leads there', async () => {
  const chat = { id: 'c1', name: 'Family', n: 7 }
  open({ conversation: chat, sender: { id: 'p1', name: 'علي' }, createdAt: '2025-05-12T09:00:00.000Z' })
  const link = await screen.findByRole('link', { name: /^.علي., May 12, 2025, in .Family.$/ })
  expect(link.getAttribute('href')).toBe('/conversations/c1?n=7')
  cleanup()
  open({ conversation: { ...chat, n: null } })
  const without = await screen.findByRole('link', { name: /^In .Family.$/ })
  expect(without.getAttribute('href')).toBe('/conversations/c1')
})

test('when a note of a filtered list is searched, then the way back still leads to that list', async () => {
  const { user } = open(
    {},
    { transcriptions: () => ok(pageOf([completed])) },
    '/transcription-history?status=completed',
  )
  await user.click(await screen.findByRole('link', { name: completed.title }))
  await user.click(await screen.findByRole('button', { name: 'Search in this note' }))
  await user.keyboard('late')
  const back = () => screen.getByRole('link', { name: 'All transcriptions' }).getAttribute('href')
  expect(back()).toBe('/transcription-history?status=completed')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(back()).toBe('/transcription-history?status=completed')
  expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcript' }))
})

test('when the menu leads to a dialog, then it is closed behind and after it', async () => {
  const { user } = await opened()
  await shareLink(user)
  const isClosed = () => expect(screen.queryByRole('button', { name: 'Rename' })).toBeNull()
  isClosed()
  fireEvent(document.querySelector('dialog')!, new Event('cancel', { cancelable: true }))
  await waitFor(() => expect(document.querySelector('dialog')).toBeNull())
  isClosed()
})

test('when a note of twenty words is open on a phone, then nine controls stand around it, and six entries in its menu', async () => {
  const listen = { addEventListener() {}, removeEventListener() {} }
  window.matchMedia = () => ({ matches: false, ...listen }) as unknown as MediaQueryList
  try {
    const short = { durationSeconds: 9, segments: [note.segments[1]!], language: 'auto' }
    const { user } = await opened(short)
    const names = () =>
      [...screen.getByRole('main').querySelectorAll('a, button, input, select, summary')]
        .filter(
          control => !control.closest('[hidden], details:not([open]) > :not(summary), .max-sm\\:hidden'),
        )
        .map(control => control.textContent || control.getAttribute('aria-label'))
    expect(names()).toHaveLength(8)
    expect(names()).toContain('Language, Transcribe again')
    expect(screen.queryByText('What happened to this note')).toBeNull()
    await more(user)
    const entries = [
      ...screen.getByRole('button', { name: 'More actions' }).nextElementSibling!.querySelectorAll('button'),
    ]
    expect(entries.map(entry => entry.textContent)).toEqual([
      'Share',
      'Download',
      'Quote',
      'Rename',
      'Delete',
    ])
  } finally {
    Reflect.deleteProperty(window, 'matchMedia')
  }
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
    press('ArrowRight', screen.getByRole('slider', { name: 'Position' }))
    expect(audio.currentTime).toBe(10)
    press(' ')
    await screen.findByRole('button', { name: 'Play' })
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
    await user.click(screen.getByRole('button', { name: 'Play from 1 minute, 1 second' }))
    expect(audio.currentTime).toBe(61.2)
    await waitFor(() => {
      const spoken = screen.getAllByRole('listitem').filter(line => line.getAttribute('aria-current'))
      expect(spoken.map(line => line.lastElementChild?.textContent)).toEqual(['ten minutes late.'])
    })
  })

  test('plays from the second of a quote that was pressed, and waits there after a reload', async () => {
    const { navigate, user } = await opened()
    const userActivation = { isActive: false }
    Object.defineProperty(navigator, 'userActivation', { value: userActivation, configurable: true })
    navigate('/transcriptions/note-1?t=61', { plays: true })
    await waitFor(() => expect([audio.currentTime, paused]).toEqual([61, true]))
    userActivation.isActive = true
    navigate('/transcriptions/note-1?t=62', { plays: true })
    await waitFor(() => expect([audio.currentTime, paused]).toEqual([62, false]))
    await user.click(screen.getByRole('button', { name: 'Pause' }))
    navigate('/transcriptions/note-1', { plays: true })
    expect(paused).toBe(true)
    Reflect.deleteProperty(navigator, 'userActivation')
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
      await more(user)
      await user.click(screen.getByRole('checkbox', { name: 'Follow along', checked: true }))
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
  })
})

describe('when the text is corrected', () => {
  async function correct(handlers: FakeHandlers = {}) {
    const app = await opened({}, handlers)
    await app.user.click(screen.getByRole('button', { name: 'Correct the text' }))
    expect(window.document.activeElement).toBe(screen.getByRole('button', { name: 'Done' }))
    const line = await field('Text at 0 seconds')
    fireEvent.change(line, { target: { value: 'I shall be' } })
    line.focus()
    press('Enter', line)
    return app
  }

  test('then Enter saves it to the version on the page and goes on to the next; undo reverts it', async () => {
    const { api, user } = await correct()
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(window.document.activeElement).toBe(await field('Text at 1 minute, 1 second'))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect((await field('Text at 0 seconds')).value).toBe('I will be'))
    expect(api.of('editTranscription').map(({ ifMatch, body }) => [ifMatch, body])).toEqual([
      ['"3"', { segments: [{ id: 's1', text: 'I shall be' }] }],
      ['"4"', { segments: [{ id: 's1', text: 'I will be' }] }],
    ])
  })

  const NEVER = 2 ** 31 - 1
  const networkIsBack = () => {
    for (const event of ['offline', 'online']) fireEvent(window, new Event(event))
  }
  test.each<[string, FakeHandlers['editTranscription'], (() => unknown) | null]>([
    ['Network error.', noNetwork, networkIsBack],
    ['Away.', () => failure(503, 'Away.'), () => fireEvent.click(screen.getByText('Try again'))],
    ['Network error.', noNetwork, null],
  ])('and it cannot be saved (%s), then that is said and tried again', async (why, fails, act) => {
    // It's retried automatically after 5 s.
    replaceDelays({ 5000: act ? NEVER : 20 })
    const { api } = await correct({ editTranscription: fails! })
    // By its text, as the element says "Saving…" during a retry.
    await screen.findByText(`Not saved: ${why}`, { exact: false })
    expect((await field('Text at 0 seconds')).value).toBe('I shall be')
    api.on({ editTranscription: () => answer({ ...note, version: 4 }) })
    act?.()
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(api.of('editTranscription').at(-1)?.body?.segments).toEqual([{ id: 's1', text: 'I shall be' }])
  })

  test('and the page is left before it is saved, then the browser asks; who comes back finds it', async () => {
    const { api, navigate } = await correct({ editTranscription: () => failure(503, 'Away.') })
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
    const { api, user, place } = await correct({
      editTranscription: () => failure(401, 'Token expired'),
      refresh: () => failure(401, 'Unauthorized'),
      login: () => ok<'login'>({ user: ada, accessToken: 'a', refreshToken: 'r' }),
    })
    await screen.findByRole('heading', { name: 'Sign In' })
    api.on({ editTranscription: () => answer({ ...note, version: 4, title: 'Saved after all' }) })
    await signIn(user)
    await waitFor(() => expect(place()).toBe('/transcriptions/note-1'))
    expect(await screen.findByRole('heading', { name: 'Saved after all' })).toBeTruthy()
  })

  test('and the page is left while a passage is typed in, then the browser asks, and it is saved', async () => {
    const { api, user, navigate } = await opened()
    await user.click(screen.getByRole('button', { name: 'Correct the text' }))
    fireEvent.change(await field('Text at 0 seconds'), { target: { value: 'I shall' } })
    expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
    const saved = () => api.of('editTranscription').map(({ body }) => body!.segments![0]!.text)
    await waitFor(() => expect(saved()).toEqual(['I shall']))
    fireEvent.change(await field('Text at 0 seconds'), { target: { value: 'I might be' } })
    navigate('/transcription-history')
    await waitFor(() => expect(saved()).toEqual(['I shall', 'I might be']))
  })

  test('and the session ends while a passage is typed in, then it is saved after signing in again', async () => {
    const { api, user, place } = await opened(
      {},
      { login: () => ok<'login'>({ user: ada, accessToken: 'a', refreshToken: 'r' }) },
    )
    await user.click(screen.getByRole('button', { name: 'Correct the text' }))
    fireEvent.change(await field('Text at 0 seconds'), { target: { value: 'I shall be' } })
    act(() => endSession('expired'))
    await screen.findByRole('heading', { name: 'Sign In' })
    await signIn(user)
    await waitFor(() => expect(place()).toBe('/transcriptions/note-1'))
    await waitFor(() =>
      expect(api.of('editTranscription').at(-1)?.body?.segments).toEqual([{ id: 's1', text: 'I shall be' }]),
    )
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
    await correct({ editTranscription: gone, transcription: () => (reads++ ? gone() : answer(note)) })
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
    const { api } = await correct(refusingOld({ ...note, version: 4, title: 'Renamed' }))
    expect(await screen.findByText('Saved')).toBeTruthy()
    expect(api.of('editTranscription').map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"4"'])
  })

  test('and another tab has changed the same passage, then both texts are shown and one is chosen', async () => {
    const { api, user } = await correct(refusingOld(newer('I may be')))
    const banner = (await screen.findByText(/changed in another tab/)).parentElement!
    expect(within(banner).getAllByText(/^I (shall|may) be$/)).toHaveLength(2)
    expect(screen.queryByText('Saved')).toBeNull()
    await user.click(within(banner).getByRole('button', { name: 'Use mine' }))
    await waitFor(async () => expect((await field('Text at 0 seconds')).value).toBe('I shall be'))
    expect(screen.queryByText(/changed in another tab/)).toBeNull()
    await waitFor(() =>
      expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcript' })),
    )
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

test('when the title is changed in place, then it is saved and has the focus, and Escape leaves it', async () => {
  const { api, user } = await opened()
  for (const typed of ['Not this{Escape}', 'Call with Ben{Enter}']) {
    await more(user)
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await user.keyboard(typed)
    await waitFor(() => expect(window.document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
  }
  expect(await screen.findByRole('heading', { level: 1, name: 'Call with Ben' })).toBeTruthy()
  expect(api.of('editTranscription').map(({ body }) => body)).toEqual([{ title: 'Call with Ben' }])
})

test.each([
  ['title', 'Rename', 'Title', { title: 'Call with Ben' }],
  ['tag', '+ Tag', 'Add a tag', { tags: ['Call', 'with', 'Ben'] }],
])('when the page is left while a %s is typed, then the browser asks, and it is saved', async (...row) => {
  const [, open, label, body] = row
  for (const leave of ['reload', 'back']) {
    const { api, user, navigate, unmount } = await opened()
    await more(user)
    await user.click(screen.getByRole('button', { name: open }))
    await user.clear(screen.getByLabelText(label))
    await user.keyboard('Call with Ben')
    if (leave === 'back') navigate('/transcription-history')
    else expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
    await waitFor(() => expect(api.of('editTranscription').map(each => each.body)).toEqual([body]))
    unmount()
  }
})

test('when a press elsewhere ends the change of a title, then what was pressed has the focus', async () => {
  const { user } = await opened()
  await more(user)
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  const copy = screen.getByRole('button', { name: 'Copy' })
  // Like in a browser, nothing has the focus while it moves.
  act(() => screen.getByRole('textbox', { name: 'Title' }).blur())
  act(() => {
    if (window.document.activeElement === window.document.body) copy.focus()
  })
  await new Promise(resolve => setTimeout(resolve))
  expect(window.document.activeElement).toBe(copy)
})

test('when tags are added and taken off, then the next one can be typed at once, and a refused one stays', async () => {
  const { user } = await opened(
    {},
    { editTranscription: ({ body }) => answer({ ...note, version: 4, tags: body?.tags ?? [] }) },
  )
  const add = () => screen.getByRole('button', { name: '+ Tag' })
  await user.click(add())
  await user.keyboard('Q&A{Enter}')
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Add a tag' })
  expect(getToasts().at(-1)?.message).toMatch(/^A tag has at most/)
  expect([input.value, window.document.activeElement]).toEqual(['Q&A', input])
  await user.clear(input)
  await user.keyboard('family{Enter}')
  await waitFor(() => expect(window.document.activeElement).toBe(add()))
  await user.click(screen.getByRole('button', { name: 'Remove the tag family' }))
  await waitFor(() => expect(window.document.activeElement).toBe(add()))
})

test('when Enter ends a word of an input method, then the title is still being typed', async () => {
  const { api, user } = await opened()
  await more(user)
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  const input = screen.getByRole('textbox', { name: 'Title' })
  fireEvent.change(input, { target: { value: '電話' } })
  fireEvent.keyDown(input, { key: 'Enter', isComposing: true })
  // Safari ends the composition first.
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 229 })
  expect(window.document.activeElement).toBe(input)
  press('Enter', input)
  await waitFor(() =>
    expect(api.of('editTranscription').map(({ body }) => body)).toEqual([{ title: '電話' }]),
  )
})

describe('when the note is taken away', () => {
  test.each([
    ['Subtitles (SRT)', true, 'format=srt', `filename="x"; filename*=UTF-8''caf%C3%A9.srt`, 'café.srt'],
    [
      'PDF with checksums',
      true,
      'format=pdf&certified=on',
      'filename="memo (with checksums).pdf"',
      'memo (with checksums).pdf',
    ],
    ['Text (TXT)', false, 'format=txt&times=off', 'filename=memo.txt', 'memo.txt'],
    ['Text (TXT)', true, 'format=txt&times=on', String.raw`FileName = "a \"b\"; c.txt"`, 'a "b"; c.txt'],
  ])(
    'as %s with times %s, then that file is asked for under its own name',
    async (label, times, query, sent, name) => {
      const { user } = await opened({ timesExact: false })
      const asked: string[] = []
      const adapter = http.defaults.adapter as AxiosAdapter
      http.defaults.adapter = async config => {
        if (!config.url?.includes('/export')) return adapter(config)
        asked.push(`${config.url}?${new URLSearchParams(config.params)}`)
        const headers = { 'content-disposition': `attachment; ${sent}` }
        return { status: 200, statusText: '', data: new Blob(['1']), headers, config }
      }
      URL.createObjectURL = () => 'blob:1'
      const named = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
        this: HTMLAnchorElement,
      ) {
        asked.push(this.download)
      })
      await more(user)
      await user.click(screen.getByRole('button', { name: 'Download' }))
      expect(screen.getAllByText('Times are estimates')).toHaveLength(1)
      expect(screen.getByText('Audio').getAttribute('href')).toBe(`${note.audioUrl}&download=1`)
      if (!times) await user.click(screen.getByLabelText('Texts with times'))
      await user.click(screen.getByText(label))
      await waitFor(() => expect(named).toHaveBeenCalled())
      expect(asked).toEqual([`/transcriptions/note-1/export?${query}`, name])
    },
  )

  test('as a copy or to another app, then it has paragraphs, or a line for each passage', async () => {
    const shared: unknown[] = []
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) })
    const { user } = await opened()
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('I will be\n\nten minutes late.')
    await user.click(screen.getByRole('button', { name: 'Share' }))
    expect(shared).toEqual([{ title: note.title, text: 'I will be\n\nten minutes late.' }])
    await more(user)
    await user.click(screen.getByRole('button', { name: 'Download' }))
    await user.click(screen.getByRole('button', { name: 'Copy with times' }))
    expect(await navigator.clipboard.readText()).toBe('0:00 I will be\n1:01 ten minutes late.')
    delete (navigator as Partial<Navigator>).share
  })
})

test('when a link is made, then it is copied, can be copied again until it ends, and can be ended', async () => {
  const url = 'https://vox.example/s/abc'
  const expiresAt = '2026-11-30T10:00:00.000Z'
  let share: TranscriptionDocument['share'] = null
  const { api, user } = await opened(
    {},
    {
      transcription: () => answer({ ...note, share }),
      shareTranscription: ({ body }) => {
        share = { url, expiresAt, views: 0, audio: body.audio ?? false }
        return ok<'shareTranscription'>({ url, expiresAt })
      },
      endShare: () => {
        share = null
        return ok<'endShare'>(null)
      },
    },
  )
  await shareLink(user)
  const dialog = within(document.querySelector('dialog')!)
  await user.selectOptions(dialog.getByLabelText('The link works for'), '30 days')
  await user.click(dialog.getByLabelText('Share the recording, too'))
  await user.click(dialog.getByRole('button', { name: 'Make a link' }))
  const made = await dialog.findByText(url)
  await waitFor(() => expect(window.document.activeElement?.contains(made)).toBe(true))
  expect(window.document.activeElement).not.toBe(window.document.body)
  expect(await navigator.clipboard.readText()).toBe(url)
  expect(api.of('shareTranscription')[0]?.body).toEqual({ days: 30, audio: true })
  await navigator.clipboard.writeText('')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await shareLink(user)
  const again = within(document.querySelector('dialog')!)
  await user.click(again.getByRole('button', { name: 'Copy link' }))
  expect(await navigator.clipboard.readText()).toBe(url)
  expect(again.getByText(/Text and recording are shared until .* opened 0 times/)).toBeTruthy()
  await user.click(again.getByRole('button', { name: 'Turn off the link' }))
  expect(await again.findByRole('button', { name: 'Make a link' })).toBeTruthy()
  expect(again.queryByText(url)).toBeNull()
})

test.each([
  ['refuses to copy', { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }],
  ['has no clipboard', undefined],
])(
  'when a link is made in a browser that %s, then it does not say that it was copied',
  async (_, clipboard) => {
    const made = { url: 'https://vox.example/s/abc', expiresAt: '2026-11-30T10:00:00.000Z' }
    let share: TranscriptionDocument['share'] = null
    const { user } = await opened(
      {},
      {
        transcription: () => answer({ ...note, share }),
        shareTranscription: () => {
          share = { ...made, views: 0, audio: false }
          return ok<'shareTranscription'>(made)
        },
      },
    )
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    await shareLink(user)
    const dialog = within(document.querySelector('dialog')!)
    await user.click(dialog.getByRole('button', { name: 'Make a link' }))
    await dialog.findByText('Your browser blocked copying. Please select the text instead.')
    await user.click(dialog.getByRole('button', { name: 'Copy link' }))
    expect(dialog.getByRole('button', { name: 'Copy link' })).toBeTruthy()
  },
)

test('when a link can’t be ended, then the page says so', async () => {
  const share = {
    url: 'https://voxscribe.example/s/1',
    expiresAt: '2026-11-30T10:00:00.000Z',
    views: 3,
    audio: false,
  }
  const { user } = await opened({ share }, { endShare: () => failure(503, 'Away.') })
  await shareLink(user)
  const dialog = within(document.querySelector('dialog')!)
  expect(dialog.getByText(/opened 3 times/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Turn off the link' }))
  await dialog.findByText('Away.')
})

test('when it is to be transcribed again, then the chosen language and engine are sent', async () => {
  const engines = [
    { name: 'local', model: 'whisper-base' },
    { name: 'sphinx', model: 'en-us' },
  ]
  const { api, user } = await opened(
    {},
    {
      refreshTranscription: () => answer(note),
      config: () => ok<'config'>({ ...config, speech: { engines, languages: 'all', speakers: false } }),
    },
  )
  await user.click(screen.getByRole('button', { name: 'Transcribe again' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.selectOptions(dialog.getByLabelText('Spoken language'), 'Spanish')
  await user.selectOptions(await dialog.findByLabelText('Recognized by'), 'PocketSphinx, on our own server')
  await user.click(dialog.getByRole('button', { name: 'Transcribe again' }))
  await waitFor(() =>
    expect(api.of('refreshTranscription')[0]?.body).toEqual({ language: 'es', engine: 'sphinx' }),
  )
})

test('when the note is deleted, then the history opens, and Undo is offered', async () => {
  const { user, place } = await opened()
  await more(user)
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(place()).toBe('/transcription-history'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
})
