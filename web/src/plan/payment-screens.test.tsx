import { jest } from '@jest/globals'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { VerifiedSession } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, held, noNetwork, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { adaWith, pro } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'
import { storedUser } from '../testing/storage.ts'

const verified = (paymentStatus: string): VerifiedSession => ({
  session: {
    id: 'cs_1',
    paymentStatus,
    currency: 'usd',
    amountTotal: 4.99,
    createdAt: '2026-11-20T12:00:00.000Z',
  },
  subscription: null,
})
const open = (address: string, more: FakeHandlers = {}) =>
  openApp(address, { profile: () => ok({ user: adaWith(pro) }), ...more }, ada)
const success = (verifySession: FakeHandlers['verifySession']) =>
  open('/subscription/success?session_id=cs_1', { verifySession })
const links = () => screen.getAllByRole('link').map(link => link.getAttribute('href'))

describe('when a payment has succeeded', () => {
  test('then it shows amount, period, name and session id, and keeps the new profile', async () => {
    const { api } = success(() => ok(verified('paid')))
    expect(await screen.findByRole('heading', { name: 'Payment successful' })).toBeTruthy()
    const facts = screen.getAllByRole('definition').map(fact => fact.textContent)
    expect(facts).toEqual(['$4.99', 'Nov 20, 2026 to Dec 20, 2026', 'Ada Lind', 'cs_1'])
    const id = screen.getByText('cs_1')
    expect(id.closest('details')?.open).toBe(false)
    expect(screen.getByText(/replace this month’s free minutes/)).toBeTruthy()
    expect(links()).toEqual(expect.arrayContaining(['/dashboard', '/transcription']))
    expect(api.of('verifySession').map(({ body }) => body)).toEqual([{ sessionId: 'cs_1' }])
    await waitFor(() => expect(storedUser().subscription.plan).toBe('monthly'))
    expect(api.of('profile')).toHaveLength(1)
  })
  test.each([
    ['the subscription’s', '2026-11-20T12:00:00.000Z', 'Nov 21, 2026 to Dec 22, 2026'],
    ['nobody’s without a creation', '', '– to –'],
  ])('then its period is %s', async (_, createdAt, period) => {
    const known = {
      currentPeriodStart: '2026-11-21T12:00:00.000Z',
      currentPeriodEnd: '2026-12-22T12:00:00.000Z',
    }
    const { session } = verified('paid')
    success(() => ok({ session: { ...session, createdAt }, subscription: createdAt ? known : null }))
    expect(await screen.findByText(period)).toBeTruthy()
  })
  test('and the profile can not be read, then it has succeeded anyway', async () => {
    const { api } = open('/subscription/success?session_id=cs_1', {
      verifySession: () => ok(verified('paid')),
      profile: () => failure(500),
    })
    await waitFor(() => expect(api.of('profile')).toHaveLength(1))
    expect(await screen.findByRole('heading', { name: 'Payment successful' })).toBeTruthy()
  })
})

describe('when a payment is not confirmed', () => {
  const status = (name: string) => () => ok(verified(name))
  test.each<[string, FakeHandlers['verifySession'], string]>([
    ['"unpaid"', status('unpaid'), 'Payment was not completed. Please try again or contact support.'],
    ['"canceled"', status('canceled'), 'Payment was canceled. No charges were made to your account.'],
    [
      '"no_payment_required"',
      status('no_payment_required'),
      'Payment status: no_payment_required. Please contact support.',
    ],
    ['""', status(''), 'Payment status: unknown. Please contact support.'],
    [
      'an error in words',
      () => failure(404, 'No such session'),
      'Payment verification failed: No such session',
    ],
    ['a status', () => failure(500), 'Payment verification failed: Server error. Please try again later.'],
    ['a refusal in words', () => failure(200, 'Not yours'), 'Not yours'],
    ['a refusal without a word', () => failure(200), 'Failed to verify payment'],
    ['no answer', noNetwork, 'Failed to verify payment. Please try again or contact support.'],
  ])('because of %s, then it says so and the profile stays', async (_, verifySession, words) => {
    const { api } = success(verifySession)
    expect((await screen.findByRole('alert')).textContent).toBe(words)
    expect([api.of('verifySession').length, api.of('profile').length]).toEqual([1, 0])
  })
  test('because there is no session id, then nothing is asked', async () => {
    const { api } = open('/subscription/success')
    expect((await screen.findByRole('alert')).textContent).toBe('No session ID found')
    expect(api.of('verifySession')).toHaveLength(0)
  })
  test('then it can be checked again, and nothing else stands out', async () => {
    const { api, user } = success(() => ok(verified('unpaid')))
    await screen.findByRole('alert')
    const main = within(screen.getByRole('main'))
    const ways = [...main.getAllByRole('button'), ...main.getAllByRole('link')]
    const primary = ways.filter(({ classList }) => classList.contains('bg-accent'))
    expect(primary.map(({ textContent }) => textContent)).toEqual(['Check again'])
    api.on({ verifySession: () => ok(verified('paid')) })
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByRole('heading', { name: 'Payment successful' })).toBeTruthy()
  })
})

describe('when the verification gives no answer within 30 seconds', () => {
  afterEach(() => jest.restoreAllMocks())
  test('then it is given up', async () => {
    const clock = new AbortController()
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal)
    success(held().handler)
    expect(await screen.findByRole('heading', { name: 'Verifying your payment' })).toBeTruthy()
    await waitFor(() => expect(timeout).toHaveBeenCalledWith(30_000))
    act(() => clock.abort())
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Payment verification timed out. Please check your subscription status or contact support.',
    )
  })
})

test('when a payment was cancelled, then it says so and leads on', async () => {
  open('/subscription/cancel')
  expect(await screen.findByRole('heading', { name: 'Payment Cancelled' })).toBeTruthy()
  expect(links()).toEqual(expect.arrayContaining(['/pricing', '/dashboard', '/']))
})

describe('when a payment failed', () => {
  test.each([
    ['?error=Card%20declined', 'Card declined'],
    ['', 'Payment Verification Failed'],
    ['?error=%20', 'Payment Verification Failed'],
    ['?error=%3Cb%3Ebold%3C%2Fb%3E', '<b>bold</b>'],
  ])('with "%s" in the address, then it says %s', async (query, words) => {
    open(`/subscription/failed${query}`)
    expect((await screen.findByRole('alert')).textContent).toBe(words)
  })
  test('then it says how to get help when charged', async () => {
    open('/subscription/failed')
    expect(await screen.findByText(/Were you charged anyway/)).toBeTruthy()
    expect((await screen.findByRole('link', { name: 'support@example.org' })).getAttribute('href')).toBe(
      'mailto:support@example.org',
    )
  })
})
