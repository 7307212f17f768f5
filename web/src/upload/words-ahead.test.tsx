import { jest } from '@jest/globals'
import { act, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { processing } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { adaWith, config, pro } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

/** The microphone's level, 0 to 1. */
let level = 0.5
class FakeRecorder extends EventTarget {
  static isTypeSupported = () => true
  static made = 0
  which = FakeRecorder.made++
  state: RecordingState = 'inactive'
  mimeType = 'audio/webm'
  stream: object
  ondataavailable = (_: object) => {}
  onstop = () => {}
  constructor(stream: object) {
    super()
    this.stream = stream
  }
  private change(state: RecordingState, event: string) {
    this.state = state
    setTimeout(() => this.dispatchEvent(new Event(event)))
  }
  start = () => this.change('recording', 'start')
  pause = () => this.change('paused', 'pause')
  resume = () => this.change('recording', 'resume')
  stop() {
    this.state = 'inactive'
    this.ondataavailable({ data: new Blob([`sound ${this.which}`], { type: 'audio/webm;codecs=opus' }) })
    this.onstop()
    this.dispatchEvent(new Event('stop'))
  }
}
class FakeContext {
  createAnalyser = () => ({ getFloatTimeDomainData: (samples: Float32Array) => samples.fill(level) })
  createMediaStreamSource = () => ({ connect: () => {} })
  close = async () => {}
}

beforeEach(() => {
  level = 0.5
  FakeRecorder.made = 0
  Object.assign(globalThis, { MediaRecorder: FakeRecorder, AudioContext: FakeContext })
  Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} })
  Object.assign(navigator, {
    mediaDevices: { getUserMedia: async () => ({ active: true, getTracks: () => [] }) },
  })
})
afterEach(() => {
  jest.useRealTimers()
  Object.assign(globalThis, { MediaRecorder: undefined, AudioContext: undefined })
})

const words = (text: string, language = 'en') => ok<'previewText'>({ text, language })
const here = { config: () => ok<'config'>({ ...config, preview: true }) }

async function record(handlers: FakeHandlers, who = ada) {
  const view = openApp('/transcription-history', { ...here, ...handlers }, who)
  await screen.findByRole('button', { name: 'Record' })
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['requestAnimationFrame', 'cancelAnimationFrame'] })
  await click('Record')
  await screen.findByRole('button', { name: 'Pause' })
  return { ...view, pieces: () => view.api.of('previewText') as unknown as { body: Blob; query: object }[] }
}
const pass = (seconds: number) => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000))
/** A person speaks for some seconds, then pauses. */
async function speak(seconds = 6) {
  level = 0.5
  await pass(seconds)
  level = 0
  await pass(0.5)
}
const log = () => screen.queryByRole('log', { name: 'Words so far' })
const click = (name: string) => act(() => screen.getByRole('button', { name }).click())

test('when somebody speaks, then words come with each pause, until the recording is sent', async () => {
  const answers = [words('Guten Morgen.', 'de'), words('مرحبا', 'ar')]
  const { pieces } = await record({
    previewText: () => answers.shift() ?? words(''),
    upload: () => ok<'upload'>({ transcription: processing }),
  })
  expect(log()).toBeNull()
  await speak()
  await waitFor(() => expect(log()?.textContent).toMatch(/Guten Morgen\./))
  await speak()
  await waitFor(() => expect(log()?.textContent).toMatch(/Guten Morgen\.\s*مرحبا/))
  expect(screen.getByText('مرحبا').lang).toBe('ar')
  expect(log()?.getAttribute('aria-live')).toBe('off')
  expect(pieces()[0]?.query).toEqual({ language: 'auto' })
  expect(pieces()[0]?.body.type).toBe('audio/webm;codecs=opus')
  await click('Pause')
  await pass(0.1)
  expect(log()?.getAttribute('aria-live')).toBe('polite')
  await click('Stop')
  await pass(0.1)
  expect(log()).not.toBeNull()
  await click('Send')
  expect(log()).toBeNull()
})

test('when nobody speaks, or all the time, then nothing is sent, or a piece of 15 s', async () => {
  const { pieces } = await record({ previewText: () => words('on and on') })
  level = 0
  await pass(40)
  expect(pieces()).toHaveLength(0)
  level = 0.5
  await pass(31)
  await waitFor(() => expect(pieces().length).toBeGreaterThanOrEqual(2))
  expect(pieces().length).toBeLessThanOrEqual(3)
})

test('when the machine is slow, then the older of the pieces that wait is left out', async () => {
  const slow = held()
  let calls = 0
  const { pieces } = await record({
    previewText: () => {
      calls += 1
      return calls === 1 ? slow.handler() : words(`piece ${calls}`)
    },
  })
  for (let at = 0; at < 5; at++) await speak()
  expect(pieces()).toHaveLength(1)
  slow.answer(words('first'))
  await waitFor(() => expect(log()?.textContent).toMatch(/^first … piece 2 piece 3/))
})

test.each([
  ['busy', () => failure(503, 'Busy')],
  ['not to be reached', noNetwork],
])('when the machine is %s, then only those words stay away', async (_what, answer) => {
  let calls = 0
  await record({ previewText: () => (calls++ ? words('Here again.') : answer()) })
  await speak()
  expect(log()).toBeNull()
  await speak()
  await waitFor(() => expect(log()?.textContent).toMatch(/^… Here again\./))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('when a piece is refused, then no more are sent for this recording', async () => {
  const { pieces } = await record({ previewText: () => failure(429, 'Enough for today') })
  for (let at = 0; at < 3; at++) await speak()
  expect(pieces()).toHaveLength(1)
  expect(screen.getByRole('timer').textContent).toMatch(/^Recording/)
  expect(screen.queryByText('Enough for today')).toBeNull()
})

test('when the recording ends, then the piece that is being heard is given up, and the last one is not sent', async () => {
  const slow = held()
  const { pieces } = await record({ previewText: slow.handler })
  await speak()
  await speak(3)
  await click('Stop')
  slow.answer(words('too late'))
  await pass(1)
  expect(log()).toBeNull()
  expect(pieces()).toHaveLength(1)
})

test.each([
  ['where the machine does not hear ahead', { config: () => ok<'config'>(config) }, ada],
  ['without minutes', here, adaWith({ ...pro, subscription_minutes: 1000, used_minutes: 1000 })],
])('when somebody records %s, then no piece is sent', async (_where, handlers, who) => {
  const { pieces } = await record(handlers, who)
  for (let at = 0; at < 3; at++) await speak()
  expect(pieces()).toHaveLength(0)
  expect(FakeRecorder.made).toBe(1)
})
