import { screen, waitFor, within } from '@testing-library/react'
import type { Passkey } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

const phone: Passkey = {
  id: 'cGhvbmU',
  name: 'Phone',
  createdAt: '2026-11-20T12:00:00.000Z',
  lastUsedAt: null,
}
const withPasskeys = { ...config, signIn: { ...config.signIn, passkeys: true } }

function open(address: string, handlers: FakeHandlers = {}, as?: typeof ada) {
  globalThis.fetch = async () => Response.json({ data: withPasskeys })
  return openApp(address, { passkeys: () => ok({ passkeys: [phone] }), ...handlers }, as)
}

test('when this browser has no passkeys, then those of others can be renamed and removed, and none is offered', async () => {
  const { api, user } = open(
    '/security',
    {
      renamePasskey: ({ body }) => {
        api.on({ passkeys: () => ok({ passkeys: [{ ...phone, name: body.name }] }) })
        return ok({ passkey: { ...phone, name: body.name } })
      },
      removePasskey: () => {
        api.on({ passkeys: () => ok({ passkeys: [] }) })
        return ok(null)
      },
    },
    ada,
  )
  const list = await screen.findByRole('list', { name: 'Passkeys' })
  expect(list.textContent).toMatch(/AddedNov 20, 2026.*Last usedNever/)
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull()
  await user.click(within(list).getByRole('button', { name: 'Rename Phone' }))
  const name = within(list).getByLabelText('Name')
  await user.clear(name)
  await user.click(within(list).getByRole('button', { name: 'Save' }))
  expect(await within(list).findByText('Name is required')).toBeTruthy()
  await user.type(name, 'Old phone')
  await user.click(within(list).getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Old phone' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Passkeys' })).toBeNull())
  expect(api.of('removePasskey').map(({ params }) => params)).toEqual([{ passkeyId: phone.id }])
})

test('when the password is removed, then the page says how to get one, and what needs it', async () => {
  const without = { ...ada, without_password: true }
  const { api, user } = open(
    '/security',
    {
      removePassword: () => {
        api.on({ profile: () => ok({ user: without }) })
        return ok(null)
      },
    },
    ada,
  )
  const card = within((await screen.findByRole('list', { name: 'Passkeys' })).closest('section')!)
  await user.click(card.getByText('Sign in without a password'))
  await user.type(card.getByLabelText('Password'), 'correct horse')
  await user.click(card.getByRole('button', { name: 'Remove my password' }))
  await screen.findByText(/You have no password/)
  expect(api.of('removePassword').map(({ body }) => body)).toEqual([{ password: 'correct horse' }])
  expect(screen.queryByRole('button', { name: 'Remove my password' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull()
  expect(screen.getAllByRole('link', { name: /choose a password/i })).toHaveLength(2)
})

describe('when the browser has passkeys', () => {
  beforeEach(() => {
    Object.assign(window, { PublicKeyCredential: class {} })
  })
  afterEach(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  })
  const browserAnswers = (answer: () => Promise<never>) =>
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: { get: answer, create: answer },
    })
  const options = { challenge: 'Y2hhbGxlbmdl', rp: { name: 'Voxscribe' }, user: { id: 'dQ' } }
  const refuses = () => Promise.reject(new DOMException('No browser’s words', 'NotAllowedError'))

  test('and the person lets the question go, then our words say so, at the sign-in and in the settings', async () => {
    browserAnswers(refuses)
    const { user } = open('/signin', { passkeySignInOptions: () => ok({ options }) })
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'You weren’t signed in by a passkey. Try again, or sign in another way.',
    )
  })

  test('and it is asked for before the field can offer it, then the field’s own request does not end that', async () => {
    Object.assign(window.PublicKeyCredential, { isConditionalMediationAvailable: async () => true })
    const early = Promise.withResolvers<ReturnType<typeof ok<'passkeySignInOptions'>>>()
    const asked: { mediation?: string; signal?: AbortSignal }[] = []
    Object.defineProperty(navigator, 'credentials', {
      configurable: true,
      value: {
        get: (given: (typeof asked)[number]) => {
          asked.push(given)
          return new Promise(() => {})
        },
      },
    })
    const { api, user } = open('/signin', { passkeySignInOptions: () => early.promise })
    const button = await screen.findByRole('button', { name: 'Sign in with a passkey' })
    await waitFor(() => expect(api.of('passkeySignInOptions')).not.toHaveLength(0))
    api.on({ passkeySignInOptions: () => ok({ options }) })
    await user.click(button)
    await waitFor(() => expect(asked).toHaveLength(1))
    early.resolve(ok({ options }))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(asked.map(({ mediation, signal }) => [mediation, signal?.aborted])).toEqual([[undefined, false]])
  })

  test('and none is made, then nothing is added', async () => {
    browserAnswers(refuses)
    const { api, user } = open('/security', { passkeyOptions: () => ok({ options }) }, ada)
    const card = within((await screen.findByRole('list', { name: 'Passkeys' })).closest('section')!)
    await user.type(card.getByLabelText('Name'), 'Laptop')
    await user.click(card.getByRole('button', { name: 'Add passkey' }))
    await screen.findByText('No passkey was added. Perhaps this device has one already.')
    expect(api.of('addPasskey')).toEqual([])
  })

  test('but its question can’t be asked, then the server’s words say why', async () => {
    const { user } = open('/signin', { passkeySignInOptions: () => failure(429, 'Too many attempts.') })
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.')
  })
})
