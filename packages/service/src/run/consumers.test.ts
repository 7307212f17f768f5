import { SenderUnknown } from '@voxscribe/contracts/events'
import { Schema } from 'mongoose'
import { baseSettings } from '../settings/common-settings.ts'
import {
  eventually,
  idleHandlers,
  startProxy,
  startTestBackings,
  type TestBackings,
  testBus,
} from '../testing.ts'
import { defineService } from './definition.ts'
import { runService } from './run-service.ts'

/** Belongs to no account, so no lookup of one precedes the handler. */
const news = () =>
  SenderUnknown.create({
    isNote: false,
    noteWaits: false,
    source: { channel: 'whatsapp', address: '15550100', messageId: 'wamid.1' },
  })

let backings: TestBackings
let proxy: Awaited<ReturnType<typeof startProxy>>
let bus: Awaited<ReturnType<typeof testBus>>
beforeEach(async () => {
  backings = await startTestBackings()
  proxy = await startProxy(backings.mongoUrl)
  bus = await testBus('notification')
})
afterEach(async () => {
  await bus.close()
  await proxy.close()
  await backings.stop()
})

/** Starts notification with the test's own handler for SenderUnknown. */
const start = async (handle: (write: () => Promise<unknown>) => Promise<unknown>, stopping?: () => void) =>
  runService(
    defineService({
      name: 'notification',
      settings: baseSettings,
      build: ({ documents }) => {
        const things = documents.model('things', new Schema({ _id: String, times: Number }), {
          owner: null,
          because: 'nobody’s',
        })
        const write = () => things.updateOne({ _id: 'one' }, { $inc: { times: 1 } }, { upsert: true })
        return {
          handlers: {
            ...idleHandlers('notification'),
            SenderUnknown: async () => void (await handle(write)),
          },
          erase: async () => {},
          stopping,
        }
      },
    }),
    { ...backings.env, MONGO_URL: `${proxy.url}&serverSelectionTimeoutMS=500` },
    { bus: bus.bus },
  )

test('when the database is away for longer than all delays, then the message waits for it', async () => {
  let tries = 0
  let done = 0
  const service = await start(async write => {
    tries += 1
    await write()
    done += 1
  })
  proxy.goAway()
  const published = bus.publish(news())
  // Several tries, none of which counts as a failure.
  await eventually(() => tries > 6)
  expect(await bus.deadLetters()).toEqual([])
  proxy.comeBack()
  await published
  expect(done).toBe(1)
  expect(await bus.deadLetters()).toEqual([])
  await service.stop()
})

test('when the stop of the service cuts a handler short, then that is no failed try', async () => {
  const ended = Promise.withResolvers<never>()
  const begun = Promise.withResolvers<void>()
  let tries = 0
  const service = await start(
    () => {
      tries += 1
      begun.resolve()
      return ended.promise
    },
    () => ended.reject(new Error('ffmpeg was ended')),
  )
  const published = bus.publish(news()).catch(() => {})
  await begun.promise
  await service.stop()
  // The bus is shared, so it continues without this service.
  await eventually(() => tries > 6)
  expect(await bus.deadLetters()).toEqual([])
  await bus.close()
  await published
})
