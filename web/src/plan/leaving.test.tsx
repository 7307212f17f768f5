import { act, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { adaWith, config, pro, statusOf } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

// An address that the test's browser can go to without loading a page.
const url = '#payment-page'

beforeEach(() => {
  window.location.hash = ''
})

async function subscribe(handlers: FakeHandlers = {}) {
  const createCheckoutSession = () => ok<'createCheckoutSession'>({ url, sessionId: 'cs_1' })
  const { api, user } = openApp('/pricing', { createCheckoutSession, ...handlers }, ada)
  await user.click(await screen.findByRole('button', { name: 'Subscribe Now' }))
  return api
}

describe('when the checkout starts', () => {
  test('then the browser is sent to the payment page, and the button stays busy until it has left', async () => {
    const api = await subscribe()
    await waitFor(() => expect(window.location.hash).toBe(url))
    expect(api.of('createCheckoutSession').map(({ body }) => body)).toEqual([
      { planType: 'monthly', priceId: 'price_1' },
    ])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Processing...' }).disabled).toBe(true)
  })
  test('and one comes back to the page as it was left, then the button can be pressed again', async () => {
    await subscribe()
    await waitFor(() => expect(window.location.hash).toBe(url))
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
    expect(await screen.findByRole('button', { name: 'Subscribe Now' })).toBeTruthy()
  })
  test.each([
    ['is not to be had', () => failure(503)],
    ['is not known', () => ok({ ...config, priceId: '' })],
  ])('and the price %s, then the server chooses it', async (_, answer) => {
    const api = await subscribe({ config: answer })
    await waitFor(() => expect(window.location.hash).toBe(url))
    expect(api.of('createCheckoutSession')[0]?.body).toEqual({ planType: 'monthly' })
  })
})

async function updateCard(openPortal: () => ReturnType<typeof failure>) {
  const subscriptionStatus = () => ok(statusOf(pro, true))
  const { api, user } = openApp('/dashboard', { subscriptionStatus, openPortal }, adaWith(pro))
  await user.click(await screen.findByRole('button', { name: 'Update card' }))
  return api
}

test('when a payment failed, then the card can be replaced on the page of the payment provider', async () => {
  const api = await updateCard(() => ok<'openPortal'>({ url }))
  await waitFor(() => expect(window.location.hash).toBe(url))
  expect(api.of('openPortal')).toHaveLength(1)
})

test('when that page cannot be opened, then it is said and can be tried again', async () => {
  await updateCard(() => failure(503, 'Stripe is away'))
  expect((await screen.findByRole('alert')).textContent).toBe('Stripe is away')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update card' }).disabled).toBe(false)
})
