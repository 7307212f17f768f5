import { randomUUID } from 'node:crypto'
import type { Channel } from 'amqplib'
import type { BroadcastListener } from '../bus.ts'
import { createListeners } from '../in-process.ts'
import { answered, createRecoveringChannel, type Link, type RecoveringChannel } from './recovering-channel.ts'

/** If a process receives more slowly than others send, the oldest messages are dropped. */
const WAITING_MAX = 1_000
const UNHEARD_MAX = 100

export const broadcastName = (exchange: string) => `${exchange}.broadcast`

/**
 * Opens broadcasts to the listeners of a topic in all processes. Each process has one queue, which is deleted with its
 * connection; a topic is bound to it while it has a listener. Nothing is stored: without a channel, or with a full one,
 * a message is dropped, except for listeners in this process. The channel is opened when first needed.
 */
export function openBroadcast(link: Link, eventExchange: string) {
  const { log, answerWaitMs } = link
  const exchange = broadcastName(eventExchange)
  const listeners = createListeners(log)
  /** Marks messages from this process, whose listeners have already received them. */
  const appId = randomUUID()
  let recovering: RecoveringChannel | undefined
  /** This process's queue, once topics can be bound to it. */
  let bindable: { channel: Channel; queue: string } | undefined
  let isFull = false

  async function setUp(channel: Channel) {
    await channel.assertExchange(exchange, 'direct', { durable: true })
    const limits = { 'x-max-length': WAITING_MAX, 'x-overflow': 'drop-head' }
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, arguments: limits })
    bindable = { channel, queue }
    channel.once('close', () => {
      if (bindable?.channel === channel) bindable = undefined
    })
    await Promise.all(listeners.topics().map(topic => channel.bindQueue(queue, exchange, topic)))
    await channel.prefetch(UNHEARD_MAX)
    await channel.consume(queue, message => {
      if (!message) return
      channel.ack(message)
      if (message.properties.appId === appId) return
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

  /** Binds or unbinds a topic. A channel that is opened later binds the topics that have listeners by then. */
  async function change(how: 'bindQueue' | 'unbindQueue', topic: string): Promise<void> {
    if (!bindable) return
    const { channel, queue } = bindable
    await answered(
      answerWaitMs,
      Promise.try(() => channel[how](queue, exchange, topic)),
    ).catch(err => log.info({ err }, 'A topic could not be bound or unbound'))
  }

  return {
    async listen(topic: string, listener: BroadcastListener): Promise<() => void> {
      const remove = listeners.add(topic, listener)
      await needed().opened
      await change('bindQueue', topic)
      return () => {
        if (remove()) void change('unbindQueue', topic)
      }
    },
    send(topic: string, data: unknown): void {
      setImmediate(listeners.receive, topic, data)
      const channel = needed().current()
      if (!channel || isFull) return
      try {
        isFull = !channel.publish(exchange, topic, Buffer.from(JSON.stringify(data)), { appId })
      } catch (err) {
        log.warn({ err }, 'Could not broadcast')
      }
    },
    close: async () => recovering?.close(),
  }
}
