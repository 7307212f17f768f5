import { createHash } from 'node:crypto'
import type { Channel } from 'amqplib'
import type { Topology } from '../bus.ts'
import { queueName } from '../bus.ts'

/** Names and arguments of everything on the broker, the same for every service. */
export interface Layout {
  exchange: string
  topology: Topology
  delaysMs: number[]
  ttlMs: number
}

export const deadQueueOf = (queue: string) => `${queue}.dead`
export const delayName = (exchange: string, delayMs: number) => `${exchange}.delay.${delayMs}`
export const queuesOf = (topology: Topology) =>
  Object.values(topology).flatMap(({ event, to }) => to.map(service => queueName(service, event)))

/**
 * A message is redelivered whenever its consumer's process dies. One that keeps killing its consumer goes to the dead
 * letters after this many deliveries. The number is set for every version: unset means none in RabbitMQ 3.10 and 20 in
 * 4.0, and -1 ("none" in 4.x) makes 3.10 drop a message at its first return.
 */
const DELIVERY_LIMIT = 100
/** Listing and requeuing a dead letter count as deliveries, too. */
const UNLIMITED = 1_000_000_000

// The broker moves expired and given-up messages with internal confirms, so they survive a restart.
const HAND_OVER_SAFELY = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' }
const quorum = (options: Record<string, unknown>) => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', ...options },
})

/** Returns the name of an exchange that takes no messages: if it exists, exactly this layout has been created. */
function markOf({ exchange, topology, delaysMs }: Layout): string {
  const bound = Object.values(topology).map(({ event, to }) => [event.routingKey, ...to])
  const hash = createHash('sha256').update(JSON.stringify([bound, delaysMs]))
  return `${exchange}.layout.${hash.digest('hex').slice(0, 12)}`
}

/** Resolves if this layout has been created; otherwise rejects and closes the channel. */
export const checkLayout = (channel: Channel, layout: Layout) => channel.checkExchange(markOf(layout))

/** Creates everything that is missing; rejects if something exists with other settings. */
export async function assertLayout(channel: Channel, layout: Layout) {
  const { exchange, topology, delaysMs } = layout
  await channel.assertExchange(exchange, 'topic', { durable: true })
  const subscriptions = Object.values(topology).flatMap(({ event, to }) =>
    to.map(service => assertSubscription(channel, exchange, queueName(service, event), event.routingKey)),
  )
  const delays = delaysMs.map(delayMs => assertDelay(channel, exchange, delayMs))
  await Promise.all([...subscriptions, ...delays])
  await channel.assertExchange(markOf(layout), 'fanout', { durable: true, internal: true })
}

/** Creates the queue of one subscription and that of its dead letters. */
export async function assertSubscription(
  channel: Channel,
  exchange: string,
  queue: string,
  routingKey: string,
) {
  const dead = deadQueueOf(queue)
  const deadLettersTo = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': dead }
  await channel.assertQueue(dead, quorum({ 'x-delivery-limit': UNLIMITED }))
  await channel.assertQueue(
    queue,
    quorum({ 'x-delivery-limit': DELIVERY_LIMIT, ...deadLettersTo, ...HAND_OVER_SAFELY }),
  )
  await channel.bindQueue(queue, exchange, routingKey)
}

// All subscriptions share one queue per delay. Its messages expire in the order in which they came, and each returns
// through the default exchange to the queue whose name is its routing key.
async function assertDelay(channel: Channel, exchange: string, delayMs: number) {
  const name = delayName(exchange, delayMs)
  await channel.assertExchange(name, 'fanout', { durable: true })
  await channel.assertQueue(
    name,
    quorum({
      'x-message-ttl': delayMs,
      'x-delivery-limit': UNLIMITED,
      'x-dead-letter-exchange': '',
      ...HAND_OVER_SAFELY,
    }),
  )
  await channel.bindQueue(name, name, '')
}
