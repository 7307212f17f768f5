import { jest } from '@jest/globals'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Transcription } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, fakeApi, held, ok } from '../testing/fake-api.ts'
import { completed, failed, pageOf, processing } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { renderApp } from '../testing/render-app.tsx'
import { freshBrowser } from '../testing/storage.ts'
import { getToasts } from '../ui/toast.ts'

beforeEach(freshBrowser)

function open(handlers: FakeHandlers, address = '/transcription-history') {
  const api = fakeApi(handlers)
  return { api, ...renderApp(address, { as: ada }) }
}
const openWith = (...notes: Transcription[]) => open({ transcriptions: () => ok(pageOf(notes)) })
const statsIn = (...languages: string[]) => ({
  total: 2,
  completed: 2,
  processing: 0,
  failed: 0,
  totalFileSize: 9,
  totalSeconds: 9,
  languages,
})
const card = (note: Transcription) => screen.findByRole('article', { name: note.title })
const facts = (element: HTMLElement) =>
  within(element)
    .getAllByRole('definition')
    .map(definition => definition.parentElement?.textContent)

describe('when the history opens', () => {
  test('then ten notes of the first page are asked for, of every status', async () => {
    const { api } = openWith(completed)
    await card(completed)
    expect(api.of('transcriptions')[0]?.query).toEqual({ page: 1, limit: 10 })
  })

  test('then a skeleton stands there until the answer comes', async () => {
    const answer = held()
    open({ transcriptions: answer.handler })
    expect(await screen.findAllByTestId('skeleton')).toHaveLength(3)
    answer.answer(ok(pageOf([completed])))
    await card(completed)
    expect(screen.queryByTestId('skeleton')).toBeNull()
  })

  test('then three tiles count the whole account', async () => {
    open({
      transcriptions: () => ok(pageOf([completed], { total: 23, completed: 20, processing: 1, failed: 2 })),
    })
    await card(completed)
    const tiles = screen.getByText('total').closest('dl')
    expect(tiles?.textContent).toBe('total23completed20processing1')
  })

  test('and there is nothing yet, then it says where to begin', async () => {
    openWith()
    expect(await screen.findByRole('heading', { name: 'No transcriptions yet' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show the number' }).getAttribute('href')).toBe('/dashboard')
  })

  test.each([
    ['in words', () => failure(500, 'The archive is closed'), 'The archive is closed'],
    ['without a word', () => failure(200), 'Failed to fetch transcriptions'],
  ])('and the server answers %s, then a banner tells', async (_, transcriptions, words) => {
    const { api, user } = open({ transcriptions })
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    api.on({ transcriptions: () => ok(pageOf([completed])) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card(completed)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('when a note is shown', () => {
  test('and it is completed, then with its text and figures, and one page has no others', async () => {
    openWith(completed)
    const shown = await card(completed)
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
    expect(shown.textContent).toContain('I will be ten minutes late.')
    expect(facts(shown)).toEqual(['Length42s', 'LanguageEnglish', 'Words6', 'Confidence93%', 'Size48 kB'])
    expect(shown.querySelector('time')?.getAttribute('datetime')).toBe(completed.createdAt)
  })
  test('and it was renamed and has no confidence, then neither file name nor confidence is shown', async () => {
    const renamed = { ...completed, title: 'Call with Ben', confidenceScore: null }
    openWith(renamed)
    expect((await card(renamed)).textContent).not.toMatch(/Confidence|voice-note-1/)
  })
  test.each([[processing], [failed]])(
    'and it is not completed, then without words and confidence',
    async note => {
      openWith({ ...note, wordCount: 9, confidenceScore: 0.5 })
      const shown = await card(note)
      expect(shown.textContent).not.toMatch(/Words|Confidence/)
      expect(within(shown).queryByRole('button', { name: 'Copy text' })).toBeNull()
    },
  )
  test.each([
    ['it failed, then it says why', failed, 'This file has no sound track.'],
    ['it was silent, then so', { ...completed, text: '', notice: 'No speech found' }, 'No speech found'],
  ])('and %s', async (_, note, words) => {
    openWith(note)
    expect((await card(note)).textContent).toContain(words)
  })
  test('and it failed for want of minutes, then it leads to the plans', async () => {
    openWith({ ...failed, errorCode: 'out_of_minutes', error: 'You have no minutes left.' })
    const link = within(await card(failed)).getByRole('link', { name: 'See the plans' })
    expect(link.getAttribute('href')).toBe('/pricing')
  })
  test('and it is long, then it opens and closes', async () => {
    const { user } = openWith({ ...completed, text: 'word '.repeat(200) })
    const button = await screen.findByRole('button', { name: 'Show all' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await user.click(button)
    expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true')
  })
  test('and its text looks like markup, then it stays text', async () => {
    const text = '<img src=x onerror=alert(1)> & <b>bold</b>'
    openWith({ ...completed, text, title: '<i>name</i>.ogg' })
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByRole('heading', { name: '<i>name</i>.ogg' })).toBeTruthy()
  })
  test('and its answer lacks a field, then only its own card fails', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
    const { title: _, ...broken } = { ...processing, id: 'broken' }
    openWith(completed, broken as Transcription)
    expect(await screen.findByText('This note couldn’t be shown.')).toBeTruthy()
    expect((await card(completed)).textContent).toContain(completed.text)
    jest.restoreAllMocks()
  })
  test('and its text is copied, then the button says so', async () => {
    const { user } = openWith(completed)
    await user.click(await screen.findByRole('button', { name: 'Copy text' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(completed.text)
  })
})

describe('when a note is in progress', () => {
  test('and the server tells of a change, then the list is read again, and not by the clock', async () => {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const body = () => new ReadableStream<Uint8Array>({ start: stream => void streams.push(stream) })
    const fetched: [string, { headers: { Authorization: string } }][] = []
    const before = globalThis.fetch
    globalThis.fetch = (async (...call: (typeof fetched)[number]) => {
      fetched.push(call)
      return { ok: true, body: body() }
    }) as unknown as typeof fetch
    try {
      const { api, unmount } = open({ transcriptions: () => ok(pageOf([processing], { processing: 1 })) })
      await card(processing)
      await waitFor(() => expect(streams).toHaveLength(1))
      expect(fetched[0]?.[0]).toBe('/api/transcriptions/events')
      expect(fetched[0]?.[1].headers.Authorization).toMatch(/^Bearer ./)
      await waitFor(() => expect(api.of('transcriptions')).toHaveLength(2))
      api.on({ transcriptions: () => ok(pageOf([{ ...completed, id: processing.id }])) })
      const event = 'event: transcription\ndata: {}\n\n'
      for (const part of [event.slice(0, 12), event.slice(12)])
        streams[0]?.enqueue(new TextEncoder().encode(part))
      expect(await screen.findByText(completed.text)).toBeTruthy()
      expect(api.of('transcriptions')).toHaveLength(3)
      unmount()
    } finally {
      globalThis.fetch = before
    }
  })

  test('then it becomes its text by itself', async () => {
    const { api } = open({ transcriptions: () => ok(pageOf([processing], { processing: 1 })) })
    expect((await card(processing)).textContent).toContain('Processing')
    api.on({ transcriptions: () => ok(pageOf([{ ...completed, id: processing.id }])) })
    expect(await screen.findByText(completed.text, undefined, { timeout: 6_000 })).toBeTruthy()
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
    // In one go: a busy machine must not make a pause of its own between two letters.
    for (const value of ['l', 'la', 'lat', 'late'])
      fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value } })
    await waitFor(() => expect(api.of('transcriptions').at(-1)?.query.search).toBe('late'), { timeout: 3000 })
    expect(Date.now() - typed).toBeGreaterThanOrEqual(450)
    expect(api.of('transcriptions').map(({ query }) => query)).toEqual([
      { page: 3, limit: 10 },
      { page: 1, limit: 10, search: 'late' },
    ])
    expect(place()).toBe('/transcription-history?search=late')
    await waitFor(() => expect(screen.getByText('late').tagName).toBe('MARK'))
  })
  test('then the filter goes with it, and all is not a filter', async () => {
    const { api, user } = open(
      { transcriptions: () => ok(pageOf([failed])) },
      '/transcription-history?search=x',
    )
    await card(failed)
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'failed')
    await waitFor(
      () =>
        expect(api.of('transcriptions').at(-1)?.query).toEqual({
          page: 1,
          limit: 10,
          search: 'x',
          status: 'failed',
        }),
      { timeout: 3000 },
    )
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'all')
    await waitFor(
      () => expect(api.of('transcriptions').at(-1)?.query).toEqual({ page: 1, limit: 10, search: 'x' }),
      { timeout: 3000 },
    )
  })
  test('and nothing matches, then both can be cleared at once', async () => {
    const { user, place } = open(
      { transcriptions: ({ query }) => ok(query.search ? pageOf([]) : pageOf([completed])) },
      '/transcription-history?search=zebra&status=failed',
    )
    await user.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
    await card(completed)
    expect(place()).toBe('/transcription-history')
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Transcriptions' }))
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('')
  })
  test('and goes back, then the fields follow the address', async () => {
    const { navigate } = open({ transcriptions: () => ok(pageOf([completed])) }, '/transcription-history')
    await card(completed)
    await act(async () => navigate('/transcription-history?search=late&status=completed'))
    await waitFor(() => expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('late'))
    expect((screen.getByRole('combobox', { name: 'Status' }) as HTMLSelectElement).value).toBe('completed')
  })
  test('then language, source and days are filters as well, and going back takes the last one off', async () => {
    const { api, user, place, navigate } = open({
      transcriptions: () => ok(pageOf([completed])),
      transcriptionStats: () => ok(statsIn('de', 'en')),
    })
    await card(completed)
    await user.click(screen.getByText('More filters'))
    const language = screen.getByRole('combobox', { name: 'Language' })
    await waitFor(() =>
      expect(
        within(language)
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual(['Any language', 'English', 'German']),
    )
    await user.selectOptions(language, 'German')
    await waitFor(() => expect(place()).toBe('/transcription-history?language=de'), { timeout: 3000 })
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
    expect(screen.getByText('More filters (3)')).toBeTruthy()
    await act(async () => navigate(-1))
    expect(place()).toBe('/transcription-history?language=de')
    await waitFor(() => expect((screen.getByLabelText('From') as HTMLInputElement).value).toBe(''))
    await user.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(place()).toBe('/transcription-history')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull())
  })
  test('and the days are the wrong way round, then that is said and nothing is asked for', async () => {
    const { place, user } = open(
      { transcriptions: () => ok(pageOf([completed])) },
      '/transcription-history?from=2026-11-20',
    )
    await card(completed)
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-19' } })
    expect(await screen.findByText('This day is before “From”.')).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'failed')
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-21' } })
    await waitFor(
      () => expect(place()).toBe('/transcription-history?status=failed&from=2026-11-20&to=2026-11-21'),
      { timeout: 3000 },
    )
  })
  test('then all its words are marked in title, text and file name, and the note opens with them', async () => {
    const note = {
      ...completed,
      title: 'Too late?',
      text: 'Ten minutes LATE, not lately.',
      fileName: 'ten.ogg',
    }
    open({ transcriptions: () => ok(pageOf([note])) }, '/transcription-history?search=ten+late')
    const shown = await screen.findByRole('article')
    expect([...shown.querySelectorAll('mark')].map(mark => mark.textContent)).toEqual([
      'late',
      'ten',
      'Ten',
      'LATE',
      'late',
    ])
    expect(within(shown).getByRole('link').getAttribute('href')).toBe(
      '/transcriptions/note-1?search=ten+late',
    )
  })
})

describe('when there are several pages', () => {
  const paged: FakeHandlers = {
    transcriptions: ({ query }) =>
      ok(
        pageOf([{ ...completed, title: `page-${query.page}.ogg` }], {
          page: Number(query.page),
          total: 21,
        }),
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

describe('when a note is deleted', () => {
  const ask = async (handlers: FakeHandlers) => {
    const opened = open({ transcriptions: () => ok(pageOf([completed])), ...handlers })
    await opened.user.click(await screen.findByRole('button', { name: 'Delete' }))
    return { ...opened, dialog: screen.getByRole('dialog', { name: 'Delete this transcription?' }) }
  }
  test('then it is asked first, and it can be kept', async () => {
    const { api, user, dialog } = await ask({})
    await user.click(within(dialog).getByRole('button', { name: 'Keep it' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.of('deleteTranscription')).toHaveLength(0)
  })
  test('and confirmed, then it is gone from the list', async () => {
    const { api, user, dialog } = await ask({
      deleteTranscription: () => ok(null, 'Deleted. This note was charged.'),
    })
    api.on({ transcriptions: () => ok(pageOf([])) })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, delete it' }))
    expect(await screen.findByText('No transcriptions yet')).toBeTruthy()
    expect(api.of('deleteTranscription')[0]?.params).toEqual({ id: 'note-1' })
    expect(getToasts()).toMatchObject([{ type: 'success', message: 'Deleted. This note was charged.' }])
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Transcriptions' }))
  })
  test('and the server refuses, then it stays and the reason is told', async () => {
    const { user, dialog } = await ask({ deleteTranscription: () => failure(404) })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, delete it' }))
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'error', message: 'Resource not found.' }]),
    )
    expect(await card(completed)).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('when a note is to be transcribed again', () => {
  test('then it is in progress again', async () => {
    const { api, user } = open({
      transcriptions: () => ok(pageOf([failed])),
      refreshTranscription: () => ok({ transcription: processing }),
    })
    const button = await screen.findByRole('button', { name: 'Transcribe again' })
    api.on({
      transcriptions: () => ok(pageOf([{ ...processing, id: failed.id, title: failed.title }])),
    })
    await user.click(button)
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Transcribe again' }))
    await waitFor(async () => expect((await card(failed)).textContent).toContain('Processing'))
    expect(api.of('refreshTranscription')[0]?.params).toEqual({ id: 'note-3' })
  })
  test('and the audio is gone, then that is told', async () => {
    const { user } = open({
      transcriptions: () => ok(pageOf([completed])),
      refreshTranscription: () => failure(410, 'The audio is no longer stored'),
    })
    await user.click(await screen.findByRole('button', { name: 'Transcribe again' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Transcribe again' }))
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'error', message: 'The audio is no longer stored' }]),
    )
  })
  test.each([
    ['still in progress', processing],
    ['without its audio', { ...completed, audioAvailable: false }],
  ])('but is %s, then that is not offered', async (_, note) => {
    openWith(note)
    await card(note)
    expect(screen.queryByRole('button', { name: 'Transcribe again' })).toBeNull()
  })
})

describe('when several notes are ticked', () => {
  const tickBoth = async (handlers: FakeHandlers) => {
    const opened = open({ transcriptions: () => ok(pageOf([completed, failed])), ...handlers })
    await card(completed)
    for (const note of [completed, failed])
      await opened.user.click(screen.getByRole('checkbox', { name: `Select ${note.fileName}` }))
    return { ...opened, bar: within(screen.getByRole('region', { name: 'Selected notes' })) }
  }
  test('and deleted, then it is asked first, and what could not be says why', async () => {
    const { api, user, bar } = await tickBoth({
      changeTranscriptions: () =>
        ok(
          { done: [completed.id], failed: [{ id: failed.id, message: 'There is no such transcription.' }] },
          '1 note deleted. The minutes of 1 were charged.',
        ),
    })
    expect(bar.getByText('2 selected')).toBeTruthy()
    await user.click(bar.getByRole('button', { name: 'Delete' }))
    expect(api.of('changeTranscriptions')).toHaveLength(0)
    await user.click(await screen.findByRole('button', { name: 'Yes, delete them' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected notes' })).toBeNull())
    expect(api.of('changeTranscriptions')[0]?.body).toEqual({
      ids: [completed.id, failed.id],
      action: 'delete',
    })
    expect(getToasts().map(({ message }) => message)).toEqual([
      '1 note deleted. The minutes of 1 were charged.',
      'Not possible for 1 note. There is no such transcription.',
    ])
  })
  test('and the list no longer shows one, then it is not acted upon', async () => {
    const { api, navigate } = await tickBoth({})
    api.on({ transcriptions: () => ok(pageOf([failed])) })
    await act(async () => navigate('/transcription-history?search=x'))
    expect(await screen.findByText('1 selected')).toBeTruthy()
  })
  test('and taken away, then a zip of them is asked for', async () => {
    const { api, user, bar } = await tickBoth({ exportTranscriptions: () => failure(503, 'Not now') })
    await user.click(bar.getByRole('button', { name: 'Download as ZIP' }))
    await waitFor(() => expect(api.of('exportTranscriptions')).toHaveLength(1))
    expect(api.of('exportTranscriptions')[0]?.body).toEqual({ ids: [completed.id, failed.id], format: 'txt' })
  })
})
