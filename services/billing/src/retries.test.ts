import type { Envelope } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import {
  noteCompleted,
  noteFailed,
  noteMeasured,
  noteOf,
  noteWithdrawn,
  profileChange,
  registration,
} from './testing/events.ts'
import { shopForAll } from './testing/shop.ts'

const MINUTE = 60
const DAY_MS = 86_400_000

const shop = shopForAll()

let users = 0
const accounts = () => shop.stored('accounts')

/** Makes every write to an account fail. */
async function damage(userId: string): Promise<() => Promise<unknown>> {
  await accounts().updateOne({ _id: userId }, { $set: { version: 'x' } })
  return () => accounts().updateOne({ _id: userId }, { $set: { version: 1_000 } })
}
async function registered() {
  const userId = `unlucky-${++users}`
  await shop.bus.publish(registration(userId))
  return userId
}

type Case = [what: string, event: (userId: string) => Envelope, used: number, left: number]

test.each<Case>([
  ['asks for minutes', userId => noteMeasured(noteOf(userId, 'other'), 5 * MINUTE), 0, 13],
  ['completes a note', userId => noteCompleted(noteOf(userId), 10 * MINUTE), 10, 20],
  ['fails a note', userId => noteFailed(noteOf(userId)), 0, 30],
  ['takes a note back', userId => noteWithdrawn(noteOf(userId)), 0, 30],
  ['changes a profile', userId => profileChange(userId, { email: 'new@example.com', revision: 7 }), 0, 18],
])(
  'when an event that %s fails however often, then it counts once it can be handled',
  async (_, make, used, left) => {
    const userId = await registered()
    await shop.measure(noteMeasured(noteOf(userId), 12 * MINUTE))
    const mend = await damage(userId)
    const event = make(userId)
    const published = shop.bus.publish(event)
    await eventually(() => [...shop.bus.bus.retrying().values()].some(seconds => seconds > 0.3))
    await mend()
    await published
    await shop.bus.publish(event)
    await shop.becomes(userId, used, left)
    expect(JSON.stringify(await shop.bus.deadLetters())).not.toContain(`"${userId}"`)
    const contactRevision = event.type === 'user-updated' ? 7 : 0
    expect(await accounts().findOne({ _id: userId })).toMatchObject({ contactRevision })
  },
)

test('when one account cannot be worked on, then the jobs reach all others', async () => {
  const mend = await damage(await registered())
  const userId = await registered()
  shop.clock.ahead = 40 * DAY_MS
  await expect(shop.run('roll-over-months')).rejects.toThrow('could not be worked on')
  await eventually(() => shop.bus.sent('QuotaUpdated').some(({ data }) => data.userId === userId))
  await mend()
})
