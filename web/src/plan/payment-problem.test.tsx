import { screen, waitFor } from '@testing-library/react'
import { failure, fakeApi, ok } from '../testing/fake-api.ts'
import { adaWith, config, pro, statusOf } from '../testing/plans.ts'
import { renderApp } from '../testing/render-app.tsx'
import { freshBrowser } from '../testing/storage.ts'

// An address that the test's browser can go to without loading a page.
const url = '#card-page'

beforeEach(() => {
  freshBrowser()
  window.location.hash = ''
})

async function updateCard(openPortal: () => ReturnType<typeof failure>) {
  const api = fakeApi({
    config: () => ok(config),
    profile: () => ok({ user: adaWith(pro) }),
    subscriptionStatus: () => ok(statusOf(pro, true)),
    openPortal,
  })
  const { user } = renderApp('/dashboard', { as: adaWith(pro) })
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
