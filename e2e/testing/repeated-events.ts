import { setTimeout as pass } from 'node:timers/promises'
import { type ConsumeMessage, connect } from 'amqplib'

const EXCHANGE = 'voxscribe.events'
const QUEUE = 'e2e.repeated-events'
const IS_COPY = 'e2e-copy'
/** Delay of every other copy, so that it arrives after its original has been handled; the others arrive during that. */
const LATER_MS = 2_000

/**
 * Publishes every other event a second time, as a broker does that missed an acknowledgment: each receiver gets it
 * twice, in any of its processes. If an earlier connection existed, events since then are repeated, too.
 */
export async function repeatEvents(rabbitUrl: string) {
  const connection = await connect(rabbitUrl)
  // The broker may be killed.
  connection.on('error', () => {})
  const channel = await connection.createConfirmChannel()
  await channel.assertQueue(QUEUE, { durable: true })
  await channel.bindQueue(QUEUE, EXCHANGE, '#')
  let [events, copies] = [0, 0]
  async function repeat(message: ConsumeMessage) {
    const { content, fields, properties } = message
    if (!properties.headers?.[IS_COPY] && events++ % 2 === 0) {
      copies += 1
      if (copies % 2) await pass(LATER_MS)
      const headers = { ...properties.headers, [IS_COPY]: true }
      channel.publish(EXCHANGE, fields.routingKey, content, { ...properties, headers })
      await channel.waitForConfirms()
    }
    channel.ack(message)
  }
  // If the connection is lost, a message is redelivered on the next one.
  await channel.consume(QUEUE, message => void (message && repeat(message).catch(() => {})))
  return { copies: () => copies, stop: () => connection.close() }
}
