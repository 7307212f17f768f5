import type { AmqpConnectionManager } from 'amqp-connection-manager'
import type { ConfirmChannel } from 'amqplib'
import type { Logger } from 'pino'
import { asError } from '../bus.ts'
import { settledWithin } from '../within.ts'
import { keepChannel } from './kept-channel.ts'

export interface Shipment {
  exchange: string
  routingKey: string
  content: Buffer
  messageId: string
  headers: Record<string, string | number>
  /** Milliseconds after which the broker drops it. */
  expiration?: number
}

export type Publisher = ReturnType<typeof createPublisher>

interface Pending {
  shipment: Shipment
  settled: boolean
  resolve(): void
  reject(error: Error): void
}

export function createPublisher(deps: {
  connections: AmqpConnectionManager
  log: Logger
  setUp(channel: ConfirmChannel): Promise<void>
  /** How long a message may wait for its confirm. */
  waitMs: number
  answerWaitMs: number
  /** Unconfirmed messages at once: amqplib keeps whatever it is given in memory. */
  maxUnconfirmed?: number
}) {
  const { connections, log, waitMs, answerWaitMs, maxUnconfirmed = 256 } = deps
  /** In sending order; a message that is late is removed. */
  let waiting = new Set<Pending>()
  /** By correlation id, in the order they were sent. */
  const unconfirmed = new Map<string, Pending>()
  const unfinished = new Set<Promise<void>>()
  let channel: ConfirmChannel | undefined
  let sent = 0
  let closed = false

  const kept = keepChannel<ConfirmChannel>({
    connections,
    log,
    answerWaitMs,
    name: 'publisher',
    create: connection => connection.createConfirmChannel(),
    async setUp(opened) {
      await deps.setUp(opened)
      // `mandatory`: a message that no queue takes comes back, just before its confirm.
      opened.on('return', ({ properties, fields }) =>
        settle(
          properties.correlationId,
          new Error(`No queue takes ${(fields as { routingKey: string }).routingKey}`),
        ),
      )
      channel = opened
      sendWaiting()
    },
    lost(lostOne) {
      if (channel === lostOne) takeBack()
    },
  })

  /** Puts the messages that were unconfirmed when their channel closed back at the front. */
  function takeBack() {
    channel = undefined
    waiting = new Set([...unconfirmed.values(), ...waiting].filter(({ settled }) => !settled))
    unconfirmed.clear()
  }

  function settle(correlationId: string, error?: Error) {
    const pending = unconfirmed.get(correlationId)
    if (error) pending?.reject(error)
    else pending?.resolve()
  }

  function sendWaiting() {
    for (const pending of waiting) {
      if (!channel || unconfirmed.size >= maxUnconfirmed) return
      waiting.delete(pending)
      sendOn(channel, pending)
    }
  }

  function sendOn(to: ConfirmChannel, pending: Pending) {
    const { exchange, routingKey, content, messageId, headers, expiration } = pending.shipment
    const correlationId = `${++sent}`
    const properties = { contentType: 'application/json', persistent: true, mandatory: true }
    const confirmed = (err: Error | null) => {
      // A channel that closes fails its confirms; those messages are sent again by the next channel.
      if (err && err.message !== 'message nacked') return
      settle(correlationId, err ? new Error(`The broker refused a message for ${routingKey}`) : undefined)
      unconfirmed.delete(correlationId)
      sendWaiting()
    }
    unconfirmed.set(correlationId, pending)
    try {
      to.publish(
        exchange,
        routingKey,
        content,
        { ...properties, correlationId, messageId, headers, expiration },
        confirmed,
      )
    } catch (thrown) {
      // The channel is closed already.
      if (asError(thrown).name === 'IllegalOperationError') return takeBack()
      unconfirmed.delete(correlationId)
      pending.reject(asError(thrown))
    }
  }

  /**
   * Resolves when the broker has confirmed it. A message still unconfirmed when the connection is lost is sent again.
   * Rejects when no queue takes it, when the broker refuses it, or after `waitMs`.
   */
  function send(shipment: Shipment): Promise<void> {
    if (closed) return Promise.reject(new Error('The bus is closed'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const finish = (settling: () => void) => {
      pending.settled = true
      clearTimeout(timer)
      unfinished.delete(promise)
      // Without a broker, late messages would pile up here until it comes back.
      waiting.delete(pending)
      settling()
    }
    // A late message keeps its place among the unconfirmed: amqplib or the broker still holds it.
    const pending: Pending = {
      shipment,
      settled: false,
      resolve: () => finish(resolve),
      reject: error => finish(() => reject(error)),
    }
    const late = () => pending.reject(new Error(`The broker did not confirm ${shipment.routingKey} in time`))
    const timer = setTimeout(late, waitMs)
    unfinished.add(promise)
    waiting.add(pending)
    sendWaiting()
    return promise
  }

  return {
    opened: kept.opened,
    isOpen: kept.isOpen,
    send,
    async close(closeWaitMs: number): Promise<void> {
      closed = true
      await settledWithin(closeWaitMs, Promise.allSettled(unfinished))
      for (const pending of [...waiting, ...unconfirmed.values()]) {
        pending.reject(new Error('The bus closed before the broker confirmed'))
      }
      await kept.close()
    },
  }
}
