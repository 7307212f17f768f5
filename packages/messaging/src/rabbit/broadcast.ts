import type { Channel } from 'amqplib'
import type { BroadcastListener } from '../bus.ts'
import { createListeners } from '../in-process.ts'
import { createRecoveringChannel, type Link, type RecoveringChannel } from './recovering-channel.ts'

/** When a process receives more slowly than others send, the oldest messages are dropped. */
const WAITING_MAX = 1_000
const UNHEARD_MAX = 100

export const broadcastName = (exchange: string) => `${exchange}.broadcast`

/**
 * Broadcasts to all processes of a service: each listens on its own queue, which is deleted with its connection. Nothing
 * is stored: without a channel, or with a full one, a message is dropped. The channel is opened when first needed.
 */
export function openBroadcast(link: Link, eventExchange: string) {
  const { log } = link
  const exchange = broadcastName(eventExchange)
  const listeners = createListeners(log)
  let recovering: RecoveringChannel | undefined
  let queue = ''
  let isFull = false

  async function setUp(channel: Channel) {
    await channel.assertExchange(exchange, 'direct', { durable: true })
    const limits = { 'x-max-length': WAITING_MAX, 'x-overflow': 'drop-head' }
    const made = await channel.assertQueue('', { exclusive: true, autoDelete: true, arguments: limits })
    queue = made.queue
    await Promise.all(listeners.services().map(service => channel.bindQueue(queue, exchange, service)))
    await channel.prefetch(UNHEARD_MAX)
    await channel.consume(queue, message => {
      if (!message) return
      channel.ack(message)
      try {
        listeners.receive(message.fields.routingKey, JSON.parse(message.content.toString()))
      } catch (err) {
        log.warn({ err }, 'A broadcast cannot be read')
      }
    })
    channel.on('drain', () => {
      isFull = false
    })
    isFull = false
  }

  function needed(): RecoveringChannel {
    recovering ??= createRecoveringChannel(link, 'broadcast', setUp)
    return recovering
  }

  return {
    async receive(service: string, listener: BroadcastListener): Promise<void> {
      listeners.add(service, listener)
      await needed().opened
      await needed().current()?.bindQueue(queue, exchange, service)
    },
    send(service: string, data: unknown): void {
      const channel = needed().current()
      if (!channel || isFull) return
      try {
        isFull = !channel.publish(exchange, service, Buffer.from(JSON.stringify(data)))
      } catch (err) {
        log.warn({ err }, 'Could not broadcast')
      }
    },
    close: async () => recovering?.close(),
  }
}
