import { screen, waitFor, within } from '@testing-library/react'
import type { Payment, SubscriptionDetails } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { adaWith, canceling, pro, statusOf } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'
import { storedUser } from '../testing/storage.ts'
import { getToasts } from '../ui/feedback/toast.ts'

const payment = (number: number, paymentStatus = 'paid'): Payment => ({
  id: `in_${number}`,
  currency: 'usd',
  amount: 4.99,
  planType: 'monthly',
  createdAt: `2026-0${number}-20T12:00:00.000Z`,
  paymentStatus,
})
const paid: SubscriptionDetails['subscription'] = {
  status: 'active',
  plan: 'monthly',
  usedMinutes: 212.4,
  subscriptionMinutes: 1000,
  minutesLeft: 787.6,
  currency: 'usd',
  amount: 4.99,
  interval: 'month',
  currentPeriodStart: '2026-11-20T12:00:00.000Z',
  currentPeriodEnd: '2026-12-20T12:00:00.000Z',
  paymentProblem: false,
}
const free = {
  ...paid,
  plan: 'free',
  usedMinutes: 4.5,
  subscriptionMinutes: 30,
  minutesLeft: 25.5,
  amount: 0,
} as const
const details = (subscription: SubscriptionDetails['subscription'], paymentHistory: Payment[] = []) => ({
  subscription,
  paymentHistory,
  usageStats: {
    totalTranscriptions: 23,
    completedTranscriptions: 20,
    failedTranscriptions: 2,
    totalFileSize: 14_211_331,
  },
})
const nothing = { page: 1, limit: 10, total: 0, totalPages: 0 }
const open = (subscriptionDetails: FakeHandlers['subscriptionDetails'], more: FakeHandlers = {}) =>
  openApp(
    '/subscription-details',
    {
      usage: () => ok({ usage: [], pagination: nothing }),
      subscriptionDetails: subscriptionDetails!,
      ...more,
    },
    adaWith(pro),
  )
const factsIn = async (name: string) =>
  within(await screen.findByRole('region', { name }))
    .getAllByRole('definition')
    .map(fact => fact.parentElement?.textContent)

describe('when the subscription details open', () => {
  test('then they show plan, minutes, price, period and usage, sizes in MB', async () => {
    open(() => ok(details(paid)))
    expect(await factsIn('Pro plan')).toEqual([
      'Minutes used212.4',
      'Amount$4.99',
      'Billing cycleMonthly',
      'Current periodNov 20, 2026 to Dec 20, 2026',
    ])
    expect(screen.getByText('No payments so far.')).toBeTruthy()
    const card = screen.getByRole('region', { name: 'Pro plan' })
    expect(card.textContent).toContain('787.6of 1,000 minutes left')
    expect(within(card).getByText('Active')).toBeTruthy()
    expect(within(card).getByRole('link', { name: 'Change plan' }).getAttribute('href')).toBe('/pricing')
    expect(await factsIn('Usage statistics')).toEqual([
      'Transcriptions23',
      'Completed20',
      'Failed2',
      'Total file size13.55 MB',
    ])
  })
  test('then they show five payments at most', async () => {
    open(() =>
      ok(
        details(
          paid,
          [1, 2, 3, 4, 5, 6].map(number => payment(number, number === 2 ? 'refunded' : 'paid')),
        ),
      ),
    )
    const card = await screen.findByRole('region', { name: 'Recent payments' })
    const lines = within(card).getAllByRole('listitem')
    expect(lines).toHaveLength(5)
    expect(lines[1]?.textContent).toBe('$4.99 Pro planFeb 20, 2026refunded')
  })
  test('and the plan is free, then there is nothing to downgrade', async () => {
    open(() => ok(details(free)))
    const card = await screen.findByRole('region', { name: 'Free plan' })
    expect(within(card).queryByRole('button')).toBeNull()
    expect(within(card).getByRole('link', { name: 'Upgrade to Pro' }).getAttribute('href')).toBe('/pricing')
  })
  test('and a payment failed, then a banner says so', async () => {
    open(() => ok(details({ ...paid, paymentProblem: true })))
    expect(await screen.findByText(/Your last payment didn’t go through/)).toBeTruthy()
  })
  test('then the ledger has a line a note, with a link, its length and what was left', async () => {
    const entry = { transcriptionId: 'note-1', at: '2026-11-20T14:05:00.000Z', balanceSeconds: 1_757.9 }
    const entries = [
      { ...entry, title: 'Call with Ben', seconds: 62.1 },
      { ...entry, transcriptionId: 'note-2', title: null, seconds: 0.6, reserved: true as const },
    ]
    open(() => ok(details(paid)), {
      usage: ({ query }) =>
        ok({
          usage: entries,
          pagination: { page: Number(query.page), limit: 10, total: 11, totalPages: 2 },
        }),
    })
    const card = within(await screen.findByRole('region', { name: 'Where your minutes went' }))
    await card.findByText('Page 1 of 2')
    const lines = card.getAllByRole('row').map(row => [...row.children].map(cell => cell.textContent))
    expect(lines.map(line => line.slice(1))).toEqual([
      ['Note', 'Length', 'Left'],
      ['Call with Ben', '1:02', '29:17'],
      ['Reserved: A deleted note', '0:01', '29:17'],
    ])
    expect(card.getByRole('link').getAttribute('href')).toBe('/transcriptions/note-1')
  })
})

describe('when the plan is downgraded', () => {
  const ask = async (more: FakeHandlers) => {
    const opened = open(() => ok(details(paid)), more)
    await opened.user.click(await screen.findByRole('button', { name: 'Switch to the free plan' }))
    return { ...opened, dialog: screen.getByRole('dialog', { name: 'Downgrade to the free plan?' }) }
  }
  test('and confirmed, then details and profile follow', async () => {
    const { api, user, dialog } = await ask({ cancelSubscription: () => ok(statusOf(canceling)) })
    api.on({
      subscriptionDetails: () => ok(details({ ...paid, status: 'canceling' })),
      profile: () => ok({ user: adaWith(canceling) }),
    })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, downgrade' }))
    expect(await screen.findByRole('button', { name: 'Reactivate' })).toBeTruthy()
    expect(screen.getByText('Canceling')).toBeTruthy()
    expect(getToasts()[0]?.message).toMatch(/^Your subscription has been scheduled for cancellation/)
    expect(storedUser().subscription.status).toBe('canceling')
  })
  test('and refused without a word, then the screen has the words', async () => {
    const { user, dialog } = await ask({ cancelSubscription: () => failure(200) })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, downgrade' }))
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'error', message: 'Failed to downgrade subscription' }]),
    )
  })
})
