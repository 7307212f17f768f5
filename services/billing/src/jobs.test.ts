import { derivedId } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { noteCompleted, noteMeasured, registration } from './testing/events.ts'
import { newUser, shopForAll } from './testing/shop.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000

const shop = shopForAll()

const buy = async (userId: string): Promise<string> => (await shop.buy(userId)).body.data.sessionId

const noteOf = (userId: string) => ({ userId, transcriptionId: derivedId(userId, 'note'), attempt: 1 })
const measured = (userId: string, minutes: number) => noteMeasured(noteOf(userId), minutes * 60)
const completed = (userId: string, minutes: number) => noteCompleted(noteOf(userId), minutes * 60)

async function useMinutes(userId: string, minutes: number) {
  await shop.measure(measured(userId, minutes))
  await shop.charge(completed(userId, minutes))
}

describe('without anyone doing anything', () => {
  test('when a free month is over, then the next one begins once, and is published', async () => {
    const userId = newUser()
    await shop.bus.publish(registration(userId))
    await useMinutes(userId, 12)
    shop.clock.ahead = 32 * DAY
    await shop.run('roll-over-months')
    await shop.run('roll-over-months')
    const rolled = () =>
      shop.bus.sent('QuotaUpdated').filter(({ data }) => data.userId === userId && data.usedSeconds === 0)
    await eventually(() => rolled().length > 0)
    expect(rolled()).toHaveLength(1)
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a free month is over and no job has run, then a look begins the next one', async () => {
    const userId = newUser()
    await shop.bus.publish(registration(userId))
    await useMinutes(userId, 12)
    shop.clock.ahead = 32 * DAY
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a process dies before a line is in the ledger, then the next one keeps it, and charges stay', async () => {
    const userId = newUser()
    await useMinutes(userId, 5)
    const other = noteMeasured({ ...noteOf(userId), transcriptionId: derivedId(userId, 'other') }, 60)
    await shop.measure(other)
    const accounts = shop.stored('accounts')
    const { version, usedSeconds } = (await accounts.findOne({ _id: userId }))!
    const line = await shop.stored('ledger').findOne({ _id: noteOf(userId).transcriptionId })
    // As if it had died after it moved the line, before the step that did so was saved.
    await accounts.updateOne({ _id: userId }, { $set: { line, reservations: [] } })
    for (const event of [measured(userId, 5), other]) await shop.bus.publish(event)
    expect(await accounts.findOne({ _id: userId })).toMatchObject({
      version: Number(version) + 2,
      usedSeconds,
    })
    const { pagination, usage } = (await shop.get(userId, 'usage')).body.data
    expect([pagination.total, usage.map(({ seconds }: { seconds: number }) => seconds)]).toEqual([
      2,
      [60, 300],
    ])
  })

  test('when all webhooks of a purchase are lost, then a recheck finds it', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/pay`)
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('free')
    shop.clock.ahead = HOUR
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('monthly')
  })

  test('when the webhook of a slow payment is lost, then a recheck finds it', async () => {
    const userId = newUser()
    const sessionId = await buy(userId)
    await shop.act(`checkout/${sessionId}/leave-unpaid`)
    await shop.verify(userId, sessionId)
    shop.clock.ahead = HOUR
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('free')
    await shop.act(`checkout/${sessionId}/payment-arrives`)
    shop.clock.ahead = 2 * HOUR
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('monthly')
  })

  test('when the webhook of an end is lost, then a recheck finds it after the period', async () => {
    const userId = newUser()
    const sessionId = await buy(userId)
    await shop.act(`checkout/${sessionId}/pay`)
    await shop.verify(userId, sessionId)
    const { subscription } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    await shop.atStripe.subscriptions.cancel(String(subscription))
    shop.clock.ahead = 20 * DAY
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('monthly')
    shop.clock.ahead = 33 * DAY
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('free')
  })

  test('when Stripe does not answer, then the next turn of the job tries again', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/pay`)
    shop.clock.ahead = HOUR
    shop.calls.fate = () => 'error'
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('free')
    shop.calls.fate = () => 'pass'
    shop.clock.ahead = HOUR + MINUTE
    await shop.run('recheck-subscriptions')
    expect((await shop.statusOf(userId)).plan).toBe('monthly')
  })

  test('when a checkout session has expired, then Stripe is not asked about it any more', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/expire`)
    shop.clock.ahead = HOUR
    await shop.run('recheck-subscriptions')
    shop.clock.ahead = 48 * HOUR
    shop.calls.calls.length = 0
    await shop.run('recheck-subscriptions')
    expect(shop.calls.calls.filter(({ path }) => path.includes('/checkout/sessions'))).toEqual([])
  })
})
