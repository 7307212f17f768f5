import { eventually } from '@voxscribe/service/testing'
import { profileChange } from '../testing/events.ts'
import type { Call } from '../testing/gates.ts'
import { newUser, shopForAll } from '../testing/shop.ts'

const shop = shopForAll()

const change = (userId: string, email: string, revision: number) =>
  shop.bus.publish(profileChange(userId, { email, revision }))
async function customer(user = newUser()) {
  const { userId, sessionId } = await shop.started(user)
  const { customer } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
  return { userId, customerId: String(customer) }
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
  const isUpdate = ({ method, path }: Call) => method === 'POST' && path.endsWith(customerId)
  shop.calls.fate = call => (isUpdate(call) ? 'error' : 'pass')
  await change(userId, 'later@example.com', 1)
  await eventually(() => shop.calls.calls.some(isUpdate))
  shop.calls.fate = () => 'pass'
  shop.clock.ahead = 60_000
  await eventually(async () => {
    await shop.run('recheck-subscriptions')
    return (await emailOf(customerId)) === 'later@example.com'
  })
})

test('when there is no customer yet, then only the next purchase has the new e-mail', async () => {
  const userId = newUser()
  await change(userId, 'new@example.com', 1)
  const { customerId } = await customer(userId)
  await eventually(async () => (await emailOf(customerId)) === 'new@example.com')
})
