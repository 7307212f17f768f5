import { act, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, fakeApi, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { renderApp } from '../testing/render-app.tsx'
import { freshBrowser } from '../testing/storage.ts'

// An address that the test's browser can go to without loading a page.
const url = '#payment-page'

beforeEach(() => {
  freshBrowser()
  window.location.hash = ''
})

async function subscribe(handlers: FakeHandlers) {
  const api = fakeApi({ createCheckoutSession: () => ok({ url, sessionId: 'cs_1' }), ...handlers })
  const { user } = renderApp('/pricing', { as: ada })
  await user.click(await screen.findByRole('button', { name: 'Subscribe Now' }))
  return api
}

describe('when the checkout starts', () => {
  test('then the browser is sent to the payment page, and the button stays busy until it has left', async () => {
    const api = await subscribe({ config: () => ok(config) })
    await waitFor(() => expect(window.location.hash).toBe(url))
    expect(api.of('createCheckoutSession').map(({ body }) => body)).toEqual([
      { planType: 'monthly', priceId: 'price_1' },
    ])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Processing...' }).disabled).toBe(true)
  })
  test('and one comes back to the page as it was left, then the button can be pressed again', async () => {
    await subscribe({ config: () => ok(config) })
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
  test('and the answer has no address, then an alert says so', async () => {
    await subscribe({
      config: () => ok(config),
      createCheckoutSession: () => ({ status: 200, body: { success: true } }),
    })
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Failed to create checkout session: Unknown error',
    )
    expect(window.location.hash).toBe('')
  })
})
