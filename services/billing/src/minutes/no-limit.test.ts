import { noteCompleted, noteMeasured, noteOf } from '../testing/events.ts'
import { newUser, shopForAll } from '../testing/shop.ts'

const HOUR = 3600

describe('when minutes have no limit', () => {
  const shop = shopForAll({ FREE_MINUTES: 'off' })

  test('then a note of any length is heard and counted, and no limit is told', async () => {
    const userId = newUser()
    const answer = await shop.measure(noteMeasured(noteOf(userId, 1), 900 * HOUR))
    expect(answer).toMatchObject({ type: 'quota-reserved', data: { remainingSeconds: null } })
    await shop.charge(noteCompleted(noteOf(userId, 1), 900 * HOUR))
    expect(await shop.statusOf(userId)).toMatchObject({
      ...{ plan: 'free', subscription_minutes: null, remaining_minutes: null, used_minutes: 54_000 },
    })
    const { usage } = (await shop.get(userId, 'usage')).body.data
    expect(usage).toMatchObject([{ seconds: 900 * HOUR, balanceSeconds: null }])
    const details = (await shop.get(userId, 'subscription-details')).body.data.subscription
    expect(details).toMatchObject({ subscriptionMinutes: null, minutesLeft: null, usedMinutes: 54_000 })
  })

  test('then nothing can be bought, although Stripe has settings', async () => {
    expect((await shop.buy(newUser())).status).toBe(503)
  })
})
