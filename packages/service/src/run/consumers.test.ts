import { MediaExpired } from '@voxscribe/contracts/events'
import { Schema } from 'mongoose'
import {
  eventually,
  idleHandlers,
  startProxy,
  startTestBackings,
  type TestBackings,
  testBus,
} from '../testing.ts'
import { baseSettings } from './common-settings.ts'
import { defineService } from './definition.ts'
import { runService } from './run-service.ts'

const news = () => MediaExpired.create({ mediaId: '7b0a1c9e-5d0b-4b57-9d34-1f3a7f7f2a10', userId: 'ada' })

let backings: TestBackings
let proxy: Awaited<ReturnType<typeof startProxy>>
let bus: Awaited<ReturnType<typeof testBus>>
beforeEach(async () => {
  backings = await startTestBackings()
  proxy = await startProxy(backings.mongoUrl)
  bus = await testBus('transcription')
})
afterEach(async () => {
  await bus.close()
  await proxy.close()
  await backings.stop()
})

/** Transcription with a handler of the test's own for MediaExpired. */
const start = async (handle: (write: () => Promise<unknown>) => Promise<unknown>, stopping?: () => void) =>
  runService(
    defineService({
      name: 'transcription',
      settings: baseSettings,
      build: ({ documents }) => {
        const things = documents.model('things', new Schema({ _id: String, times: Number }))
        const write = () => things.updateOne({ _id: 'one' }, { $inc: { times: 1 } }, { upsert: true })
        return {
          handlers: {
            ...idleHandlers('transcription'),
            MediaExpired: async () => void (await handle(write)),
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
  // The test's bus has three tries.
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
  // The bus is shared, so it goes on without this service.
  await eventually(() => tries > 6)
  expect(await bus.deadLetters()).toEqual([])
  await bus.close()
  await published
})
