import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { casesOn } from './cases/all.ts'
import { startProcesses } from './testing/processes.ts'

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('every service in a process of its own, on RabbitMQ', () => {
  let mongo: EmbeddedMongo
  afterAll(() => mongo?.stop())

  casesOn(async () => {
    mongo = await startEmbeddedMongo({ path: ':memory:' })
    return startProcesses({ MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url })
  })
})
