import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Invitation, PublicConfig } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from './testing/fake-api.ts'
import { ada } from './testing/people.ts'
import { adaWith, config } from './testing/plans.ts'
import { openApp } from './testing/render-app.tsx'

/** Opens a page of an installation with settings that differ from the defaults. */
function openAt(
  address: string,
  settings: Partial<PublicConfig>,
  as?: typeof ada,
  handlers: FakeHandlers = {},
) {
  const here = { ...config, ...settings }
  // The landing page uses fetch instead of the other pages' client.
  globalThis.fetch = async () => Response.json({ data: here })
  return openApp(address, { config: () => ok(here), ...handlers }, as)
}
const words = () => document.body.textContent

test.each([
  ['/', '90 days'],
  ['/contact', 'deleted after 90 days'],
  ['/blog/1', 'deleted after 90 days'],
  ['/blog/2', 'deleted after 90 days'],
  ['/blog/3', 'deleted after 90 days'],
  ['/privacy', 'deleted after 90 days'],
  ['/privacy', 'couldn’t be processed is kept for up to 7 days'],
])(
  'when audio and failed messages are kept for other times, then the page %s says %j',
  async (address, sentence) => {
    openAt(address, { retentionDays: 90, deadLetterDays: 7 })
    await waitFor(() => expect(words()).toContain(sentence))
    expect(words()).not.toContain('deleted after 30 days')
  },
)

test('when audio is kept for 90 days, then a person who chose fewer can go back to 90', async () => {
  openAt('/security', { retentionDays: 90 }, { ...ada, retention_days: 7 })
  const days = await screen.findByLabelText<HTMLSelectElement>('Recordings are deleted')
  expect([...days.options].map(({ value }) => value)).toEqual(['1', '3', '7', '14', '30', '90'])
})

describe.each(['closed', 'invited'] as const)('when accounts are %s', signUp => {
  test.each(['/', '/pricing', '/signin', '/blog/1', '/signup', '/s/token'])(
    'then the page %s offers none',
    async address => {
      openAt(address, { signIn: { ...config.signIn, signUp } }, undefined, { sharedNote: () => failure(404) })
      await screen.findByRole('heading', { level: 1 })
      await waitFor(() => expect(document.querySelector('a[href^="/signup"]')).toBeNull())
    },
  )

  test('then /signup says so instead of a form', async () => {
    openAt('/signup', { signIn: { ...config.signIn, signUp } })
    const title = signUp === 'closed' ? 'No new accounts' : 'By invitation only'
    await screen.findByRole('heading', { name: title })
    expect(words()).toContain(
      signUp === 'closed'
        ? 'This installation takes no new accounts.'
        : 'invitation from somebody who has an account, or from the people who run this installation',
    )
    const main = within(screen.getByRole('main'))
    expect(main.queryByRole('textbox')).toBeNull()
    expect(main.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/signin')
  })
})

test('when a person comes with an invitation, then it is sent along, and its end is said', async () => {
  const ended = { field: 'invite', message: 'Invalid or expired link' }
  const { api, user } = openAt(
    '/signup?invite=to-ken&email=grace%40example.org',
    { signIn: { ...config.signIn, signUp: 'invited' } },
    undefined,
    {
      register: () => failure(400, ended.message, { code: 'invalid', errors: [ended] }),
    },
  )
  expect(await screen.findByText('The address that your invitation came to')).toBeTruthy()
  await screen.findByDisplayValue('United States (+1)')
  const entries = {
    'First name': 'Grace',
    'Last name': 'Hopper',
    'WhatsApp number': '2015550123',
    Password: 'correct horse',
    'Confirm password': 'correct horse',
  }
  for (const [label, value] of Object.entries(entries))
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  await user.click(screen.getByRole('button', { name: 'Continue to Free Trial' }))
  expect(await screen.findByText(ended.message)).toBeTruthy()
  expect(api.of('register')[0]?.body).toMatchObject({ email: 'grace@example.org', invite: 'to-ken' })
})

describe('when a person invites', () => {
  const to = (email: string): Invitation => ({
    id: email.slice(0, 5),
    email,
    expiresAt: '2026-12-12T12:00:00.000Z',
  })

  test('then the address is listed, and can be removed', async () => {
    const handlers: FakeHandlers = {
      sessions: () => ok({ sessions: [] }),
      invitations: () => ok({ invitations: [to('alan@example.org')] }),
      invite({ body }) {
        api.on({ invitations: () => ok({ invitations: [to(body.email), to('alan@example.org')] }) })
        return ok({ invitation: to(body.email) })
      },
      deleteInvitation() {
        api.on({ invitations: () => ok({ invitations: [to('alan@example.org')] }) })
        return ok(null)
      },
    }
    const { api, user } = openAt(
      '/security',
      { signIn: { ...config.signIn, signUp: 'invited' } },
      ada,
      handlers,
    )
    await screen.findByRole('button', { name: 'Remove alan@example.org' })
    await user.type(screen.getByLabelText('Email'), 'grace@example.org')
    await user.click(screen.getByRole('button', { name: 'Invite' }))
    const list = within(screen.getByRole('list', { name: 'Invitations' }))
    await list.findByRole('button', { name: 'Remove grace@example.org' })
    expect(screen.getByText('The invitation is on its way.')).toBeTruthy()
    expect(list.getAllByRole('listitem')[0]?.textContent).toContain('Until Dec 12, 2026')
    await user.click(list.getByRole('button', { name: 'Remove grace@example.org' }))
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
    expect(api.of('deleteInvitation').map(({ params }) => params)).toEqual([{ id: 'grace' }])
  })

  test('where anyone can sign up, then there is nothing to invite with', async () => {
    const handlers = { sessions: () => ok<'sessions'>({ sessions: [] }) }
    openAt('/security', {}, ada, handlers)
    await screen.findByRole('heading', { name: 'Password' })
    expect(screen.queryByRole('heading', { name: 'Invitations' })).toBeNull()
  })
})

test('when a gateway of an earlier version answers, then pages work, and offer sign-up', async () => {
  openAt('/', { signIn: undefined, retentionDays: 90 })
  await waitFor(() => expect(words()).toContain('90 days'))
  expect((await screen.findAllByRole('link', { name: /^Sign Up/ })).length).toBeGreaterThan(0)
})

test('when a gateway of an earlier version does not say whether anything is sold, then it can be bought', async () => {
  openAt('/pricing', { plans: undefined }, ada)
  await screen.findByRole('button', { name: 'Subscribe Now' })
})

test.each([
  ['/pricing', '41 minutes per month', ada],
  ['/signup', '41 minutes free every month.', undefined],
  ['/welcome', '41 free minutes a month', ada],
  ['/', '41 minutes free every month.', undefined],
  ['/terms', 'The free plan has 41 minutes a month.', undefined],
])('when an account has other minutes, then the page %s says %j', async (address, sentence, as) => {
  openAt(address, { freeMinutes: 41 }, as)
  await waitFor(() => expect(words()).toContain(sentence))
})

describe('when minutes have no limit and nothing is sold', () => {
  const none = { freeMinutes: null, plans: false }
  const unlimited = adaWith({ ...ada.subscription, subscription_minutes: null })
  const details = {
    subscription: {
      ...{
        status: 'active' as const,
        plan: 'free' as const,
        usedMinutes: 3,
        subscriptionMinutes: null,
        minutesLeft: null,
      },
      ...{ amount: 0, currency: 'usd', interval: 'month', paymentProblem: false },
      currentPeriodStart: '2026-11-01T00:00:00.000Z',
      currentPeriodEnd: '2026-12-01T00:00:00.000Z',
    },
    usageStats: {
      totalTranscriptions: 1,
      completedTranscriptions: 1,
      failedTranscriptions: 0,
      totalFileSize: 9,
    },
    paymentHistory: [],
  }
  const handlers = {
    subscriptionDetails: () => ok<'subscriptionDetails'>({ ...details, paymentHistory: [] }),
    usage: () =>
      ok<'usage'>({
        usage: [
          {
            transcriptionId: 'n1',
            title: 'Note',
            seconds: 9,
            at: '2026-11-02T00:00:00.000Z',
            balanceSeconds: null,
          },
        ],
        pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
      }),
  }

  test.each([
    ['/', undefined, 'Convert WhatsApp Audio to'],
    ['/blog/1', undefined, 'deleted after 30 days'],
    ['/contact', undefined, 'or has no sound'],
    ['/privacy', undefined, 'Emails go out'],
    ['/terms', undefined, 'You can delete your account at any time.'],
    ['/signup', undefined, 'Create account'],
    ['/pricing', undefined, 'Convert WhatsApp Audio to'],
    ['/welcome', unlimited, 'Your account is ready. Here is what comes next.'],
    ['/dashboard', unlimited, 'Hello, Ada'],
    ['/subscription-details', unlimited, 'Where your minutes went'],
  ])('then %s names no limit, price or plan', async (address, as, sentence) => {
    openAt(address, none, as, handlers)
    await waitFor(() => expect(words()).toContain(sentence))
    await waitFor(() => expect(screen.queryAllByRole('link', { name: /Pricing|Upgrade/ })).toEqual([]))
    expect(words()).not.toMatch(
      /\d+ (free )?minutes? (a|per|free|left|remaining)|\$\d|\bPro\b|[Pp]aid plan|Free plan|Subscription|Stripe|money back|minutes you have left/,
    )
  })
})
