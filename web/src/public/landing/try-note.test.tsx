import { jest } from '@jest/globals'
import { act, screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../../testing/fake-api.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'

class FakeRecorder extends EventTarget {
  static isTypeSupported = () => true
  static last: FakeRecorder | undefined
  state: RecordingState = 'inactive'
  mimeType = 'audio/webm'
  stream: object
  ondataavailable = (_: object) => {}
  onstop = () => {}
  constructor(stream: object) {
    super()
    this.stream = stream
    FakeRecorder.last = this
  }
  start() {
    this.state = 'recording'
    setTimeout(() => this.dispatchEvent(new Event('start')))
  }
  stop() {
    this.state = 'inactive'
    this.ondataavailable({ data: new Blob(['sound'], { type: 'audio/webm' }) })
    this.onstop()
    this.dispatchEvent(new Event('stop'))
  }
}
let stopped = 0
beforeEach(() => {
  stopped = 0
  Object.assign(globalThis, { MediaRecorder: FakeRecorder })
  const getTracks = () => [{ stop: () => stopped++ }]
  Object.assign(navigator, { mediaDevices: { getUserMedia: async () => ({ active: true, getTracks }) } })
})
afterEach(() => Object.assign(globalThis, { MediaRecorder: undefined }))

async function press(handlers: FakeHandlers = {}) {
  globalThis.fetch = async () => ({ json: async () => ({ data: config }) }) as Response
  const app = openApp('/', handlers)
  await screen.findByRole('heading', { level: 1 })
  await app.user.click(screen.getByRole('button', { name: 'Speak for half a minute' }))
  return app
}
const main = () => within(screen.getByRole('main'))
async function stop() {
  await screen.findByRole('timer')
  act(() => FakeRecorder.last?.stop())
}
const words = ok<'tryNote'>({ text: 'Buy bread.', language: 'en', seconds: 2 })

test('when a visitor records, then the words stand below it, and the way to the chat', async () => {
  const { handler, answer } = held()
  const { api, user } = await press({ tryNote: handler })
  expect((await screen.findByRole('timer')).textContent).toBe('0:00 of 0:30')
  await user.click(main().getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Listening…')).toBeTruthy()
  expect(stopped).toBe(1)
  answer(words)
  expect((await screen.findByText('Buy bread.')).closest('[role=status]')).toBeTruthy()
  expect(screen.getByText('Now in your chat')).toBeTruthy()
  expect(main().getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/signup')
  const [{ authorization, body } = {} as never] = api.of('tryNote')
  expect([authorization, (body as unknown as FormData).get('file')]).toEqual([undefined, expect.any(File)])
})

test('when nobody stops it, then it stops after half a minute', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setTimeout'] })
  await press({ tryNote: () => words })
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(false),
  )
  act(() => jest.advanceTimersByTime(29_000))
  expect(screen.getByRole('timer').textContent).toBe('0:29 of 0:30')
  act(() => jest.advanceTimersByTime(1_000))
  jest.useRealTimers()
  expect(await screen.findByText('Buy bread.')).toBeTruthy()
})

test.each([
  ['503 overloaded', () => failure(503, 'Too much', { code: 'overloaded' }), /^All engines are at work/],
  ['no answer', noNetwork, /^Network error/],
])(
  'when the answer is %s, then it says so, and the same recording can be sent again',
  async (_, no, says) => {
    const { api, user } = await press({ tryNote: no })
    await stop()
    expect(await screen.findByText(says)).toBeTruthy()
    expect(main().getByRole('link', { name: 'Sign Up' })).toBeTruthy()
    api.on({ tryNote: () => words })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Buy bread.')).toBeTruthy()
    expect(api.of('tryNote')).toHaveLength(2)
  },
)

test('when the tries of a day are used up, then only the sign-up is left', async () => {
  await press({ tryNote: () => failure(429, 'That’s all for now.', { code: 'try_used_up' }) })
  await stop()
  expect(await screen.findByText('That’s all for now.')).toBeTruthy()
  expect(main().getByRole('link', { name: 'Sign Up' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
})

test('when the microphone is refused, then it says how to allow it', async () => {
  const refuse = async () => Promise.reject(new DOMException('', 'NotAllowedError'))
  Object.assign(navigator, { mediaDevices: { getUserMedia: refuse } })
  await press()
  expect(await screen.findByText(/^The microphone is blocked/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Record again' })).toBeTruthy()
})

test('when the browser cannot record, then it says so', async () => {
  Object.assign(globalThis, { MediaRecorder: undefined })
  await press()
  expect(await screen.findByText('This browser can’t record.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
})

test('when it is turned off here, then nobody is asked to speak', async () => {
  globalThis.fetch = async () => ({ json: async () => ({ data: { ...config, try: false } }) }) as Response
  openApp('/')
  await screen.findByRole('heading', { level: 1 })
  const button = screen.getByText('Speak for half a minute')
  await waitFor(() => expect(button.closest('.hidden')).toBeTruthy())
})
