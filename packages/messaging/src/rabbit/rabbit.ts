import type { Envelope } from '@voxscribe/contracts/events'
import { AmqpConnectionManagerClass } from 'amqp-connection-manager'
import { type Channel, connect } from 'amqplib'
import type { Logger } from 'pino'
import type { Bus, BusOptions, Subscription } from '../bus.ts'
import {
  CLOSE_WAIT_MS,
  checkSubscription,
  DEAD_LETTER_TTL_MS,
  DELAYS_MS,
  PUBLISH_WAIT_MS,
  queueName,
  routeOf,
} from '../bus.ts'
import { createRetries } from '../retries.ts'
import { carrierFor } from '../tracing.ts'
import { settledWithin } from '../within.ts'
import { openBroadcast } from './broadcast.ts'
import type { Consumer } from './consumer.ts'
import { startConsumer } from './consumer.ts'
import { openDeadLetterQueues } from './dead-letters.ts'
import { DUE_AT } from './message.ts'
import { createPublisher } from './publisher.ts'
import { checkingFirst } from './recovering-channel.ts'
import { assertLayout, checkLayout } from './topology.ts'

const CONNECT_WAIT_MS = 30_000
const RECONNECT_SECONDS = 1
/** Interval between log lines about a broker that stays away. */
const LOG_EVERY_MS = 60_000
const LET_GO_MS = 2_000
/** A whole layout takes seconds on a slow machine. Parts created before a timeout exist at the next try. */
const ANSWER_WAIT_MS = 30_000

interface RabbitOptions extends BusOptions {
  /** `amqp://user:password@host:5672/vhost` */
  url: string
  exchange?: string
  /** Whether all queues are declared at each start, or only checked, and created if missing. Default: true. */
  declares?: boolean
  /** Longest time in ms for the broker to answer a call other than a publish; default: 30,000. */
  answerWaitMs?: number
}

/**
 * Connects to RabbitMQ 3.10 or later. Waits up to 30 s for the broker, then rejects; once connected, it reconnects by
 * itself. Every bus ensures that the whole topology exists, so an event that is published before its receiver's first
 * start is kept for it.
 */
export async function connectRabbitBus(options: RabbitOptions): Promise<Bus> {
  const { url, topology, log, observer, delaysMs = DELAYS_MS } = options
  const { deadLetterTtlMs: ttlMs = DEAD_LETTER_TTL_MS, answerWaitMs = ANSWER_WAIT_MS } = options
  const { declares = true } = options
  const layout = { exchange: options.exchange ?? 'voxscribe.events', topology, delaysMs, ttlMs }
  const { connections, blocked, disconnect } = await connectTo(url, log)
  const link = { connections, log, answerWaitMs }
  const makeLayout = (channel: Channel) => assertLayout(channel, layout)
  const publisher = createPublisher(link, {
    setUp: checkingFirst(channel => checkLayout(channel, layout), makeLayout, declares),
    repair: makeLayout,
    waitMs: options.publishWaitMs ?? PUBLISH_WAIT_MS,
  })
  await publisher.opened.catch(async error => {
    await publisher.close(0)
    await disconnect()
    throw error
  })
  const deadLetters = openDeadLetterQueues(link, publisher, layout)
  const broadcast = openBroadcast(link, layout.exchange)
  const consumers = new Map<string, Consumer>()
  const retries = createRetries()
  const ending = new AbortController()
  const closing = ending.signal
  let closed: Promise<void> | undefined

  async function publish(event: Envelope) {
    closing.throwIfAborted()
    const { routingKey } = routeOf(topology, event).event
    await publisher.send({
      exchange: layout.exchange,
      routingKey,
      content: Buffer.from(JSON.stringify(event)),
      messageId: event.id,
      headers: { ...carrierFor(event), [DUE_AT]: Date.now() },
    })
  }

  async function subscribe(subscription: Subscription) {
    closing.throwIfAborted()
    checkSubscription(topology, subscription)
    const queue = queueName(subscription.service, subscription.event)
    if (consumers.has(queue)) throw new Error(`${queue} has a subscriber already`)
    const rules = { ...layout, retries, closing }
    const consumer = startConsumer(link, { publisher, layout, subscription, observer, rules, declares })
    consumers.set(queue, consumer)
    await consumer.opened.catch(async error => {
      consumers.delete(queue)
      await consumer.close(0)
      throw error
    })
  }

  function health() {
    const idle = [...consumers.values()].filter(consumer => !consumer.isOpen()).map(({ queue }) => queue)
    if (closing.aborted) return { ok: false, detail: 'closed' }
    if (!connections.isConnected()) return { ok: false, detail: 'not connected to RabbitMQ' }
    if (blocked()) return { ok: false, detail: `RabbitMQ takes no messages: ${blocked()}` }
    if (!publisher.isOpen()) return { ok: false, detail: 'no channel to publish on' }
    if (idle.length) return { ok: false, detail: `not consuming ${idle.join(', ')}` }
    return { ok: true, detail: 'connected to RabbitMQ' }
  }

  async function close() {
    // The publisher closes last, because messages of handlers that fail now must still be moved.
    await Promise.all([...consumers.values()].map(consumer => consumer.close(CLOSE_WAIT_MS)))
    await broadcast.close()
    await publisher.close(LET_GO_MS)
    await disconnect()
  }

  return {
    publish,
    subscribe,
    broadcast(topic, data) {
      if (!closing.aborted) broadcast.send(topic, data)
    },
    onBroadcast: broadcast.listen,
    deadLetters: deadLetters.list,
    requeue: deadLetters.requeue,
    dropDeadLetters: deadLetters.drop,
    retrying: retries.oldest,
    health,
    closing,
    close: () => {
      ending.abort(new Error('The bus is closed'))
      closed ??= close()
      return closed
    },
  }
}

/** Connects once and disconnects. Returns the broker's name and version; rejects at the first failure. */
export async function askBroker(url: string): Promise<string> {
  const broker = await connect(url, { timeout: 10_000 })
  const { product, version } = broker.connection.serverProperties
  await broker.close()
  return `${product} ${version}`
}

/**
 * Connects, and reconnects automatically. Uses nothing else of amqp-connection-manager: its channel wrapper
 * acknowledges on whatever channel is current, and doesn't reopen a channel that the broker closed alone.
 */
async function connectTo(url: string, log: Logger) {
  const connections = new AmqpConnectionManagerClass(url, {
    heartbeatIntervalInSeconds: 10,
    reconnectTimeInSeconds: RECONNECT_SECONDS,
    connectionOptions: { timeout: 10_000 },
  })
  let blockedBecause: string | undefined
  connections.on('blocked', ({ reason }) => {
    blockedBecause = reason
    log.warn({ reason }, 'RabbitMQ takes no messages for now')
  })
  connections.on('unblocked', () => {
    blockedBecause = undefined
  })
  connections.on('disconnect', ({ err }) => {
    blockedBecause = undefined
    log.warn({ err }, 'Lost the connection to RabbitMQ')
  })
  let tries = 0
  let logAgainAt = 0
  connections.on('connectFailed', ({ err }) => {
    tries += 1
    if (performance.now() < logAgainAt) return
    logAgainAt = performance.now() + LOG_EVERY_MS
    log.warn({ err, tries }, 'Could not connect to RabbitMQ')
  })
  connections.on('connect', () => {
    tries = 0
    logAgainAt = 0
    log.info('Connected to RabbitMQ')
  })
  const disconnect = async () => {
    await settledWithin(LET_GO_MS, connections.close())
  }
  try {
    await connections.connect({ timeout: CONNECT_WAIT_MS })
  } catch (error) {
    await disconnect()
    throw error
  }
  return { connections, blocked: () => blockedBecause, disconnect }
}
