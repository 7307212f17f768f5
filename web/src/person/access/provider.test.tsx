import { act, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, ok } from '../../testing/fake-api.ts'
import { ada, tokenFor } from '../../testing/people.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedUser } from '../../testing/storage.ts'

const session = { user: ada, accessToken: tokenFor(900), refreshToken: 'refresh-1' }
const BACK = '/signed-in?code=c&state=s&iss=https%3A%2F%2Fid.example.com&session_state=x'

function open(address: string, handlers: FakeHandlers = {}, passwords = true, as?: typeof ada) {
  globalThis.fetch = async () =>
    Response.json({
      data: { ...config, signIn: { ...config.signIn, passwords, passkeys: !passwords, oidc: 'Lab' } },
    })
  return openApp(address, handlers, as)
}
const leftAt = (left: object) => localStorage.setItem('leftForProvider', JSON.stringify(left))

test('when the provider has signed a person in, then they are where they wanted to be', async () => {
  leftAt({ from: { pathname: '/pricing', search: '?a=1' } })
  const { api, place } = open(BACK, { oidcSignIn: () => ok<'oidcSignIn'>(session) })
  await waitFor(() => expect(place()).toBe('/pricing?a=1'))
  expect(api.of('oidcSignIn').map(({ body }) => body)).toMatchObject([
    { code: 'c', state: 's', iss: 'https://id.example.com' },
  ])
  expect(storedUser()).toEqual(ada)
  expect(localStorage.getItem('leftForProvider')).toBeNull()
})

test('when the answer is refused, then a sentence says why, with a way back', async () => {
  const { user, place } = open(BACK, { oidcSignIn: () => failure(400, 'This sign-in is over.') })
  expect((await screen.findByRole('alert')).textContent).toBe('This sign-in is over.')
  await user.click(screen.getByRole('link', { name: 'Back to sign in' }))
  await waitFor(() => expect(place()).toBe('/signin'))
})

test('when nobody knows the person, then they open an account without a password, with the invitation they left with', async () => {
  leftAt({ search: '?invite=token', from: { pathname: '/pricing' } })
  const provided = { next: 'register', ticket: 'ticket', email: 'ada@example.org' } as const
  const { api, user, place } = open(BACK, {
    oidcSignIn: () => ok<'oidcSignIn'>({ ...provided, first_name: 'Ada', last_name: 'Lind' }),
    register: () => ok<'register'>(session),
  })
  await screen.findByRole('heading', { name: 'Create account' })
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Email').readOnly).toBe(true)
  await screen.findByDisplayValue('United States (+1)')
  await user.type(screen.getByLabelText('WhatsApp number'), '2015550123')
  await user.click(screen.getByRole('button', { name: 'Continue to Free Trial' }))
  await waitFor(() => expect(place()).toBe('/pricing'))
  expect(api.of('register').map(({ body }) => body)).toEqual([
    {
      ...{ first_name: 'Ada', last_name: 'Lind', email: 'ada@example.org', invite: 'token' },
      ...{ wtp_number: '2015550123', country_id: '840', ticket: 'ticket' },
    },
  ])
})

test.each(['/signin', '/signup'])(
  'when %s comes before the ways to sign in are known, then no form is seen that they would move',
  async address => {
    for (const answer of [() => Response.json({ data: config }), () => Response.error()]) {
      const asked = Promise.withResolvers<Response>()
      globalThis.fetch = () => asked.promise
      const { unmount } = openApp(address)
      const form = async () => (await screen.findByLabelText('Email')).closest('.invisible')
      expect(await form()).toBeTruthy()
      await act(async () => asked.resolve(answer()))
      expect(await form()).toBeNull()
      unmount()
    }
  },
)

test('when an account has the address, then its password links it, or a mail', async () => {
  const { api, user, place } = open(BACK, {
    oidcSignIn: () => ok<'oidcSignIn'>({ next: 'link', ticket: 'ticket', email: 'a•••@example.org' }),
    oidcLink: ({ body }) => (body.mail ? ok<'oidcLink'>(null) : ok<'oidcLink'>(session)),
  })
  await screen.findByRole('heading', { name: 'Is this your account?' })
  await user.click(screen.getByRole('button', { name: 'Email me a link instead' }))
  await screen.findByText('We’ve sent a link to a•••@example.org. It works for one hour.')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }))
  await waitFor(() => expect(place()).toBe('/dashboard'))
  expect(api.of('oidcLink').map(({ body }) => body)).toEqual([
    { ticket: 'ticket', mail: true },
    { ticket: 'ticket', password: 'correct horse' },
  ])
})

test('when the mailed link is opened, then only the button signs in', async () => {
  const { api, user, place } = open('/link-sign-in?token=abc', { oidcLink: () => ok<'oidcLink'>(session) })
  const button = await screen.findByRole('button', { name: 'Link and sign in' })
  expect(api.of('oidcLink')).toEqual([])
  await user.click(button)
  await waitFor(() => expect(place()).toBe('/dashboard'))
  expect(api.of('oidcLink').map(({ body }) => body)).toEqual([{ token: 'abc' }])
})

test.each(['/signin', '/signup'])(
  'when there are no passwords, then %s has the provider only',
  async address => {
    const { user } = open(address, { beginOidc: () => failure(502, 'It is away.') }, false)
    await user.click(await screen.findByRole('button', { name: 'Continue with Lab' }))
    expect(await screen.findByText('It is away.')).toBeTruthy()
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Forgot password?' })).toBeNull()
  },
)

describe('when there are no passwords', () => {
  const handlers: FakeHandlers = {
    passkeys: () =>
      ok({
        passkeys: [{ id: 'p', name: 'Laptop', createdAt: '2026-11-20T12:00:00.000Z', lastUsedAt: null }],
      }),
    hooks: () =>
      ok({
        hooks: [
          {
            ...{
              id: 'h',
              url: 'https://example.com/',
              events: ['transcription.completed'],
              description: 'n8n',
            },
            ...{ enabled: false, disabledReason: 'password_changed', lastUsedAt: null },
            createdAt: '2026-11-20T12:00:00.000Z',
          },
        ],
      }),
    undoEmail: () => ok(null),
    undoNumber: () => ok(null),
  }

  test.each([
    ['/security', 'A device that you don’t know? Sign it out.'],
    ['/programs', /^Turned off because a change of your account was undone\./],
    ['/undo-email?token=abc', 'This signs everyone out of your account.'],
  ])('then %s names none', async (address, shown) => {
    open(address, handlers, false, ada)
    await screen.findByText(shown)
    await waitFor(() => expect(document.body.textContent).not.toMatch(/password/i))
  })

  test.each([
    ['email', 'Your old email address is back and everyone is signed out.'],
    ['number', 'Your WhatsApp number is back, everyone is signed out, and there is a new link code.'],
  ])('then none is named once a person’s %s is restored', async (what, shown) => {
    const { user } = open(`/undo-${what}?token=abc`, handlers, false)
    await user.click(await screen.findByRole('button', { name: `Restore my ${what}` }))
    await screen.findByText(shown)
  })

  test.each(['/forgot-password', '/reset-password?token=abc'])(
    'then %s is the page of signing in',
    async address => {
      const { place } = open(address, {}, false)
      await waitFor(() => expect(place()).toBe('/signin'))
    },
  )
})

test('when there are no passwords, then an account is deleted without one', async () => {
  const { api, user } = open('/security', { eraseAccount: () => ok(null) }, false, ada)
  await screen.findByRole('button', { name: 'Delete my account' })
  await waitFor(() => expect(screen.queryByLabelText('Password')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Delete my account' }))
  await user.click(await screen.findByRole('button', { name: 'Delete everything' }))
  await waitFor(() => expect(api.of('eraseAccount').map(({ body }) => body)).toEqual([{}]))
})
