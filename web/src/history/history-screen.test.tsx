import { jest } from '@jest/globals'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { Transcription } from '@voxscribe/contracts/http'
import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import { pause } from '../api/pause.ts'
import { finishForSignOut } from '../session/session.ts'
import { replaceDelays } from '../testing/delays.ts'
import { type FakeHandlers, failure, held, ok } from '../testing/fake-api.ts'
import { completed, document, failed, pageOf, processing, sample } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { speak } from '../testing/speak.ts'
import { getToasts } from '../ui/feedback/toast.ts'

const open = (handlers: FakeHandlers, address = '/transcription-history') => openApp(address, handlers, ada)
const openWith = (...notes: Transcription[]) => open({ transcriptions: () => ok(pageOf(notes)) })
/** A person who has enough notes to filter. */
const many = (...notes: Transcription[]) => pageOf(notes, { total: 12, completed: 12 })
const { statistics } = pageOf([])
const card = (note: Transcription) => screen.findByRole('article', { name: note.title })
const facts = (element: HTMLElement) =>
  within(element)
    .getAllByRole('definition')
    .map(definition => definition.parentElement?.textContent)

describe('when the history opens', () => {
  test('then a skeleton stands there until the answer comes, whose tiles count the whole account', async () => {
    const answer = held()
    open({ transcriptions: answer.handler })
    expect(await screen.findAllByTestId('skeleton')).toHaveLength(3)
    answer.answer(ok(pageOf([completed], { total: 23, completed: 20, processing: 1, failed: 2 })))
    await card(completed)
    expect(screen.queryByTestId('skeleton')).toBeNull()
    const tiles = screen.getByText('total').closest('dl')
    expect(tiles?.textContent).toBe('total23completed20processing1')
  })

  test('then notes stand below their days, and filters come with the tenth', async () => {
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    const notes = [at(0), at(0), at(1), '2024-11-04T12:00:00.000Z'].map((createdAt, n) => ({
      ...completed,
      id: `n${n}`,
      createdAt,
    }))
    const { unmount } = open({ transcriptions: () => ok(pageOf(notes, { total: 9 })) })
    await screen.findByRole('heading', { name: 'Today' })
    const list = within(screen.getByRole('region', { name: 'Transcriptions' }))
    const days = list.getAllByRole('heading', { level: 2 })
    expect(days.map(day => [day.textContent, day.parentElement?.querySelectorAll('li').length])).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      ['November 4, 2024', 1],
    ])
    expect(screen.getByRole('searchbox', { name: 'Search' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull()
    unmount()
    open({ transcriptions: () => ok(many(completed)) })
    expect(await screen.findByRole('button', { name: 'Filters' })).toBeTruthy()
  })

  test('and the account is new, then a sample stands above the invitation until it is removed', async () => {
    let notes = [sample]
    const { api, user } = open({
      transcriptions: () => ok(pageOf(notes, { total: 0 })),
      deleteTranscription: () => {
        notes = []
        return ok<'deleteTranscription'>(null)
      },
    })
    const row = within(await card(sample))
    expect(row.getByText('Sample')).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull()
    expect(screen.getByRole('heading', { name: 'No transcriptions yet' })).toBeTruthy()
    await user.click(row.getByRole('button', { name: 'Remove the sample' }))
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect(api.of('deleteTranscription').map(({ params }) => params)).toEqual([{ id: 'sample-en' }])
    expect(screen.getByRole('heading', { name: 'No transcriptions yet' })).toBeTruthy()
  })

  test('then j, k and Enter go through the notes, and a link skips to them', async () => {
    const notes = ['a', 'b', 'c'].map(id => ({ ...completed, id, title: `note ${id}` }))
    const { user, place } = openWith(...notes)
    await card(notes[0]!)
    const focused = () => window.document.activeElement?.textContent
    const steps = []
    for (const key of ['j', 'j', 'j', 'j', 'k']) {
      await user.keyboard(key)
      steps.push(focused())
    }
    expect(steps).toEqual(['note a', 'note b', 'note c', 'note c', 'note b'])
    await user.click(screen.getByRole('button', { name: 'Skip to the list' }))
    expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcriptions' }))
    await user.keyboard('k{Enter}')
    await waitFor(() => expect(place()).toBe('/transcriptions/c'))
  })

  test('and a note is being deleted, then the tiles count without it', async () => {
    const { user } = open({
      transcriptions: () => ok(pageOf([completed], { total: 23, completed: 20, processing: 1, failed: 2 })),
    })
    await card(completed)
    await user.click(screen.getByRole('checkbox', { name: `Select ${completed.title}` }))
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(screen.getByText('total').closest('dl')?.textContent).toBe('total22completed19processing1')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(screen.getByText('total').closest('dl')?.textContent).toBe('total23completed20processing1')
  })

  test('and there is nothing yet, then it says where to begin', async () => {
    openWith()
    expect(await screen.findByRole('heading', { name: 'No transcriptions yet' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show the number' }).getAttribute('href')).toBe('/dashboard')
  })
})

describe('when a note is shown', () => {
  test('and it is completed, then with its first words, source, length and hour, and no other figure', async () => {
    openWith(completed)
    const shown = await card(completed)
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
    expect(shown.textContent).toContain('I will be ten minutes late.')
    const at = new Date(completed.createdAt).toLocaleTimeString('en', { timeStyle: 'short' })
    expect(facts(shown)).toEqual(['SourceWhatsApp', 'Length42s', `Received${at}`])
    expect(shown.textContent).not.toContain('✓')
    expect(shown.querySelector('time')?.getAttribute('datetime')).toBe(completed.createdAt)
  })
  const renamed = { ...completed, title: 'Call with Ben' }
  test.each([
    ['it was renamed', renamed, /voice-note-1/],
    ['its length is not known', { ...processing, durationSeconds: null }, /Length/],
  ])('and %s, then without what it does not have', async (_, note, absent) => {
    openWith(note)
    expect((await card(note)).textContent).not.toMatch(absent)
  })
  const silent = { text: '', notice: 'No speech found', notices: [{ code: 'no_speech' }] }
  const sameAs = reason('same_as', { title: 'call.ogg', day: '2026-11-20' })
  const same = { notice: 'Same as call.ogg of 2026-11-20', notices: [sameAs], sameAs: 'note-0' }
  test.each([
    ['it failed, then it says why', failed, 'This file has no sound.'],
    [
      'it failed for a reason that is new to the page, then it says why nonetheless',
      { ...failed, error: 'Said by the server.', failure: { code: 'of_tomorrow' } },
      'Said by the server.',
    ],
    [
      'it has a notice that is new to the page, then it says so nonetheless',
      { ...completed, notice: 'Said by the server.', notices: [sameAs, { code: 'of_tomorrow' }] },
      'Said by the server.',
    ],
    [
      'it was silent, then that it was free',
      { ...completed, ...silent },
      'No speech found. This note was free.',
    ],
    [
      'it is a repeat, then of which note',
      { ...completed, ...same },
      'Same as call.ogg of November 20, 2026',
    ],
  ])('and %s', async (_, note, words) => {
    openWith(note)
    expect((await card(note)).textContent).toContain(words)
  })
  test('and it is a repeat, or failed for want of minutes, then it leads on, with the reader’s days', async () => {
    const options = new Intl.DateTimeFormat().resolvedOptions()
    const there = { ...options, timeZone: 'America/St_Johns' }
    const place = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(there)
    const facts = {
      seconds: 60,
      remainingSeconds: 0,
      periodEnd: '2026-12-01T00:00:00.000Z',
      plans: 'https://voxscribe.example/pricing',
    }
    const shortage = reason('out_of_minutes', facts)
    const poor = { ...failed, failure: shortage, error: sentenceOf(english, shortage) }
    openWith({ ...completed, ...same }, poor)
    const links = within(await card(poor)).getAllByRole('link', { name: 'Pricing' })
    expect(links.map(link => link.getAttribute('href'))).toEqual(['/pricing'])
    expect((await card(poor)).textContent).not.toContain(facts.plans)
    expect((await card(poor)).textContent).toContain('New minutes arrive on November 30, 2026')
    const link = screen.getByRole('link', { name: 'Same as call.ogg of November 20, 2026' })
    expect(link.getAttribute('href')).toBe('/transcriptions/note-0')
    place.mockRestore()
  })
  test('and only English is recognised here, then that is said once, above the list', async () => {
    const sentence = sentenceOf(english, { code: 'english_only' })
    const note = { ...completed, notice: sentence, notices: [{ code: 'english_only' }] }
    openWith(note, { ...note, id: 'second', title: 'second.ogg' })
    expect((await card(note)).textContent).not.toContain(sentence)
    expect(screen.getAllByText(sentence)).toHaveLength(1)
  })
  test.each(['title', 'notices', 'text'])(
    'and its answer lacks %s, then only its own line fails',
    async field => {
      jest.spyOn(console, 'error').mockImplementation(() => {})
      const broken = { ...processing, id: 'broken', [field]: undefined }
      openWith(completed, broken)
      expect((await card(completed)).textContent).toContain(completed.text)
      expect(screen.getAllByRole('listitem').length).toBeGreaterThanOrEqual(2)
      jest.restoreAllMocks()
    },
  )
  test('then it is played where it is, and another one ends it', async () => {
    const sources: string[] = []
    const audio = {
      play: jest.fn(async function (this: HTMLMediaElement) {
        sources.push(new URL(this.src).pathname)
      }),
      pause: jest.fn(),
    }
    Object.assign(HTMLMediaElement.prototype, audio)
    const other = { ...completed, id: 'note-9', title: 'other.ogg' }
    const { api, user } = open({
      transcriptions: () => ok(pageOf([completed, other])),
      transcription: ({ params }) =>
        ok({ transcription: { ...document, id: params.id!, audioUrl: `/audio/${params.id}` } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Play voice-note-1.ogg' }))
    await waitFor(() => expect(audio.play).toHaveBeenCalledTimes(1))
    await user.click(screen.getByRole('button', { name: 'Play other.ogg' }))
    await waitFor(() => expect(audio.play).toHaveBeenCalledTimes(2))
    expect(audio.pause).toHaveBeenCalledTimes(1)
    expect(sources).toEqual(['/audio/note-1', '/audio/note-9'])
    expect(api.of('transcription')).toHaveLength(2)
  })
  test('and its audio is gone, then it cannot be played', async () => {
    openWith({ ...completed, audioAvailable: false })
    await card(completed)
    expect(screen.queryByRole('button', { name: /^Play/ })).toBeNull()
  })
})

describe('when a note is in progress', () => {
  /** Runs a test with the server's streams of changes, whose content the test provides. */
  async function withStreams(
    run: (
      tell: (text: string) => void,
      fetched: [string, { headers: { Authorization: string } }][],
    ) => Promise<void>,
  ) {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const body = () => new ReadableStream<Uint8Array>({ start: stream => void streams.push(stream) })
    const fetched: Parameters<typeof run>[1] = []
    const before = globalThis.fetch
    globalThis.fetch = (async (...call: (typeof fetched)[number]) => {
      if (call[0] === '/api/config') return failure(503)
      fetched.push(call)
      return { ok: true, body: body() }
    }) as unknown as typeof fetch
    try {
      await run(text => streams[0]?.enqueue(new TextEncoder().encode(text)), fetched)
    } finally {
      globalThis.fetch = before
    }
  }
  const EVENT = 'event: transcription\ndata: {}\n\n'

  test('and the server tells of a change, then the list is read again, and not by the clock', () =>
    withStreams(async (tell, fetched) => {
      const { api, unmount } = open({ transcriptions: () => ok(pageOf([processing], { processing: 1 })) })
      await card(processing)
      await waitFor(() => expect(fetched).toHaveLength(1))
      expect(fetched[0]?.[0]).toBe('/api/transcriptions/events')
      expect(fetched[0]?.[1].headers.Authorization).toMatch(/^Bearer ./)
      expect(api.of('transcriptions')).toHaveLength(1)
      tell(': hello\n\n')
      await waitFor(() => expect(api.of('transcriptions')).toHaveLength(2))
      api.on({ transcriptions: () => ok(pageOf([{ ...completed, id: processing.id }])) })
      for (const part of [EVENT.slice(0, 12), EVENT.slice(12)]) tell(part)
      expect(await screen.findByText(completed.text)).toBeTruthy()
      expect(api.of('transcriptions')).toHaveLength(3)
      unmount()
    }))

  test('and many notes are being deleted, then the list is read again only once they are', () =>
    withStreams(async tell => {
      const deletion = held()
      const { api, user, unmount } = open({
        transcriptions: () => ok(pageOf([completed], { total: 23, completed: 20 })),
        changeTranscriptions: deletion.handler,
      })
      await card(completed)
      tell(': hello\n\n')
      await waitFor(() => expect(api.of('transcriptions')).toHaveLength(2))
      await user.click(screen.getByRole('checkbox', { name: `Select ${completed.title}` }))
      await user.click(screen.getByRole('button', { name: 'Delete' }))
      act(() => void finishForSignOut())
      await waitFor(() => expect(api.of('changeTranscriptions')).toHaveLength(1))
      tell(EVENT)
      await act(() => pause(400))
      expect(api.of('transcriptions')).toHaveLength(2)
      deletion.answer(ok({ done: [completed.id], failed: [], charged: 0, chargedInPart: 0 }))
      await waitFor(() => expect(api.of('transcriptions')).toHaveLength(3))
      unmount()
    }))

  test('and a proxy holds the changes back, then the list is read by the clock, and the stream opened again after 40 s', async () => {
    // The stream is abandoned after 40 s of silence and reopened 5 s later; the list is polled every 2.5 s.
    replaceDelays({ 40000: 20, 5000: 20, 2500: 20 })
    const signals: AbortSignal[] = []
    const before = globalThis.fetch
    globalThis.fetch = (async (url: string, { signal }: { signal: AbortSignal }) => {
      if (url === '/api/config') return failure(503)
      signals.push(signal)
      const start = (stream: ReadableStreamDefaultController) =>
        signal.addEventListener('abort', () => stream.error(signal.reason))
      return { ok: true, body: new ReadableStream({ start }) }
    }) as unknown as typeof fetch
    try {
      const { api, unmount } = open({ transcriptions: () => ok(pageOf([processing], { processing: 1 })) })
      await card(processing)
      api.on({ transcriptions: () => ok(pageOf([{ ...completed, id: processing.id }])) })
      expect(await screen.findByText(completed.text)).toBeTruthy()
      await waitFor(() => expect(signals.length).toBeGreaterThan(1))
      expect(signals[0]?.aborted).toBe(true)
      unmount()
      await waitFor(() => expect(signals.at(-1)?.aborted).toBe(true))
    } finally {
      globalThis.fetch = before
    }
  })

  test('then it becomes its text by itself', async () => {
    replaceDelays({ 2500: 20 })
    const { api } = open({ transcriptions: () => ok(pageOf([processing], { processing: 1 })) })
    expect((await card(processing)).textContent).toContain('Processing')
    api.on({ transcriptions: () => ok(pageOf([{ ...completed, id: processing.id }])) })
    expect(await screen.findByText(completed.text)).toBeTruthy()
  })
})

describe('when one searches or filters', () => {
  test('then only after a pause of 500 ms, from page 1, and it stands in the address', async () => {
    const { api, place } = open(
      { transcriptions: () => ok(pageOf([completed], { total: 40 })) },
      '/transcription-history?page=3',
    )
    await card(completed)
    const typed = Date.now()
    // All at once: on a busy machine there could be a pause between two letters.
    for (const value of ['l', 'la', 'lat', 'late'])
      fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value } })
    await waitFor(() => expect(api.of('transcriptions').at(-1)?.query.search).toBe('late'))
    expect(Date.now() - typed).toBeGreaterThanOrEqual(450)
    expect(api.of('transcriptions').map(({ query }) => query)).toEqual([
      { page: 3, limit: 10 },
      { page: 1, limit: 10, search: 'late' },
    ])
    expect(place()).toBe('/transcription-history?search=late')
    await waitFor(() => expect(screen.getByText('late').tagName).toBe('MARK'))
  })
  test('and nothing matches, then it is said, and both can be cleared at once', async () => {
    const { user, place } = open(
      { transcriptions: ({ query }) => ok(query.search ? pageOf([]) : many(completed)) },
      '/transcription-history?search=zebra&status=failed',
    )
    expect((await screen.findByText('Nothing found', { selector: '[role=status]' })).textContent).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
    await card(completed)
    expect(place()).toBe('/transcription-history')
    expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcriptions' }))
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('')
  })
  test('in German, then languages are named and sorted for the reader, and addresses stay as they are', async () => {
    speak('de', {
      'Completed|notes': 'Fertig',
      Language: 'Sprache',
      'Any language': 'Alle',
      'Not known': 'Unbekannt',
    })
    const { user, place } = open({
      transcriptions: () => ok(many(completed)),
      transcriptionStats: () =>
        ok({
          ...statistics,
          totalFileSize: 9,
          totalSeconds: 9,
          languages: ['de', 'auto', 'en', 'is'],
          tags: [],
        }),
    })
    await card(completed)
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    const filters = within(screen.getByRole('search', { hidden: true }))
    const names = () =>
      [...filters.getByLabelText<HTMLSelectElement>('Sprache').options].map(option => option.text)
    await waitFor(() => expect(names()).toEqual(['Alle', 'Unbekannt', 'Deutsch', 'Englisch', 'Isländisch']))
    await user.selectOptions(filters.getByLabelText('Status'), 'Fertig')
    await waitFor(() => expect(place()).toBe('/transcription-history?status=completed'))
    speak('en')
  })
  test('then language, source and days are filters as well, and going back takes the last one off', async () => {
    const { api, user, place, navigate } = open({
      transcriptions: () => ok(many(completed)),
      transcriptionStats: () =>
        ok({ ...statistics, totalFileSize: 9, totalSeconds: 9, languages: ['de', 'en'], tags: ['obra'] }),
    })
    await card(completed)
    await user.click(screen.getByText('Filters'))
    const filters = within(screen.getByRole('search'))
    const language = filters.getByRole('combobox', { name: 'Language' })
    await waitFor(() =>
      expect(
        within(language)
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual(['Any language', 'English', 'German']),
    )
    await user.selectOptions(language, 'German')
    await waitFor(() => expect(place()).toBe('/transcription-history?language=de'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Source' }), 'Upload')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-20' } })
    await waitFor(() =>
      expect(api.of('transcriptions').at(-1)?.query).toEqual({
        page: 1,
        limit: 10,
        language: 'de',
        source: 'web',
        from: new Date(2026, 10, 20).toISOString(),
      }),
    )
    expect(screen.getByText('Filters (3)')).toBeTruthy()
    await act(async () => navigate(-1))
    expect(place()).toBe('/transcription-history?language=de')
    await waitFor(() => expect((screen.getByLabelText('From') as HTMLInputElement).value).toBe(''))
    await user.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(place()).toBe('/transcription-history')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull())
  })
  test('and goes back, then the fields follow the address', async () => {
    const { navigate, user } = open({ transcriptions: () => ok(many(completed)) })
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    navigate('/transcription-history?search=late')
    await waitFor(() => expect(search.value).toBe('late'))
    await user.type(search, 'r')
    navigate(-1)
    await waitFor(() => expect(search.value).toBe(''))
  })
  test('and the days are the wrong way round, then that is said and nothing is asked for', async () => {
    const { place, user } = open(
      { transcriptions: () => ok(many(completed)) },
      '/transcription-history?from=2026-11-20',
    )
    await card(completed)
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-19' } })
    expect(await screen.findByText('This day is before “From”.')).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'failed')
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-21' } })
    await waitFor(() =>
      expect(place()).toBe('/transcription-history?status=failed&from=2026-11-20&to=2026-11-21'),
    )
  })
  test('then all its words are marked in title, text and file name, and the note opens with them', async () => {
    const note = {
      ...completed,
      title: 'Too late?',
      text: 'Ten minutes LATE, not lately.',
      fileName: 'ten.ogg',
    }
    open({ transcriptions: () => ok(many(note)) }, '/transcription-history?search=ten+late')
    const shown = await screen.findByRole('article')
    expect([...shown.querySelectorAll('mark')].map(mark => mark.textContent)).toEqual([
      'late',
      'Ten',
      'LATE',
      'late',
      'ten',
    ])
    expect(within(shown).getByRole('link').getAttribute('href')).toBe(
      '/transcriptions/note-1?search=ten+late',
    )
  })
  test('and a note comes under a double click that was meant for something else, then it stays shut', async () => {
    const { navigate, place } = open({ transcriptions: () => ok(many(completed, processing)) })
    fireEvent.click(within(await card(completed)).getByRole('link'), { detail: 2 })
    fireEvent.click(within(await card(processing)).getByRole('link'), { detail: 1 })
    await waitFor(() => expect(place()).toBe('/transcriptions/note-2'))
    navigate(-1)
    await waitFor(() => expect(place()).not.toBe('/transcriptions/note-2'))
    expect(place()).toBe('/transcription-history')
  })
})

describe('when there are several pages', () => {
  const paged: FakeHandlers = {
    transcriptions: ({ query }) =>
      ok(
        pageOf([{ ...completed, title: `page-${query.page}.ogg` }], { page: Number(query.page), total: 21 }),
      ),
  }
  test('then each is asked for when it is opened, and Next ends at the last', async () => {
    const { api, user, place } = open(paged, '/transcription-history?page=2')
    await screen.findByText('page-2.ogg')
    expect(screen.getByText('Page 2 of 3')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByText('page-3.ogg')
    expect(place()).toBe('/transcription-history?page=3')
    expect(api.of('transcriptions').map(({ query }) => query.page)).toEqual([2, 3])
    await waitFor(() =>
      expect((screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled).toBe(true),
    )
    for (const page of [2, 1]) {
      await user.click(screen.getByRole('button', { name: 'Previous' }))
      await screen.findByText(`page-${page}.ogg`)
    }
    expect((screen.getByRole('button', { name: 'Previous' }) as HTMLButtonElement).disabled).toBe(true)
  })
  test('and an address asks for one beyond, then the last is shown', async () => {
    const { place } = open(
      {
        transcriptions: ({ query }) =>
          ok({ ...pageOf(query.page === 3 ? [completed] : [], { page: Number(query.page), total: 21 }) }),
      },
      '/transcription-history?page=9',
    )
    await card(completed)
    expect(place()).toBe('/transcription-history?page=3')
  })
})

describe('when notes are chosen', () => {
  const notes = ['a', 'b', 'c', 'd'].map(id => ({ ...completed, id, title: `${id}.ogg` }))
  const box = (title: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${title}` })
  const shown = () =>
    screen.queryAllByRole('article').map(article => article.querySelector('h3')?.textContent)
  const opened = async (handlers: FakeHandlers = {}, total = notes.length) => {
    const view = open({ transcriptions: () => ok(pageOf(notes, { total })), ...handlers })
    await card(notes[0]!)
    return { ...view, bar: () => within(screen.getByRole('region', { name: 'Selected notes' })) }
  }
  const chosen = () => notes.filter(({ title }) => box(title).checked).map(({ id }) => id)

  test('then by a range, all of the page, and with a search none', async () => {
    const { user, navigate, bar } = await opened()
    await user.click(box('b.ogg'))
    await user.keyboard('{Shift>}')
    await user.click(box('d.ogg'))
    await user.keyboard('{/Shift}')
    expect(chosen()).toEqual(['b', 'c', 'd'])
    await user.click(box('c.ogg'))
    expect(chosen()).toEqual(['b', 'd'])
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
    expect(chosen()).toEqual(['a', 'b', 'c', 'd'])
    await user.click(bar().getByRole('button', { name: 'Clear selection' }))
    expect(chosen()).toEqual([])
    expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcriptions' }))
    await user.click(box('a.ogg'))
    navigate('/transcription-history?search=x')
    await waitFor(() => expect(chosen()).toEqual([]))
  })

  const MANY = 1_200
  const many = Array.from({ length: MANY }, (_, index) => ({
    ...(index % 4 ? completed : failed),
    id: `n${index}`,
  }))
  /** Selects the newest thousand notes of all pages. */
  const chooseThousand = async (changeTranscriptions: FakeHandlers['changeTranscriptions']) => {
    const view = await opened(
      {
        transcriptions: ({ query }) =>
          ok(
            query.limit === 100
              ? pageOf(many.slice((Number(query.page) - 1) * 100, Number(query.page) * 100))
              : pageOf(notes, { total: MANY, completed: 900 }),
          ),
        changeTranscriptions,
      },
      MANY,
    )
    await view.user.click(screen.getAllByRole('checkbox', { name: /^Select/ })[0]!)
    await view.user.click(screen.getByRole('checkbox', { name: 'Select all' }))
    await view.user.click(view.bar().getByRole('button', { name: 'Select all 1,000' }))
    expect(await screen.findByText('1,000 selected')).toBeTruthy()
    return view
  }
  const allDone: FakeHandlers['changeTranscriptions'] = ({ body }) =>
    ok({ done: body.ids, failed: [], charged: 0, chargedInPart: 0 })
  const tiles = () => screen.getByText('total').closest('dl')?.textContent

  test('then a thousand of all pages, and they are deleted a hundred at a time', async () => {
    const { api, user, bar } = await chooseThousand(allDone)
    // The pressed button is gone.
    await waitFor(() =>
      expect(window.document.activeElement?.getAttribute('aria-label')).toBe('Selected notes'),
    )
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    expect(getToasts()[0]?.message).toBe('1,000 notes deleted.')
    expect(tiles()).toBe('total200completed150processing0')
    api.on({ transcriptions: () => ok(pageOf(notes, { total: 200, completed: 150 })) })
    act(() => void finishForSignOut())
    await waitFor(() => expect(api.of('changeTranscriptions')).toHaveLength(10))
    expect(api.of('changeTranscriptions').at(-1)?.body?.ids.at(-1)).toBe('n999')
    await waitFor(() => expect(api.of('transcriptions').length).toBeGreaterThan(11))
    await waitFor(() => expect(tiles()).toBe('total200completed150processing0'))
  })

  test('and none of a thousand could be changed, then that is told once, with their number', async () => {
    const message = 'Something went wrong.'
    const { api, user, bar } = await chooseThousand(({ body }) =>
      ok({ done: [], failed: body.ids.map((id: string) => ({ id, message })), charged: 0, chargedInPart: 0 }),
    )
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    act(() => void finishForSignOut())
    await waitFor(() => expect(tiles()).toBe('total1,200completed900processing0'))
    expect(api.of('changeTranscriptions')).toHaveLength(10)
    expect(getToasts().map(toast => toast.message)).toEqual([
      '1,000 notes couldn’t be changed. Something went wrong.',
    ])
  })

  test('and the app is left in the middle of a deletion, then the rest is sent by requests that outlive it', async () => {
    const { handler } = held()
    let calls = 0
    const { user, bar } = await chooseThousand(request => (calls++ < 3 ? allDone(request) : handler()))
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    act(() => void finishForSignOut())
    await waitFor(() => expect(calls).toBe(4))
    const before = globalThis.fetch
    const sent: string[] = []
    globalThis.fetch = (async (_: string, { body }: RequestInit) => void sent.push(String(body))) as never
    fireEvent(window, new Event('pagehide'))
    globalThis.fetch = before
    const ids = sent.flatMap(body => JSON.parse(body).ids)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([700, 'n300', 'n999'])
  })

  test('then “all” is half-ticked until all are, and a tag is added to each', async () => {
    const { api, user, bar } = await opened({
      changeTranscriptions: ({ body }) => ok({ done: body.ids, failed: [], charged: 0, chargedInPart: 0 }),
    })
    for (const title of ['a.ogg', 'c.ogg']) await user.click(box(title))
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
    expect([all.checked, all.indeterminate]).toEqual([false, true])
    await user.click(bar().getByRole('button', { name: 'Tag' }))
    await user.keyboard('#work, home{Enter}')
    await waitFor(() =>
      expect(api.of('changeTranscriptions').map(({ body }) => body)).toEqual([
        { ids: ['a', 'c'], action: 'tag', tags: ['work', 'home'] },
      ]),
    )
    await waitFor(() => expect(getToasts().map(({ message }) => message)).toEqual(['2 notes tagged.']))
    await user.click(all)
    expect([all.checked, all.indeterminate, chosen().length]).toEqual([true, false, 4])
  })

  test('then their texts go to the system’s sheet, one below the other', async () => {
    const share = jest.fn(async () => {})
    Object.assign(navigator, { share })
    const { user, bar } = await opened()
    for (const title of ['a.ogg', 'c.ogg']) await user.click(box(title))
    await user.click(bar().getByRole('button', { name: 'Share' }))
    expect(share).toHaveBeenCalledWith({ text: `${completed.text}\n\n${completed.text}` })
    Reflect.deleteProperty(navigator, 'share')
  })

  test('and one gets its text afterwards, then that is what is shared', async () => {
    const share = jest.fn(async () => {})
    Object.assign(navigator, { share })
    const { api, user, bar } = await opened({
      transcriptions: () => ok(pageOf([{ ...processing, id: 'a', title: 'a.ogg' }], { processing: 1 })),
    })
    await user.click(box('a.ogg'))
    api.on({ transcriptions: () => ok(pageOf([notes[0]!])) })
    await user.click(await bar().findByRole('button', { name: 'Share' }))
    expect(share).toHaveBeenCalledWith({ text: completed.text })
    Reflect.deleteProperty(navigator, 'share')
  })

  test('and the system has no sheet, then each gets a link, unless it has one, and they are copied', async () => {
    const url = 'https://voxscribe.example/s/'
    const share = { url: `${url}kept`, expiresAt: completed.createdAt, views: 0, audio: false }
    const { api, user, bar } = await opened({
      transcription: ({ params: { id } }) =>
        ok({ transcription: { ...document, id: id!, share: id === 'a' ? share : null } }),
      shareTranscription: ({ params: { id } }) => ok({ url: url + id, expiresAt: completed.createdAt }),
    })
    for (const title of ['a.ogg', 'c.ogg']) await user.click(box(title))
    await user.click(bar().getByRole('button', { name: 'Share' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Share a link' })
    expect(dialog.querySelector('code')?.textContent).toBe(`${url}kept\n${url}c`)
    expect(await navigator.clipboard.readText()).toBe(`${url}kept\n${url}c`)
    expect(api.of('shareTranscription').map(({ params, body }) => [params.id, body])).toEqual([
      ['c', { days: 7 }],
    ])
  })

  test('then a zip in the wanted format is asked for', async () => {
    const { handler, answer } = held()
    const { api, user, bar } = await opened({ exportTranscriptions: handler })
    await user.click(box('a.ogg'))
    await user.click(bar().getByRole('button', { name: 'Download' }))
    await user.click(bar().getByRole('button', { name: 'Word (DOCX)' }))
    await waitFor(() =>
      expect(api.of('exportTranscriptions')[0]?.body).toEqual({ ids: ['a'], format: 'docx' }),
    )
    const said = () => getToasts().map(({ message }) => message)
    await waitFor(() => expect(said()).toContain('Preparing the file…'))
    answer(failure(503, 'Not now'))
    await waitFor(() => expect(said()).not.toContain('Preparing the file…'))
  })

  test('then they are transcribed again after a question, and what could not be says why', async () => {
    const { api, user, bar } = await opened({
      changeTranscriptions: () =>
        ok({
          done: ['a'],
          failed: [{ id: 'b', message: 'The audio is gone.' }],
          charged: 0,
          chargedInPart: 0,
        }),
    })
    for (const title of ['a.ogg', 'b.ogg']) await user.click(box(title))
    await user.click(bar().getByRole('button', { name: 'Transcribe again' }))
    expect(api.of('changeTranscriptions')).toHaveLength(0)
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Transcribe again' }))
    await waitFor(() =>
      expect(getToasts().map(({ message }) => message)).toEqual([
        '1 note being transcribed again.',
        '1 note couldn’t be changed. The audio is gone.',
      ]),
    )
    expect(chosen()).toEqual([])
  })

  describe('and deleted', () => {
    const gone = ['a', 'c']
    const deletion = async (handlers: FakeHandlers = {}, by?: UserEvent) => {
      const view = await opened({
        changeTranscriptions: () =>
          ok({ done: gone, failed: [], charged: 0, chargedInPart: 0 }, '2 notes deleted.'),
        logout: () => ok(null),
        ...handlers,
      })
      const user = by ?? view.user
      for (const id of gone) await user.click(box(`${id}.ogg`))
      await user.click(view.bar().getByRole('button', { name: 'Delete' }))
      expect(shown()).toEqual(['b.ogg', 'd.ogg'])
      return view
    }
    const undo = () => screen.findByRole('button', { name: 'Undo' })

    test('then Undo brings them back, from another page of the app, too', async () => {
      const { api, user, navigate } = await deletion()
      const rest = () => screen.queryByText('The notes on this page have been deleted.')
      expect(rest()).toBeNull()
      await user.click(box('b.ogg'))
      await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
      await user.click(screen.getByRole('button', { name: 'Delete' }))
      expect(rest()).toBeTruthy()
      for (const button of await screen.findAllByRole('button', { name: 'Undo' })) await user.click(button)
      expect(shown()).toHaveLength(4)
      await user.click(box('a.ogg'))
      await user.click(screen.getByRole('button', { name: 'Delete' }))
      await navigate('/update-profile')
      await user.click(await undo())
      await navigate('/transcription-history')
      await waitFor(() => expect(shown()).toHaveLength(4))
      fireEvent(window, new Event('pagehide'))
      expect(api.of('changeTranscriptions')).toHaveLength(0)
    })

    test('then they are deleted on the server 10 s later, and stay away', async () => {
      jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] })
      try {
        const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime })
        const { api } = await deletion({}, user)
        await act(() => jest.advanceTimersByTimeAsync(9_900))
        expect(api.of('changeTranscriptions')).toHaveLength(0)
        await act(() => jest.advanceTimersByTimeAsync(200))
        expect(api.of('changeTranscriptions')[0]?.body).toEqual({ ids: gone, action: 'delete' })
        await act(() => jest.advanceTimersByTimeAsync(1_000))
        expect(shown()).toEqual(['b.ogg', 'd.ogg'])
        expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
      } finally {
        jest.useRealTimers()
      }
    })

    test('and the app is left, then they are deleted by a request that outlives it, once', async () => {
      const { api } = await deletion()
      const sent: [string, RequestInit][] = []
      const before = globalThis.fetch
      globalThis.fetch = (async (...request: (typeof sent)[number]) => void sent.push(request)) as never
      fireEvent(window, new Event('pagehide'))
      fireEvent(window, new Event('pagehide'))
      globalThis.fetch = before
      const [[address, { body, keepalive, headers }]] = sent as [[string, RequestInit]]
      expect([sent.length, address, keepalive]).toEqual([1, '/api/transcriptions/bulk', true])
      expect(JSON.parse(String(body))).toEqual({ ids: gone, action: 'delete' })
      expect(headers).toMatchObject({ Authorization: expect.stringMatching(/^Bearer ./) })
      expect(api.of('changeTranscriptions')).toHaveLength(0)
    })

    test('and the person logs out, then they are deleted before', async () => {
      const { api, user } = await deletion()
      await user.click(screen.getByRole('button', { name: 'Ada' }))
      await user.click(screen.getByRole('button', { name: 'Log Out' }))
      await screen.findByRole('heading', { name: 'Sign In' })
      const order = api.requests.map(({ key }) => key).filter(key => /^(change|logout)/.test(key))
      expect(order).toEqual(['changeTranscriptions', 'logout'])
    })

    test('and the call fails, then they come back, and it says so', async () => {
      await deletion({ changeTranscriptions: () => failure(500, 'Server error') })
      act(() => void finishForSignOut())
      await waitFor(() => expect(shown()).toHaveLength(4))
      expect(getToasts().map(({ type, message }) => [type, message])).toEqual([['error', 'Server error']])
    })

    test('and the server keeps one, then it comes back, and the reason is told', async () => {
      const failures = [{ id: 'c', message: 'Something went wrong.' }]
      await deletion({
        changeTranscriptions: () =>
          ok({ done: ['a'], failed: failures, charged: 1, chargedInPart: 2 }, '1 note deleted.'),
      })
      act(() => void finishForSignOut())
      await waitFor(() => expect(shown()).toEqual(['b.ogg', 'c.ogg', 'd.ogg']))
      expect(
        getToasts()
          .map(({ message }) => message)
          .slice(-2),
      ).toEqual([
        '1 note couldn’t be changed. Something went wrong.',
        '1 note deleted. Minutes were charged for 1 of them, because you have deleted many notes while they were being transcribed. The part that was already transcribed was charged for 2 of them, less 1 minute each.',
      ])
    })
  })
})

test('when the slash is pressed, then the search has the focus, but not from a field', async () => {
  const { user } = open({ transcriptions: () => ok(many(completed)) })
  await card(completed)
  await user.keyboard('/')
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
  expect([window.document.activeElement === search, search.value]).toEqual([true, ''])
  await user.keyboard('a/b')
  expect(search.value).toBe('a/b')
})
