import { type RunningService, runService } from '@voxscribe/service'
import { eventually, testBus } from '@voxscribe/service/testing'
import { authService } from './service.ts'
import { type Auth, startAuth } from './testing.ts'

let auth: Auth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

/** An account as version 0.1.0 stored it. */
async function olderAccount() {
  const { user } = await auth.signedUp()
  const users = auth.stored('users')
  const _id = user.id as never
  await users.updateOne({ _id }, { $unset: { emails: 1 } })
  const before = await users.findOne({ _id })
  return { before: before!, now: () => users.findOne({ _id }) }
}

/** Another process on the same database. */
async function start() {
  const bus = await testBus('auth')
  const running: RunningService | Error = await runService(authService, auth.env, { bus: bus.bus }).catch(
    e => e,
  )
  const stop = async () => {
    await bus.close()
    if (!(running instanceof Error)) await running.stop()
  }
  return { bus, running, stop }
}

test('when two processes find accounts of an earlier version, then each is told of once', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, olderAccount))
  const processes = await Promise.all([start(), start()])
  try {
    for (const { before, now } of accounts) {
      const { email, revision, numberChosenAt } = before
      expect(await now()).toMatchObject({ emails: [email], revision: revision + 1 })
      const told = () =>
        processes
          .flatMap(({ bus }) => bus.sent('UserUpdated'))
          .filter(({ data }) => data.userId === String(before._id))
      await eventually(() => told().length)
      expect(new Set(told().map(({ id }) => id)).size).toBe(1)
      expect(told()[0]?.data).toMatchObject({
        revision: revision + 1,
        phoneClaimedAt: numberChosenAt.toISOString(),
      })
    }
  } finally {
    for (const { stop } of processes) await stop()
  }
})

test('when one cannot be brought up to date, then it is as it was, and the service says what to do', async () => {
  const { before, now } = await olderAccount()
  const users = auth.stored('users')
  await users.updateOne({ _id: before._id }, { $unset: { numberChosenAt: 1 } })
  const { numberChosenAt, ...damaged } = before
  const failed = await start()
  await failed.stop()
  expect(String(failed.running)).toMatch(
    /auth cannot bring the documents of an earlier version up to date: .* go back to the earlier version/,
  )
  expect(await now()).toEqual(damaged)
  await users.updateOne({ _id: before._id }, { $set: { numberChosenAt } })
  const second = await start()
  await second.stop()
  expect(await now()).toMatchObject({ emails: [before.email] })
})
