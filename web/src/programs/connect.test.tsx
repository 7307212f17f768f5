import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ApiKey, ConnectRequest, Hook, OAuthGrant } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp, signIn } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

const request: ConnectRequest = {
  client: { name: 'Claude', host: 'claude.ai', redirectHost: 'claude.ai', verified: false },
  scopes: ['read', 'write'],
  resource: 'http://localhost/mcp',
  expires: '2027-02-27T12:00:00.000Z',
}
const open = (more: FakeHandlers = {}, as: typeof ada | undefined = ada) =>
  openApp('/connect/question-1', { connectRequest: () => ok(request), ...more }, as)

describe('when a program has sent the browser', () => {
  test('then its host, what it may do and until when are shown', async () => {
    open()
    expect(await screen.findByRole('heading', { name: 'Let “Claude” in?' })).toBeTruthy()
    const facts = () => screen.getAllByRole('definition').map(fact => fact.parentElement?.textContent)
    await waitFor(() =>
      expect(facts()).toEqual([
        'Who asksclaude.ai Not verified',
        `Your account${ada.email}`,
        'UntilFeb 27, 2027, or later if it is used; you can end it any time',
      ]),
    )
    expect(screen.getAllByRole('listitem').map(item => item.textContent)).toEqual(
      expect.arrayContaining([
        'It can see your notes, their audio and your profile.',
        'It can send files, and correct, delete and transcribe notes again. That may use minutes.',
      ]),
    )
  })

  test.each([
    ['app.example.com', 'app.example.com', /and you trust app\.example\.com\.$/],
    ['localhost:4711', 'A program on this device (localhost:4711)', /^Any program on this device can call/],
    ['[::1]', 'A program on this device ([::1])', /^Any program on this device can call/],
    ['localhost.example.com', 'localhost.example.com', /and you trust localhost\.example\.com\.$/],
  ])('and its code goes to %s, then that is shown', async (redirectHost, said, warning) => {
    open({ connectRequest: () => ok({ ...request, client: { ...request.client, redirectHost } }) })
    const name = await screen.findByText('Gets access')
    expect(name.parentElement?.textContent).toBe(`Gets access${said}`)
    expect(screen.getByText(warning)).toBeTruthy()
  })

  const enabled = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
    return button
  }

  test.each([
    ['Allow', true],
    ['Don’t allow', false],
  ])('and “%s” is pressed, then that is the answer', async (name, allow) => {
    const { api, user } = open({ answerConnectRequest: () => ok({ redirectTo: '#there' }) })
    await user.click(await enabled(name))
    await waitFor(() => expect(window.location.hash).toBe('#there'))
    expect(api.of('answerConnectRequest')).toMatchObject([{ params: { id: 'question-1' }, body: { allow } }])
    window.location.hash = ''
  })

  test('and the page has only just come to the front, then a press meant for another window allows nothing', async () => {
    const { api, user } = open({ answerConnectRequest: () => ok({ redirectTo: '#there' }) })
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    const button = await enabled('Allow')
    // Another window, in front until now, has closed between the presses of a double click.
    fireEvent.focus(window)
    await user.click(button)
    expect(api.of('answerConnectRequest')).toEqual([])
  })

  test('and the answer does not arrive, then it can be given again', async () => {
    const { user } = open({ answerConnectRequest: () => failure(500) })
    await user.click(await enabled('Allow'))
    await waitFor(() => expect(getToasts()).toHaveLength(1))
    expect(screen.getByRole('button', { name: 'Allow' }).hasAttribute('disabled')).toBe(false)
  })

  test('and the request is over, then that is said, without another try', async () => {
    const { text, code } = REFUSALS.connect_request_over
    open({ connectRequest: () => failure(404, text, { code }) })
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  test('and nobody is signed in, then signing in leads back to the question', async () => {
    const { place, user } = openApp('/connect/question-1', {
      connectRequest: () => ok(request),
      login: () => ok({ user: ada, accessToken: 'a.b.c', refreshToken: 'r' }),
    })
    await waitFor(() => expect(place()).toBe('/signin'))
    await signIn(user)
    await waitFor(() => expect(place()).toBe('/connect/question-1'))
    expect(await screen.findByRole('heading', { name: 'Let “Claude” in?' })).toBeTruthy()
  })
})

const grant: OAuthGrant = {
  id: 'grant-1',
  name: 'Claude',
  host: 'claude.ai',
  scopes: ['read'],
  resource: 'http://localhost/mcp',
  createdAt: '2026-11-20T12:00:00.000Z',
  lastUsedAt: null,
}

test('when an assistant is connected, then it stands on the page of programs, and is ended at once', async () => {
  let grants = [grant]
  const handlers: FakeHandlers = {
    grants: () => ok({ grants }),
    endGrant() {
      grants = []
      return ok(null)
    },
  }
  const { api, user } = openApp('/programs', handlers, ada)
  const card = within(await screen.findByRole('region', { name: 'Your programs' }))
  const [line] = await card.findAllByRole('listitem')
  expect(line?.textContent).toBe(
    'ClaudeAssistantReadDisconnect ClaudeWho asksclaude.aiConnectedNov 20, 2026Last usedNever',
  )
  await user.click(card.getByRole('button', { name: 'Disconnect Claude' }))
  await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
  expect(await card.findByText(/^Nothing is connected yet/)).toBeTruthy()
  expect(api.of('endGrant')).toMatchObject([{ params: { id: 'grant-1' } }])
})

test('when a person has an assistant, a key and a hook, then one list has them, newest first, with use and rights', async () => {
  const key: ApiKey = {
    ...{ id: 'key-1', name: 'n8n', scopes: ['read', 'write'], prefix: 'vox_a1B2a1' },
    ...{ createdAt: '2026-11-21T12:00:00.000Z', expiresAt: null, lastUsedAt: null, lastAddress: null },
  }
  const hook: Hook = {
    ...{
      id: 'hook-1',
      url: 'https://example.com/',
      events: ['transcription.completed'],
      description: 'Sheet',
    },
    ...{ enabled: true, disabledReason: null, createdAt: '2026-11-19T12:00:00.000Z' },
    lastUsedAt: '2026-11-22T12:00:00.000Z',
  }
  openApp(
    '/programs',
    {
      grants: () => ok({ grants: [grant] }),
      keys: () => ok({ keys: [key] }),
      hooks: () => ok({ hooks: [hook] }),
    },
    ada,
  )
  const list = within(await screen.findByRole('region', { name: 'Your programs' })).getAllByRole('list')[0]!
  expect([...list.children].map(line => line.textContent)).toEqual([
    expect.stringMatching(/^n8nKeyReadWrite.*Last usedNever$/),
    expect.stringMatching(/^ClaudeAssistantRead.*Last usedNever$/),
    expect.stringMatching(/^SheetHookOn.*EventsA text is ready.*Last usedNov 22, 2026/),
  ])
})
