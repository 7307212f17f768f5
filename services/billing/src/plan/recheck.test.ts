import { newUser, openShop, type Shop } from '../testing/shop.ts'

const MINUTE = 60_000

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})
afterEach(() => shop?.close())

const buy = async (userId: string): Promise<string> => (await shop.buy(userId)).body.data.sessionId
/** An answer that Stripe’s library does not ask for again. */
const REFUSED = { status: 403, error: { type: 'invalid_request_error', message: 'Not this one' } }

test('when a recheck keeps failing, then it is tried ever more seldom', async () => {
  const sessionId = await buy(newUser())
  shop.calls.fate = ({ path }) => (path.includes(sessionId) ? REFUSED : 'pass')
  const tries: number[] = []
  for (let minute = 31; minute < 31 + 64; minute++) {
    shop.clock.ahead = minute * MINUTE
    const before = shop.calls.calls.length
    await shop.run('recheck-subscriptions')
    if (shop.calls.calls.slice(before).some(({ path }) => path.includes(sessionId))) tries.push(minute - 31)
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63])
})

test('when another process rechecks an account, then it is taken over only after that one died', async () => {
  const userId = newUser()
  const sessionId = await buy(userId)
  await shop.act(`checkout/${sessionId}/pay`)
  shop.clock.ahead = 31 * MINUTE
  const other = { owner: 'other', term: 1, beat: 0 }
  const lease = (recheckLease: object | null) =>
    shop.stored('accounts').updateOne({ _id: userId }, { $set: { recheckLease } })
  await lease(other)
  await shop.run('recheck-subscriptions')
  expect((await shop.statusOf(userId)).plan).toBe('free')
  const now = performance.now.bind(performance)
  let ahead = 0
  performance.now = () => now() + ahead
  for (ahead of [31_000, 62_000]) await shop.run('recheck-subscriptions')
  performance.now = now
  expect((await shop.statusOf(userId)).plan).toBe('monthly')
  expect(await shop.stored('accounts').findOne({ _id: userId })).toMatchObject({ recheckLease: null })
})
