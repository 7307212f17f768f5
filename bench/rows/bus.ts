import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Envelope, MediaExpired } from '@voxscribe/contracts/events'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type OutboxSource, startRelay, type Topology } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { silentLog } from '@voxscribe/service/testing'
import { connect } from 'amqplib'
import { MongoClient } from 'mongodb'
import type { Row } from '../row.ts'
import { millisecondsOf } from '../system.ts'

const EVENTS = 2_000
/** Publishes at once: what the relay allows. */
const AT_ONCE = 100

interface Waiting {
  _id: string
  outbox: Envelope[]
}

const newEvent = () => MediaExpired.create({ mediaId: randomUUID(), userId: 'bench' })

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-bus-'))
  const broker = await startRabbitServer()
  if (!broker) throw new Error('RabbitMQ is not here: install rabbitmq-server')
  const mongo = await startEmbeddedMongo({ path: folder })
  const client = await new MongoClient(mongo.url).connect()
  const things = client.db('bench').collection<Waiting>('things')
  await things.createIndex({ 'outbox.id': 1 }, { sparse: true })
  const topology: Topology = { MediaExpired: { event: MediaExpired, to: ['bench'] } }
  const bus = await connectRabbitBus({ url: broker.url, topology, log: silentLog })
  const connection = await connect(broker.url)
  const channel = await connection.createConfirmChannel()
  await channel.assertQueue('bare', { durable: true, arguments: { 'x-queue-type': 'quorum' } })
  const perSecond = (ms: number) => [(1000 * EVENTS) / ms]

  async function drain(): Promise<void> {
    const drained = Promise.withResolvers<void>()
    let removed = 0
    const source: OutboxSource = {
      name: 'things',
      pending: async limit => {
        const found = await things
          .find({ 'outbox.id': { $gt: '' } })
          .limit(limit)
          .toArray()
        return found.map(({ _id, outbox }) => ({ key: _id, events: outbox }))
      },
      async remove(published) {
        const removals = published.map(({ key: _id, eventId: id }) => ({
          updateOne: { filter: { _id }, update: { $pull: { outbox: { id } } } },
        }))
        await things.bulkWrite(removals, { ordered: false })
        removed += published.length
        if (removed === EVENTS) drained.resolve()
      },
    }
    const relay = startRelay({ bus, sources: [source], log: silentLog, takeOverMs: 0 })
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
      await things.insertMany(all)
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
      await client.close()
      await mongo.stop()
      await broker.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const busRow: Row = {
  name: 'outbox',
  title: 'Outbox to broker',
  baseline: `amqplib alone with publisher confirms, ${AT_ONCE} at once, into a quorum queue`,
  figures: [
    {
      name: 'events',
      unit: '/s',
      before: 'not known',
      goal: { ratioAtLeast: 0.8 },
      inTheWay:
        'Each event is read from the database and taken out of its document after the confirm, in batches; the baseline has no database.',
    },
  ],
  seconds: 25,
  open,
}
