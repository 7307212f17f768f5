import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaExpired } from '@voxscribe/contracts/events'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type OutboxSource, startRelay, type Topology } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { schemaOf } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import { connect } from 'amqplib'
import { z } from 'zod'
import { openDocuments } from '../../../packages/service/src/database/documents.ts'
import type { Row } from '../row.ts'
import { millisecondsOf } from '../system.ts'

const EVENTS = 2_000
/** Publishes at once: what the relay allows. */
const AT_ONCE = 100

const newEvent = () => MediaExpired.create({ mediaId: randomUUID(), userId: 'bench' })

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-bus-'))
  const broker = await startRabbitServer()
  if (!broker) throw new Error('RabbitMQ is not here: install rabbitmq-server')
  const mongo = await startEmbeddedMongo({ path: folder })
  const documents = await openDocuments(mongo.url, 'bench', () => {})
  const things = documents.outboxModel('things', schemaOf(z.object({ _id: z.string() })), {
    owner: null,
    because: 'nobody’s',
  })
  await documents.makeIndexes()
  const topology: Topology = { MediaExpired: { event: MediaExpired, to: ['bench'] } }
  const bus = await connectRabbitBus({ url: broker.url, topology, log: silentLog })
  const connection = await connect(broker.url)
  const channel = await connection.createConfirmChannel()
  await channel.assertQueue('bare', { durable: true, arguments: { 'x-queue-type': 'quorum' } })
  const perSecond = (ms: number) => [(1000 * EVENTS) / ms]

  async function drain(): Promise<void> {
    const drained = Promise.withResolvers<void>()
    let removed = 0
    const [source] = documents.sources as [OutboxSource]
    const counted: OutboxSource = {
      ...source,
      async remove(published) {
        await source.remove(published)
        removed += 1
        if (removed === EVENTS) drained.resolve()
      },
    }
    const relay = startRelay({ bus, sources: [counted], log: silentLog, takeOverMs: 0 })
    await drained.promise
    await relay.stop()
  }

  const publish = () =>
    new Promise<void>((resolve, reject) => {
      const content = Buffer.from(JSON.stringify(newEvent()))
      channel.sendToQueue('bare', content, { persistent: true }, error => (error ? reject(error) : resolve()))
    })

  return {
    async ours() {
      const all = Array.from({ length: EVENTS }, () => ({ _id: randomUUID(), outbox: [newEvent()] }))
      await things.collection.insertMany(all as never[])
      return perSecond(await millisecondsOf(drain))
    },
    async plain() {
      let left = EVENTS
      const lane = async () => {
        while (left-- > 0) await publish()
      }
      return perSecond(await millisecondsOf(() => Promise.all(Array.from({ length: AT_ONCE }, lane))))
    },
    async close() {
      await connection.close()
      await bus.close()
      await documents.close()
      await mongo.stop()
      await broker.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const BUS_ROW: Row = {
  name: 'outbox',
  title: 'Outbox to broker',
  baseline: `amqplib alone with publisher confirms, ${AT_ONCE} at once, into a quorum queue`,
  figures: [{ name: 'events', unit: '/s', goal: { ratioAtLeast: 0.8 } }],
  inTheWay:
    'The baseline has no database and takes 36 µs per event in all. Here the database thread takes 12 µs to find an event, and 35 µs to remove it from its document and index once it is confirmed, in batches: decoding, encoding, two statements and the sync of the disk have about equal parts.',
  seconds: 25,
  open,
}
