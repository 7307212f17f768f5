import type { ConfirmChannel } from 'amqplib'
import PQueue from 'p-queue'
import { settledWithin, within } from '../within.ts'
import { createRecoveringChannel, type Link, NOT_FOUND } from './recovering-channel.ts'

export interface Shipment {
  exchange: string
  routingKey: string
  content: Buffer
  messageId: string
  headers: Record<string, string | number>
  /** Milliseconds after which the broker drops the message. */
  expiration?: number
}

export type Publisher = ReturnType<typeof createPublisher>

/** Publishes with confirms. Nothing is retried here: an event stays in its outbox until it is confirmed. */
export function createPublisher(
  link: Link,
  deps: {
    setUp(channel: ConfirmChannel): Promise<void>
    /** Creates exchanges and queues that were deleted. */
    repair?(channel: ConfirmChannel): Promise<void>
    /** Longest wait of a message for its confirm. */
    waitMs: number
    /** Limit of unconfirmed messages, as amqplib keeps all of them in memory. */
    maxUnconfirmed?: number
  },
) {
  const { waitMs, maxUnconfirmed = 256 } = deps
  const slots = new PQueue({ concurrency: maxUnconfirmed })
  /** Functions that reject the unconfirmed messages, by correlation id. */
  const unconfirmed = new Map<string, (error: Error) => void>()
  let sent = 0
  let closed = false
  let isRepairing = false
  let lacksExchange = false

  const recovering = createRecoveringChannel(link, 'publisher', async channel => {
    if (lacksExchange) await deps.repair?.(channel)
    lacksExchange = false
    await deps.setUp(channel)
    channel.on('error', ({ code }: { code?: number }) => {
      lacksExchange = code === NOT_FOUND
    })
    // `mandatory`: a message that no queue takes is returned, just before its confirm.
    channel.on('return', ({ properties, fields }) => {
      const { routingKey } = fields as { routingKey: string }
      unconfirmed.get(properties.correlationId)?.(new Error(`No queue takes ${routingKey}`))
      void repair(channel)
    })
  })

  async function repair(channel: ConfirmChannel): Promise<void> {
    if (isRepairing) return
    isRepairing = true
    try {
      await deps.repair?.(channel)
    } catch (err) {
      link.log.warn({ err }, 'What is missing on the broker could not be made')
    } finally {
      isRepairing = false
    }
  }

  function openChannel(): ConfirmChannel {
    if (closed) throw new Error('The bus is closed')
    const channel = recovering.current()
    if (!channel) throw new Error('There is no channel to publish on')
    return channel
  }

  /** Resolves with the confirm. amqplib rejects unconfirmed messages if the channel is lost. */
  function confirmed({ exchange, routingKey, content, ...options }: Shipment): Promise<void> {
    const channel = openChannel()
    const correlationId = `${++sent}`
    const properties = { contentType: 'application/json', persistent: true, mandatory: true, correlationId }
    return new Promise<void>((resolve, reject) => {
      unconfirmed.set(correlationId, reject)
      channel.publish(exchange, routingKey, content, { ...properties, ...options }, error =>
        error
          ? reject(new Error(`The broker refused a message for ${routingKey}`, { cause: error }))
          : resolve(),
      )
    }).finally(() => unconfirmed.delete(correlationId))
  }

  return {
    opened: recovering.opened,
    isOpen: () => recovering.current() !== undefined,
    /** Resolves once the broker confirms, however late. Rejects if no queue takes the message or no channel is open. */
    async move(shipment: Shipment): Promise<void> {
      openChannel()
      await slots.add(() => confirmed(shipment))
    },
    /** Like `move`, but rejects after `waitMs`. */
    async send(shipment: Shipment): Promise<void> {
      openChannel()
      let isLate = false
      // A late message keeps its slot: amqplib or the broker still holds it.
      const done = slots.add(async () => {
        if (!isLate) await confirmed(shipment)
      })
      await within(waitMs, done, () => {
        isLate = true
        throw new Error(`The broker did not confirm ${shipment.routingKey} in time`)
      })
    },
    async close(closeWaitMs: number): Promise<void> {
      closed = true
      await settledWithin(closeWaitMs, slots.onIdle())
      for (const reject of unconfirmed.values())
        reject(new Error('The bus closed before the broker confirmed'))
      await recovering.close()
    },
  }
}
