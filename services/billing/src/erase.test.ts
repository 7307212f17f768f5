import { eventually } from '@voxscribe/service/testing'
import { accountErased, noteCompleted, noteMeasured, noteOf, registration } from './testing/events.ts'
import { newUser, shopForAll } from './testing/shop.ts'

const shop = shopForAll()

async function everything(): Promise<string> {
  const names = ['accounts', 'ledger', 'payments']
  return JSON.stringify(await Promise.all(names.map(name => shop.stored(name).find().toArray())))
}

test('when a customer leaves while Stripe is away, then all ends there once it is back, and its late news do nothing', async () => {
  const { userId, sessionId } = await shop.paid()
  await shop.verify(userId, sessionId)
  await eventually(async () => (await shop.statusOf(userId)).plan === 'monthly')
  const { customerId } = (await shop.stored('accounts').findOne({ _id: userId }))!
  let refused = 0
  shop.calls.fate = () => {
    refused += 1
    return refused > 2 ? 'pass' : 'error'
  }
  await shop.bus.publish(accountErased(userId))
  await eventually(async () => !(await everything()).includes(userId))
  expect(await shop.atStripe.customers.retrieve(String(customerId))).toMatchObject({ deleted: true })
  const events = await stripeEvents()
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['customer.subscription.deleted', 'customer.deleted']),
  )
  for (const event of events) expect((await shop.deliver(JSON.stringify(event))).status).toBe(200)
  expect(await everything()).not.toContain(userId)
  expect((await shop.get(userId, 'subscription-status')).status).toBe(401)

  async function stripeEvents(): Promise<{ type: string }[]> {
    const response = await fetch(`${shop.sandboxUrl}/api/stripe/events`)
    return (await response.json()).events
  }
})

test('when a number comes back with a new account, then its free minutes are used, and it stood nowhere meanwhile', async () => {
  const [userId, phone] = [newUser(), '15557770001']
  await shop.bus.publish(registration(userId, new Date(), { phone }))
  const note = noteOf(userId, 1)
  await shop.measure(noteMeasured(note, 600, { channel: 'whatsapp', address: phone, messageId: 'wamid.e' }))
  await shop.charge(noteCompleted(note, 600))
  expect(await everything()).toContain(phone)
  await shop.bus.publish(accountErased(userId, phone))
  const left = await everything()
  for (const word of [userId, phone]) expect(left).not.toContain(word)
  // Unfinished work and redelivered events create nothing.
  await shop.bus.publish(registration(userId, new Date(), { phone }))
  await shop.bus.publish(noteCompleted(noteOf(userId, 2), 60))
  expect(await everything()).not.toContain(userId)
  const next = newUser()
  await shop.bus.publish(registration(next, new Date(), { phone }))
  await shop.becomes(next, 10, 20)
})
