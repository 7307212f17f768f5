import { screen, waitFor, within } from '@testing-library/react'
import type { ApiKey } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { speak } from '../testing/speak.ts'
import { getToasts } from '../ui/feedback/toast.ts'

const secret = `vox_${'a1B2'.repeat(10)}-_9`
const n8n: ApiKey = {
  id: 'key-1',
  name: 'n8n',
  scopes: ['read', 'write'],
  prefix: 'vox_a1B2a1',
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-11-21T14:05:00.000Z',
  lastAddress: '192.0.2.1',
}
const old: ApiKey = {
  ...n8n,
  id: 'key-2',
  name: 'A script',
  scopes: ['read'],
  expiresAt: '2025-11-22T12:00:00.000Z',
  lastUsedAt: null,
  lastAddress: null,
}

const open = (keys: ApiKey[], more: FakeHandlers = {}) =>
  openApp('/programs', { keys: () => ok({ keys }), ...more }, ada)
const create = () => screen.getByRole('button', { name: 'Create key' })
const lines = async () =>
  within(await screen.findByRole('region', { name: 'Your programs' })).findAllByRole('listitem')
const factsIn = (line?: HTMLElement) =>
  within(line!)
    .getAllByRole('definition')
    .map(fact => fact.parentElement?.textContent)

describe('when the page of API keys opens', () => {
  test('then nothing stands below the assistants until they are known', async () => {
    const grants = held()
    open([n8n], { grants: grants.handler })
    await screen.findAllByTestId('skeleton')
    expect(screen.queryByRole('button', { name: 'Create key' })).toBeNull()
    grants.answer(ok<'grants'>({ grants: [] }))
    expect(await screen.findByRole('button', { name: 'Create key' })).toBeTruthy()
  })

  test('then each key tells its scopes, its beginning, when it ends, and when and from where it was used', async () => {
    open([n8n, old])
    const [first, second] = await lines()
    expect(within(first!).getByRole('heading').parentElement?.textContent).toBe('n8nKeyReadWriteRevoke n8n')
    expect(factsIn(first)).toEqual([
      'Begins withvox_a1B2a1…',
      'CreatedNov 20, 2026',
      'ExpiresNever',
      `Last used${new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(n8n.lastUsedAt!))} from 192.0.2.1`,
    ])
    expect(second?.textContent).toContain('A scriptKeyReadExpired')
    expect(factsIn(second).slice(2)).toEqual(['ExpiresNov 22, 2025', 'Last usedNever'])
  })

  test('and there is none, then it says what keys are for, with a link to the manual', async () => {
    open([])
    expect(await screen.findByText(/^With a key, a script, n8n/)).toBeTruthy()
    expect(screen.getByText(/^Nothing is connected yet\. Claude, ChatGPT/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'How to use a key' }).getAttribute('href')).toBe(
      '/docs/connect#keys',
    )
  })

  test('and there are fifty, then all are there, each with its own button', async () => {
    open(Array.from({ length: 50 }, (_, n) => ({ ...n8n, id: `key-${n}`, name: `Program ${n}` })))
    expect(await lines()).toHaveLength(50)
    expect(screen.getByRole('button', { name: 'Revoke Program 49' })).toBeTruthy()
  })

  test('and the keys cannot be loaded, then another try is offered', async () => {
    const { api, user } = open([], { keys: () => failure(200) })
    const retry = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.getByText('Failed to load your programs')).toBeTruthy()
    api.on({ keys: () => ok({ keys: [n8n] }) })
    await user.click(retry)
    expect(await lines()).toHaveLength(1)
  })

  test('and it is read from right to left, then addresses are not', async () => {
    open([n8n])
    await lines()
    speak('ar')
    expect((await lines())[0]?.textContent).toContain('\u2066192.0.2.1\u2069')
    speak('en')
  })
})

describe('when a key is created', () => {
  test('then its secret is shown and copied, and the list has it', async () => {
    const { api, user } = open([], {
      createKey() {
        api.on({ keys: () => ok({ keys: [n8n] }) })
        return ok({ key: n8n, secret })
      },
    })
    await user.type(await screen.findByLabelText('Name'), ' n8n ')
    await user.click(screen.getByRole('checkbox', { name: /^Read/ }))
    await user.click(screen.getByRole('checkbox', { name: /^Write/ }))
    await user.click(create())
    const shown = await screen.findByText(secret)
    expect(screen.getByText(/it is shown only this once/)).toBeTruthy()
    expect(document.activeElement?.contains(shown)).toBe(true)
    expect(api.of('createKey')[0]?.body).toEqual({ name: 'n8n', scopes: ['read', 'write'] })
    await user.click(screen.getByRole('button', { name: 'Copy key' }))
    expect(await navigator.clipboard.readText()).toBe(secret)
    expect(await lines()).toHaveLength(1)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('')
    const form = within(screen.getByRole('region', { name: 'New key' }))
    expect(form.queryAllByRole('checkbox', { checked: true })).toEqual([])
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(secret)
  })

  test('and the language is changed, then the secret stays until the page is left', async () => {
    const { user } = open([], { createKey: () => ok({ key: n8n, secret }) })
    await user.type(await screen.findByLabelText('Name'), 'n8n')
    await user.click(screen.getByRole('checkbox', { name: /^Read/ }))
    await user.click(create())
    await screen.findByText(secret)
    speak('de')
    expect(await screen.findByText(secret)).toBeTruthy()
    speak('en')
    const settings = within(screen.getByRole('navigation', { name: 'Settings' }))
    await user.click(settings.getByRole('link', { name: 'Profile' }))
    await screen.findByRole('heading', { name: 'Update profile' })
    expect(settings.getByRole('link', { current: 'page' }).textContent).toBe('Profile')
    await user.click(settings.getByRole('link', { name: 'Programs' }))
    await screen.findByText(/^Nothing is connected yet/)
    expect(screen.queryByText(secret)).toBeNull()
  })

  test('and it is to expire, then after that many days', async () => {
    const { api, user } = open([], { createKey: () => ok({ key: n8n, secret }) })
    await user.type(await screen.findByLabelText('Name'), 'n8n')
    await user.click(screen.getByRole('checkbox', { name: /^Read/ }))
    await user.selectOptions(screen.getByLabelText('Expires'), 'after 90 days')
    await user.click(create())
    await screen.findByText(secret)
    const { expiresAt } = api.of('createKey')[0]!.body
    expect((Date.parse(expiresAt!) - Date.now()) / 86_400_000).toBeCloseTo(90, 1)
  })

  test('and name and scopes are missing, then both are asked for and nothing is sent', async () => {
    const { api, user } = open([])
    await screen.findByLabelText('Name')
    await user.click(create())
    expect(await screen.findByText('Name is required')).toBeTruthy()
    expect(screen.getByText('Choose what the key may do')).toBeTruthy()
    expect(api.of('createKey')).toEqual([])
  })

  test.each([
    ['the server says why not', () => failure(409, 'You have 50 API keys.'), 'You have 50 API keys.'],
    ['the server does not say why', () => failure(200), 'Failed to create the key'],
  ])('and %s, then that is told and what was typed stays', async (_, createKey, message) => {
    const { user } = open([], { createKey })
    await user.type(await screen.findByLabelText('Name'), 'n8n')
    await user.click(screen.getByRole('checkbox', { name: /^Read/ }))
    await user.click(create())
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('n8n')
  })
})

describe('when a key is to be revoked', () => {
  const ask = async (more: FakeHandlers) => {
    const opened = open([n8n, old], more)
    await opened.user.click(await screen.findByRole('button', { name: 'Revoke n8n' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Revoke this key?' }))
    return { ...opened, dialog }
  }
  const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  test('then that is asked first, and the list is without it', async () => {
    const { api, user, dialog } = await ask({
      deleteKey() {
        api.on({ keys: () => ok({ keys: [old] }) })
        return ok(null)
      },
    })
    expect(dialog.getByText(/Programs that use “n8n”/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(async () => expect(await lines()).toHaveLength(1))
    const list = screen.getByRole('region', { name: 'Your programs' })
    await waitFor(() => expect(document.activeElement).toBe(list))
    expect(api.of('deleteKey').map(({ params }) => params)).toEqual([{ id: 'key-1' }])
    expect(getToasts()).toMatchObject([{ type: 'success' }])
  })

  test('and the question is answered with no, then it stays', async () => {
    const { api, user, dialog } = await ask({})
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await gone()
    expect(api.of('deleteKey')).toEqual([])
  })

  test.each([
    ['it is gone already', () => failure(404, 'There is no such API key'), 'There is no such API key'],
    ['the network is away', noNetwork, /network|connection/i],
  ])('and %s, then that is told', async (_, deleteKey, message) => {
    const { user, dialog } = await ask({ deleteKey })
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await gone()
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'error', message: expect.stringMatching(message) }]),
    )
  })
})
