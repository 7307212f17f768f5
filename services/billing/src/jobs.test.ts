import { eventually } from '@voxscribe/service/testing'
import { noteCompleted, noteMeasured, noteOf, registration } from './testing/events.ts'
import { newUser, shopForAll } from './testing/shop.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000

const shop = shopForAll()

/** Runs the job this far in the future; the user then has this plan. */
async function rechecked(userId: string, ahead: number, plan: 'free' | 'monthly') {
  shop.clock.ahead = ahead
  await shop.run('recheck-subscriptions')
  expect((await shop.statusOf(userId)).plan).toBe(plan)
}

async function useMinutes(userId: string, minutes: number) {
  const measured = noteMeasured(noteOf(userId), minutes * 60)
  await shop.measure(measured)
  await shop.charge(noteCompleted(noteOf(userId), minutes * 60))
  return measured
}
/** A user whose free month is over, with minutes used in it. */
async function monthOver() {
  const userId = newUser()
  await shop.bus.publish(registration(userId))
  await useMinutes(userId, 12)
  shop.clock.ahead = 32 * DAY
  return userId
}

describe('without anyone doing anything', () => {
  test('when a free month is over, then the next one begins once, and is published', async () => {
    const userId = await monthOver()
    await shop.run('roll-over-months')
    await shop.run('roll-over-months')
    const rolled = () =>
      shop.bus.sent('QuotaUpdated').filter(({ data }) => data.userId === userId && data.usedSeconds === 0)
    await eventually(() => rolled().length > 0)
    expect(rolled()).toHaveLength(1)
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a free month is over and no job has run, then a look begins the next one', async () => {
    const userId = await monthOver()
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when a process dies before a line is in the ledger, then the next one keeps it, and charges stay', async () => {
    const userId = newUser()
    const note = await useMinutes(userId, 5)
    const other = noteMeasured(noteOf(userId, 'other'), 60)
    await shop.measure(other)
    const accounts = shop.stored('accounts')
    const { version, usedSeconds } = (await accounts.findOne({ _id: userId }))!
    const line = await shop.stored('ledger').findOne({ _id: noteOf(userId).transcriptionId })
    // Simulates a crash after the line was moved, before the step that moved it was saved.
    await accounts.updateOne({ _id: userId }, { $set: { line, reservations: [] } })
    for (const event of [note, other]) await shop.bus.publish(event)
    expect(await accounts.findOne({ _id: userId })).toMatchObject({
      version: Number(version) + 2,
      usedSeconds,
    })
    const { data } = (await shop.get(userId, 'usage')).body
    expect(data).toMatchObject({ pagination: { total: 2 }, usage: [{ seconds: 60 }, { seconds: 300 }] })
  })

  test('when all webhooks of a purchase are lost, then a recheck finds it', async () => {
    const { userId } = await shop.paid()
    await rechecked(userId, 0, 'free')
    await rechecked(userId, HOUR, 'monthly')
  })

  test('when the webhook of a slow payment is lost, then a recheck finds it', async () => {
    const { userId, sessionId } = await shop.started()
    await shop.act(`checkout/${sessionId}/leave-unpaid`)
    await shop.verify(userId, sessionId)
    await rechecked(userId, HOUR, 'free')
    await shop.act(`checkout/${sessionId}/payment-arrives`)
    await rechecked(userId, 2 * HOUR, 'monthly')
  })

  test('when the webhook of an end is lost, then a recheck finds it after the period', async () => {
    const { userId, sessionId } = await shop.paid()
    await shop.verify(userId, sessionId)
    const { subscription } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    await shop.atStripe.subscriptions.cancel(String(subscription))
    await rechecked(userId, 20 * DAY, 'monthly')
    await rechecked(userId, 33 * DAY, 'free')
  })

  test('when Stripe does not answer, then the next turn of the job tries again', async () => {
    const { userId } = await shop.paid()
    shop.calls.fate = () => 'error'
    await rechecked(userId, HOUR, 'free')
    shop.calls.fate = () => 'pass'
    await rechecked(userId, HOUR + MINUTE, 'monthly')
  })

  test('when a checkout session has expired, then Stripe is not asked about it any more', async () => {
    const { sessionId } = await shop.started()
    await shop.act(`checkout/${sessionId}/expire`)
    shop.clock.ahead = HOUR
    await shop.run('recheck-subscriptions')
    shop.clock.ahead = 48 * HOUR
    shop.calls.calls.length = 0
    await shop.run('recheck-subscriptions')
    expect(shop.calls.calls.filter(({ path }) => path.includes('/checkout/sessions'))).toEqual([])
  })

  test('when a recheck keeps failing, then it is tried ever more seldom', async () => {
    const { sessionId } = await shop.started()
    const isAbout = ({ path }: { path: string }) => path.includes(sessionId)
    // A response that Stripe's library doesn't retry.
    const refused = { status: 403, error: { type: 'invalid_request_error', message: 'Not this one' } }
    shop.calls.fate = call => (isAbout(call) ? refused : 'pass')
    const tries: number[] = []
    for (let minute = 0; minute < 64; minute++) {
      shop.clock.ahead = (31 + minute) * MINUTE
      shop.calls.calls.length = 0
      await shop.run('recheck-subscriptions')
      if (shop.calls.calls.some(isAbout)) tries.push(minute)
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63])
  })

  test('when another process rechecks an account, then it is taken over only after that one died', async () => {
    const { userId, sessionId } = await shop.paid()
    shop.clock.ahead = 31 * MINUTE
    let hangs = true
    shop.calls.fate = () => (hangs ? 'hang' : 'pass')
    const other = shop.run('recheck-subscriptions')
    await eventually(() => shop.calls.calls.some(({ path }) => path.includes(sessionId)))
    hangs = false
    await rechecked(userId, 31 * MINUTE, 'free')
    await rechecked(userId, 32 * MINUTE, 'monthly')
    await other
  })
})
