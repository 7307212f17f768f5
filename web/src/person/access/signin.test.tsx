import { screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, noNetwork, ok } from '../../testing/fake-api.ts'
import { completed, pageOf } from '../../testing/notes.ts'
import { ada, tokenFor } from '../../testing/people.ts'
import { openApp, signIn } from '../../testing/render-app.tsx'
import { speak } from '../../testing/speak.ts'
import { storedItems, storedUser } from '../../testing/storage.ts'

const session = { user: ada, accessToken: tokenFor(900), refreshToken: 'refresh-1' }

async function open(handlers: FakeHandlers = {}) {
  const app = openApp('/signin', handlers)
  await screen.findByRole('heading', { name: 'Sign In' })
  const main = within(screen.getByRole('main'))
  return { ...app, main, submit: (...typed: string[]) => signIn(app.user, ...typed) }
}

test('when the right words are given, then the session is stored and the dashboard opens', async () => {
  const { api, submit, place } = await open({ login: () => ok<'login'>(session) })
  await submit(' Ada@Example.org')
  await waitFor(() => expect(place()).toBe('/dashboard'))
  expect(api.of('login')[0]?.body).toEqual({ email: 'ada@example.org', password: 'correct horse' })
  expect(localStorage.getItem('accessToken')).toBe(session.accessToken)
  expect(localStorage.getItem('refreshToken')).toBe('refresh-1')
  expect(storedItems()).toEqual(['accessToken', 'refreshToken', 'user'])
  expect(storedUser()).toEqual(ada)
})

test.each([
  ['', 'correct horse', 'Email is required'],
  ['ada', 'correct horse', 'Please enter a valid email address'],
  ['ada@example.org', '', 'Password is required'],
])('when %j and %j are given, then it says %j and asks nobody', async (email, password, words) => {
  const { api, submit } = await open()
  await submit(email, password)
  expect(await screen.findByText(words)).toBeTruthy()
  expect(api.of('login')).toHaveLength(0)
})

test.each([
  ['wrong words', () => failure(401, 'Invalid email or password'), 'Invalid email or password'],
  ['too many tries', () => failure(429, 'Too many attempts.'), 'Too many attempts.'],
  ['no success and no message', () => failure(200), 'An error occurred during sign in'],
  [
    'a success without a session',
    () => ({ status: 200, body: { success: true, data: { user: ada } } }),
    'Login failed',
  ],
])(
  'when there is %s, then a banner says so, has the focus, and nothing is stored',
  async (_, login, words) => {
    const { submit, place } = await open({ login })
    await submit()
    const banner = await screen.findByRole('alert')
    expect(banner.textContent).toBe(words)
    await waitFor(() => expect(document.activeElement?.contains(banner)).toBe(true))
    expect(place()).toBe('/signin')
    expect(storedItems()).toEqual([])
  },
)

test('when the password is forgotten, then the typed address is kept', async () => {
  const { user, main } = await open()
  expect(main.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup')
  await user.type(main.getByLabelText('Email'), 'ada@example.org')
  await user.click(main.getByRole('link', { name: 'Forgot password?' }))
  await screen.findByRole('heading', { name: 'Forgot password' })
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
})

test('when the page is in German, then so are the sentences of fields and of codes', async () => {
  speak('de', {
    'Email is required': 'Bitte gib deine E-Mail an',
    'Invalid email or password': 'E-Mail oder Passwort ist falsch',
  })
  const refused = failure(401, 'Invalid email or password', { code: 'invalid_credentials' })
  const { submit, user } = await open({ login: () => refused })
  await submit('')
  expect(await screen.findByText('Bitte gib deine E-Mail an')).toBeTruthy()
  await user.type(screen.getByLabelText('Email'), 'ada@example.org')
  await submit('')
  expect(await screen.findByText('E-Mail oder Passwort ist falsch')).toBeTruthy()
  speak('en')
})

test('when a session ends in the middle of work, then that is told, and the work goes on after signing in', async () => {
  const over = () => failure(401, 'Token expired')
  const { api, user, place } = openApp(
    '/transcription-history?search=late',
    { transcriptions: over, transcriptionStats: over, refresh: over, login: () => ok<'login'>(session) },
    ada,
  )
  expect(await screen.findByText(/^You’ve been signed out/)).toBeTruthy()
  api.on({ transcriptions: () => ok(pageOf([completed])), transcriptionStats: noNetwork })
  await signIn(user)
  await waitFor(() => expect(place()).toBe('/transcription-history?search=late'))
})
