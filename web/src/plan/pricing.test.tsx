import { act, screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, held, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { adaWith, config, pro } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

async function open(handlers: FakeHandlers = {}, as?: typeof ada) {
  const app = openApp('/pricing', handlers, as)
  return { ...app, button: await screen.findByRole<HTMLButtonElement>('button', { name: 'Subscribe Now' }) }
}

test('when the page is read, then it has both plans with what they cost and give', async () => {
  await open()
  for (const words of [
    '$0',
    '$4.99',
    '30 minutes per month',
    '1000 minutes per month',
    'No card needed',
    'Cancel anytime',
    '30-day money-back guarantee',
  ])
    expect(screen.getByText(words)).toBeTruthy()
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'Get started free' }).getAttribute('href')).toBe('/signup')
  expect(main.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/signup')
  expect(main.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  expect(await screen.findByText(/\(whisper-base\), in 100 languages\.$/)).toBeTruthy()
  expect(screen.getByText(/^50\+ languages, detected automatically/)).toBeTruthy()
  expect(document.querySelectorAll('details').length).toBeGreaterThanOrEqual(4)
})

test('when somebody signed out subscribes, then they sign in first', async () => {
  const { api, user, button, place } = await open()
  await user.click(button)
  await waitFor(() => expect(place()).toBe('/signin'))
  expect(api.of('createCheckoutSession')).toHaveLength(0)
})

test('while the checkout starts, then the button says so and takes no second press', async () => {
  const { handler, answer } = held()
  const { api, user, button } = await open({ createCheckoutSession: handler }, ada)
  await user.click(button)
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Processing...' })
  expect(busy.disabled).toBe(true)
  await user.click(busy)
  answer(failure(409, 'You already have this plan'))
  await screen.findByRole('alertdialog')
  expect(api.of('createCheckoutSession')).toHaveLength(1)
  expect(api.of('createCheckoutSession')[0]?.body).toMatchObject({ planType: 'monthly' })
})

test.each([
  ['no success and no message', () => failure(200), 'Failed to create checkout session: Unknown error'],
  [
    'no address',
    () => ({ status: 200, body: { success: true } }),
    'Failed to create checkout session: Unknown error',
  ],
  ['no success', () => failure(200, 'Not today'), 'Failed to create checkout session: Not today'],
  [
    'a refusal',
    () => failure(409, 'You already have this plan'),
    'An error occurred: You already have this plan',
  ],
])(
  'when there is %s, then an alert says so and goes away with OK',
  async (_, createCheckoutSession, words) => {
    const { user, button } = await open({ createCheckoutSession }, ada)
    await user.click(button)
    const alert = await screen.findByRole('alertdialog')
    expect(within(alert).getByText(words)).toBeTruthy()
    await user.click(within(alert).getByRole('button', { name: 'OK' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Subscribe Now' }).disabled).toBe(false)
  },
)

test.each(['monthly', 'pro'])(
  'when the plan is %s already, then it is named, and not sold again',
  async plan => {
    openApp('/pricing', {}, adaWith({ ...pro, plan } as typeof pro))
    const link = await screen.findByRole('link', { name: 'Your plan' })
    expect(link.getAttribute('href')).toBe('/subscription-details')
    expect(screen.queryByRole('button', { name: 'Subscribe Now' })).toBeNull()
  },
)

describe('when the checkout starts', () => {
  // An address to which the test's browser can go without loading a page.
  const url = '#payment-page'
  const subscribe = async (handlers: FakeHandlers = {}) => {
    window.location.hash = ''
    const createCheckoutSession = () => ok<'createCheckoutSession'>({ url, sessionId: 'cs_1' })
    const { api, user, button } = await open({ createCheckoutSession, ...handlers }, ada)
    await user.click(button)
    await waitFor(() => expect(window.location.hash).toBe(url))
    return api.of('createCheckoutSession').map(({ body }) => body)
  }

  test('then the browser is sent to the payment page, and the button is busy until it comes back', async () => {
    expect(await subscribe()).toEqual([{ planType: 'monthly', priceId: 'price_1' }])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Processing...' }).disabled).toBe(true)
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
    expect(await screen.findByRole('button', { name: 'Subscribe Now' })).toBeTruthy()
  })
  test('and the price is not known, then the server chooses it', async () => {
    const answer = () => ok<'config'>({ ...config, priceId: '' })
    expect(await subscribe({ config: answer })).toEqual([{ planType: 'monthly' }])
  })
})

test('when the plans cannot be loaded, then another try is offered', async () => {
  const { api, user } = openApp('/pricing', { config: () => failure(503) })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  api.on({ config: () => ok(config) })
  await user.click(retry)
  expect(await screen.findByText('30 minutes per month')).toBeTruthy()
})
