import { install } from '@sinonjs/fake-timers'
import { UserUpdated } from '@voxscribe/contracts/events'
import { createLive } from '../pages/live.ts'
import { claimsOf, deskWithSphinx, responseFake } from '../testing.ts'

const { desk, note: path } = await deskWithSphinx()

/** Auth's event about an account that is blocked or not. */
const update = (userId: string, revision: number, blocked?: boolean) =>
  desk.bus.publish(
    UserUpdated.create({
      userId,
      phone: null,
      phoneClaimedAt: new Date().toISOString(),
      linkCode: 'VX-22222222',
      language: 'auto',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      uiLanguage: 'en',
      blocked,
      revision,
    }),
  )

const status = async (path: string, userId?: string) => (await desk.fetch(path, userId)).status

test('when an account is blocked, then its tokens, links and audio end at once, until the block is lifted', async () => {
  const userId = 'ada'
  const { id } = await desk.complete(path, { userId })
  const body = { days: 7, audio: true }
  const { url } = (await desk.call('POST', `/transcriptions/${id}/share`, userId, { body })).body.data
  const link = `/api/shared/${url.split('/s/')[1]}`
  const { audioUrl } = await desk.noteOf(id, userId)
  const asked = async () => [
    await status('/api/transcriptions', userId),
    await status(link),
    await status(`${link}/audio`),
    await status(audioUrl),
  ]
  expect(await asked()).toEqual([200, 200, 200, 200])

  await update(userId, 2, true)
  expect(await asked()).toEqual([401, 404, 404, 404])
  expect(await (await desk.fetch(link)).json()).toMatchObject({ code: 'link_ended' })
  // Events about older changes arrive late.
  await update(userId, 1, false)
  await update(userId, 0)
  expect(await asked()).toEqual([401, 404, 404, 404])
  expect(await status('/api/transcriptions', 'bob')).toBe(200)

  await update(userId, 3, false)
  await update(userId, 2, true)
  expect(await asked()).toEqual([200, 200, 200, 200])
})

test('when a page is open, then it reads nothing until its account has changed, and ends when that is blocked', async () => {
  const clock = install()
  try {
    let [reads, isBlocked] = [0, false]
    const refuses = async () => {
      reads += 1
      return isBlocked
    }
    const response = responseFake()
    let pass = (_data: unknown) => {}
    const live = createLive({
      broadcast: (_topic, data) => pass(data),
      async onBroadcast(_topic, listener) {
        pass = listener
        return () => {}
      },
      closed: { refuses },
    })
    const stream = live.streamFor(claimsOf('ada'))(response as never)
    await clock.tickAsync(4 * 25_000)
    expect([response.written.filter(text => text === ':\n\n').length, reads]).toEqual([4, 0])
    live.accountChanged('ada')
    await clock.tickAsync(0)
    expect([response.written.at(-1), reads]).toEqual(['event: profile\ndata: {}\n\n', 1])
    isBlocked = true
    live.accountChanged('ada')
    await stream
    expect(reads).toBe(2)
  } finally {
    clock.uninstall()
  }
})
