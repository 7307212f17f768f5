import {
  derivedId,
  MediaNormalised,
  TranscriptionCompleted,
  UserRegistered,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { openShop, type Shop } from './testing/shop.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())
beforeEach(() => {
  shop.clock.ahead = 0
  shop.calls.fate = () => 'pass'
})

let users = 0
const newUser = () => `silent-${++users}`
const statusOf = async (userId: string) => (await shop.get(userId, 'subscription-status')).body.data
const buy = async (userId: string) =>
  (await shop.post(userId, 'create-checkout-session', { planType: 'monthly' })).body.data.sessionId

async function useMinutes(userId: string, minutes: number) {
  const transcriptionId = derivedId(userId, 'note')
  const seconds = minutes * 60
  await shop.bus.publish(MediaNormalised.create({ userId, transcriptionId, seconds, attempt: 1 }))
  await shop.bus.publish(
    TranscriptionCompleted.create({
      userId,
      transcriptionId,
      seconds,
      audioSeconds: seconds,
      text: 'words',
      words: 1,
      language: 'en',
      engine: 'test',
      remainingSeconds: 0,
      attempt: 1,
      notice: null,
      source: { channel: 'whatsapp', address: '15550001', messageId: 'wamid.1' },
    }),
  )
}

describe('without anyone doing anything', () => {
  test('when a free month is over, then the next one begins once, and it is told', async () => {
    const userId = newUser()
    await shop.bus.publish(
      UserRegistered.create({
        userId,
        phone: null,
        linkCode: 'ABC234',
        language: 'auto',
        email: 'silent@example.com',
        firstName: 'Si',
        lastName: 'Lent',
        revision: 0,
        registeredAt: new Date().toISOString(),
      }),
    )
    await useMinutes(userId, 12)
    shop.clock.ahead = 32 * DAY
    await shop.run('roll over free months')
    await shop.run('roll over free months')
    const rolled = () =>
      shop.bus
        .sent('QuotaUpdated')
        .filter(({ data }) => data.userId === userId && data.cause === 'rolled-over')
    await eventually(() => rolled().length > 0)
    expect(rolled().map(({ data }) => data.usedSeconds)).toEqual([0])
    expect(await statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
  })

  test('when ledger entries wait in the account, then they are moved, and a charged note stays charged', async () => {
    const userId = newUser()
    await useMinutes(userId, 5)
    await shop.run('move entries to the ledger')
    await shop.run('move entries to the ledger')
    await useMinutes(userId, 5)
    expect(await statusOf(userId)).toMatchObject({ used_minutes: 5 })
    expect((await shop.get(userId, 'usage')).body.data.pagination.total).toBe(2)
  })

  test('when all webhooks of a purchase are lost, then it is found by looking', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/pay`)
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('free')
    shop.clock.ahead = HOUR
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('monthly')
  })

  test('when a slow payment arrives and no one tells, then it is found by looking', async () => {
    const userId = newUser()
    const sessionId = await buy(userId)
    await shop.act(`checkout/${sessionId}/leave-unpaid`)
    await shop.post(userId, 'verify-session', { sessionId })
    shop.clock.ahead = HOUR
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('free')
    await shop.act(`checkout/${sessionId}/payment-arrives`)
    shop.clock.ahead = 2 * HOUR
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('monthly')
  })

  test('when a subscription ends and no one tells, then it is found after its period', async () => {
    const userId = newUser()
    const sessionId = await buy(userId)
    await shop.act(`checkout/${sessionId}/pay`)
    await shop.post(userId, 'verify-session', { sessionId })
    const { subscription } = await shop.atStripe.checkout.sessions.retrieve(sessionId)
    await shop.atStripe.subscriptions.cancel(String(subscription))
    shop.clock.ahead = 20 * DAY
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('monthly')
    shop.clock.ahead = 33 * DAY
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('free')
  })

  test('when Stripe does not answer, then the next turn of the job tries again', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/pay`)
    shop.clock.ahead = HOUR
    shop.calls.fate = () => 'error'
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('free')
    shop.calls.fate = () => 'pass'
    await shop.run('recheck subscriptions')
    expect((await statusOf(userId)).plan).toBe('monthly')
  })

  test('when a purchase is left alone until its session expires, then Stripe is not asked about it for ever', async () => {
    const userId = newUser()
    await shop.act(`checkout/${await buy(userId)}/expire`)
    shop.clock.ahead = HOUR
    await shop.run('recheck subscriptions')
    shop.clock.ahead = 48 * HOUR
    shop.calls.calls.length = 0
    await shop.run('recheck subscriptions')
    expect(shop.calls.calls.filter(({ path }) => path.includes('/checkout/sessions'))).toEqual([])
  })
})
