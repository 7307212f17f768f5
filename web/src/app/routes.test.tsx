import { act, screen, waitFor, within } from '@testing-library/react'
import type { User } from '@voxscribe/contracts/http'
import { endSession } from '../session/session.ts'
import { failure, held, ok } from '../testing/fake-api.ts'
import { ada, tokenFor } from '../testing/people.ts'
import { openApp, renderApp, signIn } from '../testing/render-app.tsx'
import { storedItems, storeSession } from '../testing/storage.ts'

const login = () => ok<'login'>({ user: ada, accessToken: tokenFor(900), refreshToken: 'r' })

const openPages: [string, string][] = [
  ['/', 'Convert WhatsApp Audio to Text'],
  ['/pricing', 'Pricing'],
  ['/blog', 'Blog'],
  ['/blog/1', 'A short handbook of voice notes'],
  ['/docs', 'Docs'],
  ['/docs/use', 'Use it'],
  ['/docs/nowhere', 'Page not found'],
  ['/contact', 'Contact'],
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms of Service'],
  ['/cookies', 'Cookie Policy'],
  ['/forgot-password', 'Forgot password'],
  ['/reset-password?token=t', 'Reset password'],
  ['/nowhere', 'Page not found'],
  ['/blog/1/2', 'Page not found'],
]
const protectedPages = [
  '/dashboard',
  '/welcome',
  '/transcription-history',
  '/transcription-history?page=3&status=failed',
  '/update-profile',
  '/subscription/success?session_id=cs_1',
  '/subscription/cancel',
  '/subscription/failed?error=x',
  '/subscription-details',
]

// Only the guard depends on who is signed in, and it treats pages alike, so three stand for all of them.
const forBoth = ['/', '/pricing', '/docs/nowhere']
describe.each<[string, User | undefined, [string, string][]]>([
  ['signed out', undefined, openPages],
  ['signed in', ada, openPages.filter(([address]) => forBoth.includes(address))],
])('when somebody %s', (_, as, pages) => {
  test.each(pages)('opens %s, then it is shown, with its title', async (address, title) => {
    const app = openApp(address, {}, as)
    await waitFor(() => expect(document.title).toBe(`${title} · Voxscribe`))
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(app.place()).toBe(address)
  })
})

describe('when somebody signed out opens a page for account holders', () => {
  test.each(protectedPages)('as %s, then they sign in first', async address => {
    const app = openApp(address, { login })
    await screen.findByRole('heading', { name: 'Sign In' })
    expect(app.place()).toBe('/signin')
  })

  test('then they come back to it, with what it was asked', async () => {
    const address = '/transcription-history?page=3&status=failed'
    const app = openApp(address, { login })
    await screen.findByRole('heading', { name: 'Sign In' })
    await signIn(app.user)
    await waitFor(() => expect(app.place()).toBe(address))
  })
})

describe('when somebody signed in opens a page for visitors', () => {
  test('by the link of an invitation, then the page says who is signed in here', async () => {
    const { place } = openApp('/signup?invite=abc&email=bo%40example.org', {}, ada)
    await waitFor(() => expect(place()).toBe('/dashboard'))
    expect(
      (await screen.findAllByText(/^In this browser, ada@example.org is signed in/)).length,
    ).toBeGreaterThan(0)
  })

  test.each(['/signup', '/signin'])('as %s, then they are sent to the dashboard', async address => {
    const app = openApp(address, {}, ada)
    await waitFor(() => expect(app.place()).toBe('/dashboard'))
  })

  test.each([
    [{ pathname: '/transcription-history', search: '?page=2' }, '/transcription-history?page=2'],
    ['https://evil.example', '/dashboard'],
    [{ pathname: '//evil.example' }, '/dashboard'],
    [{ pathname: 7 }, '/dashboard'],
  ])('and the place they came from reads %j, then they get to %s', async (from, place) => {
    const app = renderApp('/signin', { as: ada, state: { from } })
    await waitFor(() => expect(app.place()).toBe(place))
  })
})

test('when nothing is at an address, then the page says 404 and leads home', async () => {
  openApp('/no/such/page')
  expect(await screen.findByText('404')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
})

test('when the payment page links to /transcription, then the history opens', async () => {
  const app = openApp('/transcription', {}, ada)
  await waitFor(() => expect(app.place()).toBe('/transcription-history'))
})

test.each([
  ['/your-data', '/security', 'Security and data'],
  ['/api-keys', '/programs', 'Programs'],
  ['/hooks', '/programs', 'Programs'],
])('when %s is opened, then the page of settings that holds it is', async (from, to, name) => {
  const app = openApp(from, {}, ada)
  const settings = within(await screen.findByRole('navigation', { name: 'Settings' }))
  await waitFor(() => expect(app.place()).toBe(to))
  expect(settings.getAllByRole('link').map(link => link.textContent)).toEqual([
    'Profile',
    'Security and data',
    'Words',
    'Programs',
  ])
  expect(settings.getByRole('link', { current: 'page' }).textContent).toBe(name)
})

describe('while the session is being found out', () => {
  test.each(['/dashboard', '/signin'])('then %s says so, and goes on from there', async address => {
    const { handler, answer } = held()
    storeSession(ada, tokenFor(-1))
    const app = openApp(address, { refresh: handler })
    expect(await screen.findByText('Checking authentication...')).toBeTruthy()
    expect(app.place()).toBe(address)
    answer(ok<'refresh'>({ accessToken: tokenFor(900, 'b'), refreshToken: 'r2' }))
    await waitFor(() => expect(app.place()).toBe('/dashboard'))
    await waitFor(() => expect(screen.queryByText('Checking authentication...')).toBeNull())
  })
})

test('when a session ends on an open page, then the browser goes to /signin and comes back after', async () => {
  const refusals = { contact: () => failure(401, 'Token expired'), refresh: () => failure(401, 'Revoked') }
  const app = openApp('/contact', refusals, ada)
  await app.user.selectOptions(await screen.findByLabelText('Subject'), 'bug')
  await app.user.type(screen.getByLabelText('Message'), 'Hello')
  await app.user.click(screen.getByRole('button', { name: 'Send message' }))
  await waitFor(() => expect(app.place()).toBe('/signin'))
  expect(storedItems()).toEqual([])
})

test('when a session ends again on /signin, then the page from before is the one to come back to', async () => {
  const { user, place } = openApp('/welcome', { login }, ada)
  await screen.findByRole('heading', { name: 'Welcome, Ada' })
  for (let ends = 0; ends < 2; ends++) {
    act(() => endSession('expired'))
    await screen.findByRole('heading', { name: 'Sign In' })
  }
  await signIn(user)
  await waitFor(() => expect(place()).toBe('/welcome'))
})

test('when another person signs in where a session has ended, then they do not get its page and search', async () => {
  const ben = { ...ada, id: 'user-2', email: 'ben@example.org' }
  const asBen = () => ok<'login'>({ user: ben, accessToken: tokenFor(900, 'ben'), refreshToken: 'r' })
  const { user, place } = openApp('/transcription-history?search=secret', { login: asBen }, ada)
  await screen.findByRole('heading', { name: 'Transcription history' })
  act(() => endSession('expired'))
  await screen.findByRole('heading', { name: 'Sign In' })
  await signIn(user)
  await waitFor(() => expect(place()).toBe('/dashboard'))
})

describe('after a change of page', () => {
  test('then the focus is on its heading', async () => {
    const app = openApp('/')
    await screen.findByRole('heading', { level: 1 })
    expect(document.activeElement).toBe(document.body)
    app.navigate('/blog')
    const heading = await screen.findByRole('heading', { level: 1, name: /writing down/ })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })

  test('then a part that the address names has it instead', async () => {
    const app = openApp('/blog')
    await app.user.click(await screen.findByRole('link', { name: 'Notes in more than one language' }))
    await screen.findByRole('heading', { level: 1, name: 'A short handbook of voice notes' })
    await waitFor(() => expect(document.activeElement?.id).toBe('languages'))
    expect(app.place()).toBe('/blog/2')
  })
})
