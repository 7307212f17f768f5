import { eventually } from '@voxscribe/service/testing'
import { profileChange, registration } from '../testing/events.ts'
import { newUser, shopForAll } from '../testing/shop.ts'

const shop = shopForAll()

const change = (userId: string, email: string, revision: number) =>
  shop.bus.publish(profileChange(userId, { email, revision }))
async function customer() {
  const userId = newUser()
  await shop.bus.publish(registration(userId))
  await eventually(async () => {
    const { sessionId } = (await shop.buy(userId)).body.data
    const session = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    return session.customer
  })
  const { sessionId } = (await shop.buy(userId)).body.data
  const session = await shop.atStripe.checkout.sessions.retrieve(sessionId)
  return { userId, customerId: String(session.customer) }
}
async function emailOf(customerId: string) {
  const found = await shop.atStripe.customers.retrieve(customerId)
  return found.deleted ? null : found.email
}

test('when an e-mail changes, then Stripe’s customer has it, and older news changes nothing', async () => {
  const { userId, customerId } = await customer()
  await change(userId, 'second@example.com', 2)
  await change(userId, 'first@example.com', 1)
  await change(userId, 'second@example.com', 2)
  await eventually(async () => (await emailOf(customerId)) === 'second@example.com')
  await change(userId, 'third@example.com', 3)
  await eventually(async () => (await emailOf(customerId)) === 'third@example.com')
  const writes = shop.calls.calls.filter(({ method, path }) => method === 'POST' && path.endsWith(customerId))
  expect(new Set(writes.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
})

test('when Stripe is away, then the new e-mail is sent later', async () => {
  const { userId, customerId } = await customer()
  shop.calls.fate = ({ method, path }) => (method === 'POST' && path.endsWith(customerId) ? 'error' : 'pass')
  await change(userId, 'later@example.com', 1)
  await eventually(() =>
    shop.calls.calls.some(({ path, method }) => method === 'POST' && path.endsWith(customerId)),
  )
  shop.calls.fate = () => 'pass'
  shop.clock.ahead = 60_000
  await eventually(async () => {
    await shop.run('recheck-subscriptions')
    return (await emailOf(customerId)) === 'later@example.com'
  })
})

test('when there is no customer yet, then only the next purchase has the new e-mail', async () => {
  const userId = newUser()
  await shop.bus.publish(registration(userId))
  await change(userId, 'new@example.com', 1)
  const customerId = await eventually(async () => {
    const { sessionId } = (await shop.buy(userId)).body.data
    return (await shop.atStripe.checkout.sessions.retrieve(sessionId)).customer
  })
  await eventually(async () => (await emailOf(String(customerId))) === 'new@example.com')
})
