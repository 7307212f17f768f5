import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { completed, pageOf } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

const birthday = { ...completed, id: 'note-2', title: 'Grandma’s birthday' }

async function open(handlers: FakeHandlers = {}, as: typeof ada | undefined = ada) {
  const app = openApp(
    '/contact',
    {
      transcriptions: ({ query }) => ok(pageOf(query?.search === 'birth' ? [birthday] : [])),
      ...handlers,
    },
    as,
  )
  await screen.findByRole('heading', { level: 1 })
  return app
}
const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: /^Find notes/ })
const palette = () => within(screen.getByRole('dialog'))
const offered = () =>
  palette()
    .getAllByRole('option')
    .map(option => option.textContent)
const chosen = () => palette().getByRole('option', { selected: true }).textContent

test('when Ctrl-K is pressed, then it lists pages and acts, the first is chosen, and Enter opens it', async () => {
  const { user, place } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'prog')
  expect([offered(), chosen()]).toEqual([['Programs'], 'Programs'])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(place()).toBe('/programs'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('when it is opened while something is typed, then every page and act is there', async () => {
  const { user } = await open()
  await user.click(screen.getByLabelText('Name'))
  await user.keyboard('{Meta>}k{/Meta}')
  await field()
  for (const name of ['Dashboard', 'Transcriptions', 'Profile', 'Security and data', 'Words', 'Pricing'])
    expect(offered()).toContain(name)
  for (const name of ['Record', 'Upload', 'Light', 'Dark', 'Log Out']) expect(offered()).toContain(name)
})

test('when words are typed, then their note is found, also by an Enter that comes before it', async () => {
  const { api, user, place } = await open({ transcription: () => failure(404) })
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'birth{Enter}')
  await waitFor(() => expect(place()).toBe('/transcriptions/note-2'))
  const searches = api.of('transcriptions').map(({ query }) => query?.search)
  expect(searches.filter(Boolean)).toEqual(['birth'])
})

test('when nothing is found, then it says so, and Escape closes it', async () => {
  const { user } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'zebra')
  expect(await screen.findByText('Nothing found')).toBeTruthy()
  const dialog = screen.getByRole('dialog')
  fireEvent.keyDown(await field(), { key: 'Escape' })
  expect((await field()).value).toBe('zebra')
  fireEvent(dialog, new Event('close'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('when notes cannot be searched, then it says why, and not that there is none', async () => {
  const { user } = await open({ transcriptions: () => failure(500, 'The shelf is being repaired') })
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'zebra')
  expect(await screen.findByText('The shelf is being repaired')).toBeTruthy()
  expect(screen.queryByText('Nothing found')).toBeNull()
})

test('when the page becomes another one, then it closes', async () => {
  const { user, navigate } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  navigate('/blog')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('when the look is chosen, then the page has it', async () => {
  const { user } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'dark{Enter}')
  expect(document.documentElement.dataset.theme).toBe('dark')
})

test('when Record is chosen, then the dashboard’s microphone is asked for, once', async () => {
  let asked = 0
  Object.assign(globalThis, { MediaRecorder: { isTypeSupported: () => true } })
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      async getUserMedia() {
        asked += 1
        throw new DOMException('', 'NotAllowedError')
      },
    },
  })
  const { user, place } = await open()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await field(), 'record{Enter}')
  await waitFor(() => expect(place()).toBe('/dashboard'))
  expect(await screen.findByText(/^The microphone is blocked/)).toBeTruthy()
  expect(within(screen.getByRole('main')).getByRole('button', { name: 'Record' })).toBe(
    document.activeElement,
  )
  expect(asked).toBe(1)
  Reflect.deleteProperty(globalThis, 'MediaRecorder')
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

test('when nobody is signed in, then the key is the browser’s', async () => {
  openApp('/contact')
  await screen.findByRole('heading', { level: 1 })
  expect(fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })).toBe(true)
})
