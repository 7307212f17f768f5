import { eventually } from '@voxscribe/service/testing'
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
  let hangs = true
  shop.calls.fate = () => (hangs ? 'hang' : 'pass')
  const other = shop.run('recheck-subscriptions')
  await eventually(() => shop.calls.calls.some(({ path }) => path.includes(sessionId)))
  hangs = false
  await shop.run('recheck-subscriptions')
  expect((await shop.statusOf(userId)).plan).toBe('free')
  shop.clock.ahead += MINUTE
  await shop.run('recheck-subscriptions')
  expect((await shop.statusOf(userId)).plan).toBe('monthly')
  await other
})
