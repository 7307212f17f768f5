// Events per second through the bus, beside what bare amqplib does with the same messages on the same broker.
// Run: node bench/messaging.ts [events] — with RABBITMQ_URL, or Debian's rabbitmq-server installed.
import { randomUUID } from 'node:crypto'
import { MediaExpired } from '@voxscribe/contracts/events'
import type { Bus, Topology } from '@voxscribe/messaging'
import { createInProcessBus } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { connect } from 'amqplib'
import { pino } from 'pino'

const EVENTS = Number(process.argv[2] ?? 20_000)
/** Publishes at once: what the relay allows. */
const AT_ONCE = 100
const log = pino({ level: 'silent' })
const service = `bench-${randomUUID()}`
const topology: Topology = { MediaExpired: { event: MediaExpired, to: [service] } }
const events = Array.from({ length: EVENTS }, () =>
  MediaExpired.create({ mediaId: randomUUID(), userId: 'bench' }),
)

async function measure(name: string, run: () => Promise<void>) {
  const started = performance.now()
  await run()
  const seconds = (performance.now() - started) / 1000
  console.log(`${name.padEnd(44)} ${Math.round(EVENTS / seconds)} events/s`)
}

async function inLanes(publish: (event: (typeof events)[number]) => Promise<void>) {
  let next = 0
  const lane = async () => {
    while (next < events.length) await publish(events[next++]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

async function measureBus(name: string, bus: Bus) {
  let handled = 0
  const all = Promise.withResolvers<void>()
  const handle = async () => {
    if (++handled === EVENTS) all.resolve()
  }
  await bus.subscribe({ service, event: MediaExpired, concurrency: AT_ONCE, handle })
  await measure(`${name}, published and handled`, async () => {
    await inLanes(event => bus.publish(event))
    await all.promise
  })
  await bus.close()
}

async function measureBare(url: string) {
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  const queue = `bare-${service}`
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } })
  const publish = (event: object) =>
    new Promise<void>((resolve, reject) => {
      const content = Buffer.from(JSON.stringify(event))
      channel.sendToQueue(queue, content, { persistent: true }, error => (error ? reject(error) : resolve()))
    })
  let handled = 0
  const all = Promise.withResolvers<void>()
  const consumer = await connection.createChannel()
  await consumer.prefetch(AT_ONCE)
  await consumer.consume(queue, message => {
    consumer.ack(message!)
    if (++handled === EVENTS) all.resolve()
  })
  await measure('bare amqplib, published and acknowledged', async () => {
    await inLanes(publish)
    await all.promise
  })
  await channel.deleteQueue(queue)
  await connection.close()
}

await measureBus('in-process', createInProcessBus({ topology, log }))
const own = process.env.RABBITMQ_URL ? null : await startRabbitServer()
const url = process.env.RABBITMQ_URL ?? own?.url
if (url) {
  const exchange = `bench.${service}`
  await measureBare(url)
  await measureBus('RabbitMQ', await connectRabbitBus({ url, topology, log, exchange }))
  await measureBare(url)
} else {
  console.log('RabbitMQ is not here: install rabbitmq-server or set RABBITMQ_URL')
}
await own?.stop()
