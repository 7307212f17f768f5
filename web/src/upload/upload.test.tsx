import { jest } from '@jest/globals'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../session/query-client.ts'
import { beginSession, endSession } from '../session/session.ts'
import { replaceDelays } from '../testing/delays.ts'
import { drop } from '../testing/drop.ts'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { completed, document, failed, processing } from '../testing/notes.ts'
import { ada, tokenFor } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

const sent = () => ok<'upload'>({ transcription: processing })

async function open(handlers: FakeHandlers) {
  const view = openApp('/transcription-history', handlers, ada)
  const input = await screen.findByLabelText<HTMLInputElement>('Audio or video files')
  return { ...view, choose: (...files: File[]) => view.user.upload(input, files), input }
}
const file = (name: string, { type = 'audio/ogg', content = 'sound' } = {}) =>
  new File([content], name, { type })
const row = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement)

test('when files are chosen, then each is sent under its own key, and the list is read again', async () => {
  const { api, choose, user } = await open({ upload: sent })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Spoken language' }), 'es')
  await choose(file('one.ogg'), file('two.ogg'))
  expect(await (await row('one.ogg')).findByText(/^Sent/)).toBeTruthy()
  expect(await (await row('two.ogg')).findByRole('link', { name: 'Open' })).toBeTruthy()
  const uploads = api.of('upload') as unknown as { body: FormData; key: string }[]
  expect(uploads.map(({ body }) => (body.get('file') as File).name)).toEqual(['one.ogg', 'two.ogg'])
  expect(uploads.map(({ body }) => body.get('language'))).toEqual(['es', 'es'])
  await waitFor(() => expect(api.of('transcriptions').length).toBeGreaterThan(1))
})

test('when a server died over a file, then it is sent once its claim has ended, and nothing is said', async () => {
  replaceDelays({ 2000: 1, 4000: 1, 6000: 1, 8000: 1 })
  const claimed = () => failure(409, 'Being sent', { code: 'upload_under_way' })
  const answers = [claimed, claimed, claimed, claimed]
  const { api, choose } = await open({ upload: () => (answers.shift() ?? sent)() })
  await choose(file('claimed.ogg'))
  const shown = await row('claimed.ogg')
  await waitFor(() => expect(shown.queryByText(/^Sent/) ?? shown.queryByRole('alert')).toBeTruthy())
  expect(shown.queryByRole('alert')).toBeNull()
  expect(api.of('upload')).toHaveLength(5)
})

const large = Object.defineProperty(file('large.ogg'), 'size', { value: config.maxFileBytes + 1 })
test.each([
  ['too large', large, /larger than 16 MB/, 0],
  ['empty', file('empty.ogg', { content: '' }), /This file is empty/, 0],
  ['a picture', file('cat.png', { type: 'image/png' }), /neither audio nor video\. Please send MP3/, 0],
  ['no sound for the server', file('odd.ogg'), /^No sound in it\.$/, 1],
])(
  'when a dropped file is %s, then that is said, and it is not sent again',
  async (_, chosen, words, calls) => {
    const { api } = await open({ upload: () => failure(415, 'No sound in it.') })
    drop(chosen)
    const shown = await row(chosen.name)
    expect((await shown.findByRole('alert')).textContent).toMatch(words)
    expect(shown.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(api.of('upload')).toHaveLength(calls)
  },
)

test.each([
  ['a WavPack file', file('talk.wv', { type: 'application/x-wavpack' })],
  ['an MXF film', file('film', { type: 'application/mxf' })],
  ['a file of no known type', file('note.bin', { type: 'application/octet-stream' })],
])('when the browser calls %s something else, then the server decides', async (_, chosen) => {
  const { api } = await open({ upload: () => sent() })
  drop(chosen)
  await (await row(chosen.name)).findByText(/^Sent/)
  expect(api.of('upload')).toHaveLength(1)
})

test('when folders are dropped, then the audio and video in them is sent; one without any is refused', async () => {
  const { api } = await open({ upload: sent })
  const inner = { folder: '202648', within: [file('PTT-1.opus', { type: '' })] }
  drop(
    { folder: 'Voice Notes', within: [inner, file('.DS_Store', { type: '' }), file('film.mp4')] },
    { folder: 'Papers', within: [file('letter.pdf', { type: 'application/pdf' })] },
  )
  for (const name of ['PTT-1.opus', 'film.mp4']) await (await row(name)).findByText(/^Sent/)
  expect((await (await row('Papers')).findByRole('alert')).textContent).toMatch(/neither audio nor video/)
  expect(api.of('upload')).toHaveLength(2)
})

test('when files are dragged over any place, then the page takes them; not a text', async () => {
  await open({})
  const zone = screen.getByText('or drop files here').parentElement!
  const over = (...types: string[]) => fireEvent.dragOver(window.document.body, { dataTransfer: { types } })
  // The browser opens whatever the page doesn't accept, instead of the page.
  expect([over('text/plain'), zone.className.includes('bg-wash')]).toEqual([true, false])
  expect([over('Files'), zone.className.includes('bg-wash')]).toEqual([false, true])
  const leave = (relatedTarget: Element | null) =>
    fireEvent(
      window.document.body,
      Object.assign(new Event('dragleave', { bubbles: true }), { relatedTarget }),
    )
  leave(zone)
  expect(zone.className).toContain('bg-wash')
  leave(null)
  expect(zone.className).not.toContain('bg-wash')
})

test('when the connection is lost, then it is tried again under the same key', async () => {
  const keys: unknown[] = []
  const { choose } = await open({
    upload: request => {
      keys.push(request.idempotencyKey)
      return keys.length === 1 ? noNetwork() : sent()
    },
  })
  await choose(file('lost.ogg'))
  await (await row('lost.ogg')).findByText(/^Sent/)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[\w-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

const leave = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))

test('when offline, then the upload waits, and the browser asks before the page is closed', async () => {
  const { api, choose } = await open({ upload: noNetwork })
  fireEvent(window, new Event('offline'))
  await choose(file('train.ogg'))
  const shown = await row('train.ogg')
  await shown.findByText(/^No connection\./)
  expect(leave()).toBe(false)
  api.on({ upload: sent })
  fireEvent(window, new Event('online'))
  await shown.findByText(/^Sent/)
  expect(leave()).toBe(true)
  const keys = api.of('upload').map(({ idempotencyKey }) => idempotencyKey)
  expect(new Set(keys).size).toBe(1)
})

test.each([
  ['became text', { ...completed, id: processing.id }, 'Transcribed'],
  ['has no words', { ...completed, text: '', notices: [{ code: 'no_speech' }] }, 'No speech found'],
  ['failed', { ...failed, failure: null, error: 'Your minutes are used up.' }, 'Your minutes are used up.'],
])('when what was sent %s, then that is said', async (what, note, words) => {
  const { api, choose } = await open({
    upload: sent,
    transcription: () => ok({ transcription: { ...document, ...note } }),
  })
  await choose(file(`${what}.ogg`))
  expect(await (await row(`${what}.ogg`)).findByText(words)).toBeTruthy()
  await waitFor(() => expect(api.of('profile')).not.toHaveLength(0))
})

test('when what was sent is not in the list yet, then it is looked for again', async () => {
  const note = { ...document, ...completed, id: processing.id }
  const answers = [failure(404, 'Transcription not found.')]
  const { choose } = await open({
    upload: sent,
    transcription: () => answers.pop() ?? ok({ transcription: note }),
  })
  await choose(file('quick.ogg'))
  const shown = await row('quick.ogg')
  expect(await shown.findByText('Transcribed')).toBeTruthy()
})

test('when it is cancelled, then it is gone and the next one goes out', async () => {
  const answer = held()
  const { api, choose, user } = await open({ upload: answer.handler })
  await choose(file('a.ogg'), file('b.ogg'), file('c.ogg'))
  expect(await (await row('c.ogg')).findByText('Waiting its turn')).toBeTruthy()
  await user.click((await row('a.ogg')).getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByText('a.ogg')).toBeNull()
  // The second half of a double click hits the line that has moved up.
  fireEvent.click((await row('b.ogg')).getByRole('button', { name: 'Cancel' }), { detail: 2 })
  answer.answer(sent())
  await (await row('c.ogg')).findByText(/^Sent/)
  expect(api.of('upload')).toHaveLength(3)
})

test('when somebody else signs in, then waiting files are not sent as theirs', async () => {
  const answer = held()
  const { api, choose } = await open({ upload: answer.handler })
  await choose(file('a.ogg'), file('b.ogg'), file('c.ogg'))
  await waitFor(() => expect(api.of('upload')).toHaveLength(1))
  signInAsBen()
  answer.answer(sent())
  await screen.findByLabelText('Audio or video files')
  expect(screen.queryByText('c.ogg')).toBeNull()
  expect(api.of('upload')).toHaveLength(1)
})

test('when somebody else signs in, then a file to be tried again is not sent as theirs', async () => {
  const { api, choose } = await open({ upload: noNetwork })
  await choose(file('a.ogg'))
  await waitFor(() => expect(api.of('upload')).toHaveLength(1))
  const [upload] = queryClient.getMutationCache().getAll()
  signInAsBen()
  // The next try is due in two seconds.
  await waitFor(() => expect(upload?.state.status).toBe('error'))
  expect(api.of('upload')).toHaveLength(1)
})

const signInAsBen = () =>
  act(() => {
    endSession('signed-out')
    beginSession({ user: { ...ada, id: 'user-2' }, accessToken: tokenFor(900, 'ben'), refreshToken: 'r' })
  })

describe('the microphone', () => {
  const stop = jest.fn()
  const asked = jest.fn(() => allowed.promise)
  let allowed: PromiseWithResolvers<object>
  const track: Partial<MediaStreamTrack> = { stop }
  class FakeRecorder extends EventTarget {
    static isTypeSupported = () => true
    stream = { getTracks: () => [track] }
    state = 'recording'
    mimeType = 'audio/webm'
    start = () => void setTimeout(() => this.dispatchEvent(new Event('start')))
    private become(state: string, event: string) {
      this.state = state
      this.dispatchEvent(new Event(event))
    }
    pause = () => this.become('paused', 'pause')
    resume = () => this.become('recording', 'resume')
    ondataavailable = (_: object) => {}
    onstop = () => {}
    stop() {
      this.state = 'inactive'
      this.ondataavailable({ data: new Blob(['sound']) })
      this.onstop()
      this.dispatchEvent(new Event('stop'))
    }
  }
  beforeEach(() => {
    allowed = Promise.withResolvers()
    for (const mock of [asked, stop]) mock.mockClear()
    Object.assign(globalThis, { MediaRecorder: FakeRecorder })
    Object.assign(navigator, { mediaDevices: { getUserMedia: asked } })
  })
  afterEach(() => {
    Object.assign(globalThis, { MediaRecorder: undefined })
  })

  test('is closed when it is allowed after the page was left', async () => {
    const { user, unmount } = await open({})
    await user.click(screen.getByRole('button', { name: 'Record' }))
    unmount()
    allowed.resolve({})
    await waitFor(() => expect(stop).toHaveBeenCalled())
  })

  test('records what is sent, and the focus stays with its buttons', async () => {
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} })
    const { api, user } = await open({ upload: sent })
    allowed.resolve({})
    await user.click(screen.getByRole('button', { name: 'Record' }))
    const end = await screen.findByRole('button', { name: 'Stop' })
    await waitFor(() => expect(window.document.activeElement).toBe(end))
    expect(leave()).toBe(false)
    await user.click(end)
    const send = await screen.findByRole('button', { name: 'Send' })
    await waitFor(() => expect(window.document.activeElement?.contains(send)).toBe(true))
    expect(window.document.activeElement).not.toBe(window.document.body)
    expect(stop).toHaveBeenCalled()
    expect(leave()).toBe(false)
    await user.click(send)
    await waitFor(() => expect(api.of('upload')).toHaveLength(1))
    const again = screen.getByRole('button', { name: 'Record' })
    expect(window.document.activeElement?.contains(again)).toBe(true)
    expect(window.document.activeElement).not.toBe(window.document.body)
  })

  test('keeps what it heard when the page is left, for the person who recorded', async () => {
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} })
    const { api, user, navigate } = await open({ upload: sent })
    allowed.resolve({})
    await user.click(screen.getByRole('button', { name: 'Record' }))
    await screen.findByRole('button', { name: 'Stop' })
    navigate('/contact')
    await screen.findByLabelText('Subject')
    expect(stop).toHaveBeenCalled()
    expect(leave()).toBe(false)
    navigate('/transcription-history')
    await user.click(await screen.findByRole('button', { name: 'Send' }))
    await waitFor(() => expect(api.of('upload')).toHaveLength(1))
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Record' }))
    await screen.findByRole('button', { name: 'Stop' })
    signInAsBen()
    navigate('/transcription-history')
    expect(await screen.findByRole('button', { name: 'Record' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  })

  test('is taken by a phone call, then the recording pauses and says why, and goes on by its button', async () => {
    const release = jest.fn(async () => {})
    const request = jest.fn(async () => ({ release }))
    Object.assign(navigator, { wakeLock: { request } })
    const { user } = await open({})
    allowed.resolve({})
    await user.click(screen.getByRole('button', { name: 'Record' }))
    await screen.findByRole('button', { name: 'Pause' })
    // The screen stays on, as a phone that locks ends the recording.
    expect(request).toHaveBeenCalledWith('screen')
    const say = (event: 'onmute' | 'onended') =>
      act(() => track[event]?.call(track as never, new Event(event)))
    say('onmute')
    expect(screen.getByText(/^The microphone is muted/)).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^Paused at/)
    await waitFor(() => expect(release).toHaveBeenCalledTimes(1))
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    expect(screen.queryByText(/^The microphone is muted/)).toBeNull()
    say('onended')
    expect(screen.getByText(/^The microphone was cut off/)).toBeTruthy()
    Reflect.deleteProperty(navigator, 'wakeLock')
  })

  test('is on while the page is out of sight, then the time is the clock’s', async () => {
    const { user } = await open({})
    allowed.resolve({})
    await user.click(screen.getByRole('button', { name: 'Record' }))
    await screen.findByRole('button', { name: 'Stop' })
    const now = performance.now()
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 90_000)
    expect(await screen.findByText('Recording 1:30', {}, { timeout: 5_000 })).toBeTruthy()
    clock.mockRestore()
  })

  test('is asked for once by a double click', async () => {
    const { user } = await open({})
    await user.dblClick(screen.getByRole('button', { name: 'Record' }))
    expect(asked).toHaveBeenCalledTimes(1)
    allowed.reject(new Error('There is none'))
    expect(await screen.findByText(/^We couldn’t access a microphone/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Record' }).matches(':enabled')).toBe(true)
  })
})

test('when the browser has no format for recordings, then it says so and offers no button', async () => {
  Object.assign(globalThis, { MediaRecorder: { isTypeSupported: () => false } })
  await open({})
  expect(screen.getByText(/^This browser can’t record/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Record' })).toBeNull()
  Object.assign(globalThis, { MediaRecorder: undefined })
})

test('when files are chosen, then what fits is said before', async () => {
  const { user } = await open({})
  const limits = screen.getByText(/MP3, WAV, .* at most 16 MB each/)
  expect(limits.textContent).toMatch(/minutes left/)
  const rest = limits.closest('details')
  expect(rest?.open).toBe(false)
  await user.click(screen.getByText('Language and limits'))
  expect(rest?.open).toBe(true)
})
