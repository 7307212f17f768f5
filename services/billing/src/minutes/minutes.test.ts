import type { UsageLine } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/service/testing'
import {
  commanded,
  noteCompleted,
  noteFailed,
  noteMeasured,
  noteOf,
  noteWithdrawn,
  registration,
} from '../testing/events.ts'
import { newUser, shopForAll } from '../testing/shop.ts'
import { monthsAfter } from './months.ts'

const shop = shopForAll()

/** Registers a user and waits until billing knows it; months then begin at that time of day. */
async function register(userId: string, registeredAt = new Date()) {
  await shop.bus.publish(registration(userId, registeredAt))
  await eventually(
    async () => (await periodOf(userId)).start.slice(10) === registeredAt.toISOString().slice(10),
  )
}
const idOf = (userId: string, number: number) => noteOf(userId, number).transcriptionId
const measured = (userId: string, seconds: number, number = 1, attempt = 1) =>
  noteMeasured(noteOf(userId, number, attempt), seconds)
const completed = (userId: string, seconds: number, number = 1, attempt = 1) =>
  noteCompleted(noteOf(userId, number, attempt), seconds)

async function periodOf(userId: string): Promise<{ start: string; end: string }> {
  const { currentPeriodStart, currentPeriodEnd } = (await shop.get(userId, 'subscription-details')).body.data
    .subscription
  return { start: currentPeriodStart, end: currentPeriodEnd }
}
/** Charges a note, by which time all earlier messages of the user are handled. */
async function untilAllIsHandled(userId: string) {
  await shop.measure(measured(userId, 60, 99))
  await shop.charge(completed(userId, 60, 99))
}
const linesOf = async (userId: string): Promise<UsageLine[]> =>
  (await shop.get(userId, 'usage')).body.data.usage

describe('a command in the chat', () => {
  test('when a person asks, then what is left is told, the same for each delivery', async () => {
    const userId = newUser()
    await register(userId)
    await shop.measure(measured(userId, 60))
    const event = commanded(userId, 'minutes')
    for (const delivery of [event, event]) await shop.bus.publish(delivery)
    await untilAllIsHandled(userId)
    const told = shop.bus.sent('BalanceTold').filter(({ causeId }) => causeId === event.id)
    expect(new Set(told.map(({ id }) => id)).size).toBe(1)
    expect(told[0]?.data).toMatchObject({
      userId,
      command: 'minutes',
      remainingSeconds: 1740,
      periodEnd: (await periodOf(userId)).end,
      source: event.data.source,
    })
  })
})

describe('minutes', () => {
  test('when a registration is late, then the user has the free plan until it arrives', async () => {
    const userId = newUser()
    expect(await shop.statusOf(userId)).toMatchObject({
      plan: 'free',
      status: 'active',
      subscription_minutes: 30,
      used_minutes: 0,
      remaining_minutes: 30,
      payment_problem: false,
    })
    await shop.measure(measured(userId, 60))
    const registeredAt = new Date(Date.now() - 5 * 86_400_000)
    await register(userId, registeredAt)
    await shop.bus.publish(registration(userId, new Date()))
    await untilAllIsHandled(userId)
    const start = registeredAt.toISOString()
    expect(await periodOf(userId)).toEqual({ start, end: monthsAfter(registeredAt, 1).toISOString() })
    expect(await shop.statusOf(userId)).toMatchObject({ remaining_minutes: 28 })
  })

  test('when a note is measured, then transcribed, then its seconds are reserved, then charged', async () => {
    const userId = newUser()
    await register(userId)
    const reserved = await shop.measure(measured(userId, 66))
    expect(reserved.data).toMatchObject({ seconds: 66, remainingSeconds: 1734, attempt: 1 })
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 0, remaining_minutes: 28.9 })
    expect(await linesOf(userId)).toMatchObject([{ seconds: 66, balanceSeconds: 1734, reserved: true }])
    await shop.charge(completed(userId, 60))
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 1, remaining_minutes: 29 })
    expect(await linesOf(userId)).toEqual([
      { transcriptionId: idOf(userId, 1), seconds: 60, balanceSeconds: 1740, at: expect.any(String) },
    ])
  })

  test('when a note uses most of what is left, then that is published, and not before', async () => {
    const userId = newUser()
    await shop.charge(completed(userId, 1439, 1))
    await shop.charge(completed(userId, 1, 2))
    await eventually(() => shop.bus.sent('QuotaUpdated').some(({ data }) => data.userId === userId))
    const updated = shop.bus.sent('QuotaUpdated').filter(({ data }) => data.userId === userId)
    expect(updated.map(({ data }) => [data.usedSeconds, data.totalSeconds, data.plan])).toEqual([
      [1440, 1800, 'free'],
    ])
  })

  test('when notes end in different ways, then the ledger has one line each, newest first', async () => {
    const userId = newUser()
    for (const number of [1, 2, 3]) await shop.measure(measured(userId, 60 * number, number))
    await shop.bus.publish(noteFailed(noteOf(userId, 1)))
    await shop.becomes(userId, 0, 25)
    await shop.charge(completed(userId, 90, 2))
    await shop.measure(measured(userId, 60, 2, 2))
    const lines = await linesOf(userId)
    expect(lines.map(({ at: _, ...line }) => line)).toEqual([
      { transcriptionId: idOf(userId, 2), seconds: 90, balanceSeconds: 1710 },
      { transcriptionId: idOf(userId, 1), seconds: 0, balanceSeconds: 1800 },
      { transcriptionId: idOf(userId, 3), seconds: 180, balanceSeconds: 1440, reserved: true },
    ])
  })

  test('when a note is withdrawn, then its minutes are returned once, in any order', async () => {
    const userId = newUser()
    await register(userId)
    await shop.measure(measured(userId, 60))
    await shop.charge(completed(userId, 60))
    const withdrawn = (number: number) => noteWithdrawn(noteOf(userId, number))
    const event = withdrawn(1)
    for (const delivery of [event, event]) await shop.bus.publish(delivery)
    await shop.becomes(userId, 0, 30)
    // One note whose minutes are reserved, and one whose events arrive late.
    await shop.measure(measured(userId, 120, 2))
    await shop.bus.publish(withdrawn(2))
    await shop.becomes(userId, 0, 30)
    await shop.bus.publish(withdrawn(3))
    await shop.bus.publish(measured(userId, 120, 3))
    await shop.bus.publish(completed(userId, 120, 2))
    await untilAllIsHandled(userId)
    await shop.becomes(userId, 1, 29)
    expect((await linesOf(userId)).map(({ seconds }) => seconds).sort()).toEqual([0, 0, 0, 60])
  })

  test('when two replicas reserve twenty notes at once, then no more than seven are accepted', async () => {
    const userId = newUser()
    const other = await shop.replica()
    try {
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
      await Promise.all(
        numbers.map(number => [shop.bus, other.bus][number % 2]?.publish(measured(userId, 240, number))),
      )
      // Either replica may publish events that both have written.
      const answers = (name: 'QuotaReserved' | 'QuotaExceeded') =>
        new Set(
          [shop.bus, other.bus].flatMap(({ sent }) =>
            sent(name).flatMap(({ data }) => (data.userId === userId ? [data.transcriptionId] : [])),
          ),
        ).size
      await eventually(() => answers('QuotaReserved') + answers('QuotaExceeded') === 20)
      expect(answers('QuotaReserved')).toBe(7)
      expect(await shop.statusOf(userId)).toMatchObject({ remaining_minutes: 2 })
    } finally {
      await other.stop()
    }
  })

  test('when a note was deleted too often while engines listened, then it is charged once', async () => {
    const userId = newUser()
    await shop.measure(measured(userId, 60))
    const deleted = noteFailed(noteOf(userId, 1), 60)
    await shop.charge(deleted)
    await shop.bus.publish(deleted)
    await untilAllIsHandled(userId)
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 2, remaining_minutes: 28 })
  })

  test('when a charged note is transcribed again after its line moved, then it costs nothing', async () => {
    const userId = newUser()
    await shop.measure(measured(userId, 1740))
    await shop.charge(completed(userId, 1740))
    await shop.measure(measured(userId, 10, 2))
    await shop.bus.publish(noteFailed(noteOf(userId, 2)))
    await shop.becomes(userId, 29, 1)
    const again = await shop.measure(measured(userId, 1740, 1, 2))
    expect([again.type, again.data.remainingSeconds]).toEqual(['quota-reserved', 60])
    await shop.bus.publish(completed(userId, 1740, 1, 2))
    await untilAllIsHandled(userId)
    expect(await shop.statusOf(userId)).toMatchObject({ used_minutes: 30, remaining_minutes: 0 })
  })

  test('when pages of the ledger are asked for, then each note is on one of them', async () => {
    const userId = newUser()
    for (const number of [1, 2, 3]) await shop.measure(measured(userId, 10 * number, number))
    const pages = await Promise.all([1, 2].map(page => shop.get(userId, `usage?page=${page}&limit=2`)))
    const ids = pages.map(({ body }) => body.data.usage.map((line: UsageLine) => line.transcriptionId))
    expect(ids).toEqual([[idOf(userId, 3), idOf(userId, 2)], [idOf(userId, 1)]])
    expect(pages[1]?.body.data.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
  })

  test.each(['page=0', 'page=x', 'limit=0', 'limit=-1'])(
    'when a list is asked for with %s, then the answer is 400',
    async query => {
      const { status, body } = await shop.get(newUser(), `payment-history?${query}`)
      expect([status, body.errors[0].field]).toEqual([400, query.split('=')[0]])
    },
  )
})

test('when the answer to a note asks for the balance, then the note counts as charged, the others as held', async () => {
  const userId = newUser()
  await register(userId)
  await shop.measure(measured(userId, 60, 1))
  await shop.measure(measured(userId, 120, 2))
  const ask = async (number: number, seconds: number) => {
    const query = new URLSearchParams({ userId, note: idOf(userId, number), seconds: String(seconds) })
    return (await (await fetch(`${shop.url}/internal/balance?${query}`)).json()).data
  }
  expect(await ask(1, 60)).toMatchObject({ usedSeconds: 60, remainingSeconds: 1620, totalSeconds: 1800 })
  // A note without speech.
  expect(await ask(1, 0)).toMatchObject({ usedSeconds: 0, remainingSeconds: 1680 })
  await shop.charge(completed(userId, 60, 1))
  expect(await ask(1, 60)).toMatchObject({ usedSeconds: 60, remainingSeconds: 1620, plan: 'free' })
})

test('when a person exports everything, then each line is there once with the payments, ten times an hour', async () => {
  const userId = newUser()
  await register(userId)
  const ask = async () => {
    const response = await fetch(`${shop.url}/internal/export?userId=${userId}`)
    return { status: response.status, body: await response.json() }
  }
  expect((await ask()).body.data).toEqual({ payments: [], minutes: [] })
  for (const number of [1, 2]) await shop.measure(measured(userId, 60, number))
  await shop.charge(completed(userId, 60, 1))
  const { minutes } = (await ask()).body.data
  expect(minutes).toEqual(await linesOf(userId))
  expect(new Set(minutes.map((line: UsageLine) => line.transcriptionId)).size).toBe(2)
  for (let asked = 3; asked <= 10; asked++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
})
