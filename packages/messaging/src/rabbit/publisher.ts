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

type Pending = PromiseWithResolvers<void> & { shipment: Shipment }

/** Publishes with confirms. Nothing is sent again here: an event stays in its outbox until it is confirmed. */
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
  const waiting = new Set<Pending>()
  /** By correlation id. */
  const unconfirmed = new Map<string, Pending>()
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
      opened.on('return', ({ properties, fields }) => {
        const { routingKey } = fields as { routingKey: string }
        unconfirmed.get(properties.correlationId)?.reject(new Error(`No queue takes ${routingKey}`))
      })
      channel = opened
    },
    lost(lostOne) {
      if (channel !== lostOne) return
      channel = undefined
      rejectAll('The channel was lost before the broker confirmed')
    },
  })

  function rejectAll(reason: string) {
    for (const pending of [...waiting, ...unconfirmed.values()]) pending.reject(new Error(reason))
    unconfirmed.clear()
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
    const options = { ...properties, correlationId, messageId, headers, expiration }
    unconfirmed.set(correlationId, pending)
    try {
      to.publish(exchange, routingKey, content, options, error => {
        unconfirmed.delete(correlationId)
        if (error)
          pending.reject(new Error(`The broker refused a message for ${routingKey}`, { cause: error }))
        else pending.resolve()
        sendWaiting()
      })
    } catch (thrown) {
      unconfirmed.delete(correlationId)
      pending.reject(asError(thrown))
    }
  }

  /** Resolves when the broker has confirmed it. Rejects when no queue takes it, without a channel, or after `waitMs`. */
  function send(shipment: Shipment): Promise<void> {
    if (closed) return Promise.reject(new Error('The bus is closed'))
    if (!channel) return Promise.reject(new Error('There is no channel to publish on'))
    // A late message keeps its place among the unconfirmed: amqplib or the broker still holds it.
    const pending = { shipment, ...Promise.withResolvers<void>() }
    const late = () => pending.reject(new Error(`The broker did not confirm ${shipment.routingKey} in time`))
    const timer = setTimeout(late, waitMs)
    waiting.add(pending)
    sendWaiting()
    return pending.promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(pending)
    })
  }

  return {
    opened: kept.opened,
    isOpen: kept.isOpen,
    send,
    async close(closeWaitMs: number): Promise<void> {
      closed = true
      const unfinished = [...waiting, ...unconfirmed.values()].map(({ promise }) => promise)
      await settledWithin(closeWaitMs, Promise.allSettled(unfinished))
      rejectAll('The bus closed before the broker confirmed')
      await kept.close()
    },
  }
}
