import { rm } from 'node:fs/promises'
import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { type ConfirmChannel, connect } from 'amqplib'
import { casesOn } from './cases/all.ts'
import type { Stores } from './cases/erasure.ts'
import { startProcesses } from './testing/processes.ts'
import { newDataDir, type System } from './testing/system.ts'

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

async function withChannel<T>(use: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection = await connect(rabbit!.url)
  try {
    return await use(await connection.createConfirmChannel())
  } finally {
    await connection.close()
  }
}

onRabbit('every service in its own process, on RabbitMQ', () => {
  let documents: string
  let mongo: EmbeddedMongo
  /** Names of the queues, read once: asking for them starts an Erlang VM. */
  let names: string[] | undefined
  afterAll(async () => {
    await mongo?.stop()
    await rm(documents, { recursive: true, force: true })
  })

  const storesOf = (system: () => System): Stores => ({
    folders: () => [system().dataDir, documents],
    addDeadLetter: message =>
      withChannel(async channel => {
        channel.sendToQueue('transcription.media-received.dead', Buffer.from(JSON.stringify(message)))
        await channel.waitForConfirms()
      }),
    /** Unacknowledged messages are requeued when the connection closes. */
    queues: () =>
      withChannel(async channel => {
        names ??= (await rabbit!.control('list_queues', 'name', '--no-table-headers')).trim().split('\n')
        const texts: string[] = []
        // Queues of broadcasts are exclusive to their process, and keep nothing.
        for (const name of names.filter(each => !each.startsWith('amq.')))
          for (;;) {
            const message = await channel.get(name)
            if (!message) break
            texts.push(message.content.toString())
          }
        return texts.join('\n')
      }),
  })

  casesOn(async env => {
    documents = await newDataDir()
    mongo = await startEmbeddedMongo({ path: documents })
    return startProcesses({ MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url }, { env })
  }, storesOf)
})
