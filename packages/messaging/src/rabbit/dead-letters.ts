import type { Channel, GetMessage } from 'amqplib'
import type { DeadLetter } from '../bus.ts'
import { createOneByOne } from '../one-by-one.ts'
import { copyOf, DUE_AT, letterOf } from './message.ts'
import type { Publisher } from './publisher.ts'
import { answered, closeInTime, type Link } from './recovering-channel.ts'
import type { Layout } from './topology.ts'
import { deadQueueOf, queuesOf } from './topology.ts'

/** Messages per queue that are listed or requeued at once. */
const AT_MOST = 1_000

export function openDeadLetterQueues(
  { connections, answerWaitMs }: Link,
  publisher: Publisher,
  { topology }: Layout,
) {
  const inTurn = createOneByOne()

  /** Runs one call at a time, as others can't see the messages that it holds. Closing the channel returns these. */
  function withChannel<T>(use: (channel: Channel) => Promise<T>): Promise<T> {
    return inTurn('channel', async () => {
      if (!connections.connection) throw new Error('The broker is away')
      const channel = await answered(answerWaitMs, connections.connection.createChannel())
      // The call that causes an error throws it.
      channel.on('error', () => {})
      return use(channel).finally(() => closeInTime(channel))
    })
  }

  const chosen = (queue?: string) => queuesOf(topology).filter(name => !queue || name === queue)

  async function take(channel: Channel, queue: string, atMost = AT_MOST) {
    const messages: GetMessage[] = []
    while (messages.length < atMost) {
      const message = await answered(answerWaitMs, channel.get(deadQueueOf(queue)))
      if (!message) break
      messages.push(message)
    }
    return messages
  }

  return {
    list: (queue?: string): Promise<DeadLetter[]> =>
      withChannel(async channel => {
        const letters: DeadLetter[] = []
        for (const name of chosen(queue)) {
          letters.push(...(await take(channel, name)).map(message => letterOf(name, message)))
        }
        return letters.sort((a, b) => a.at.localeCompare(b.at))
      }),
    requeue: (queue?: string): Promise<number> =>
      withChannel(async channel => {
        let count = 0
        for (const name of chosen(queue)) {
          // Takes all messages first, so that one that fails again at once isn't requeued twice.
          for (const message of await take(channel, name)) {
            const headers = { [DUE_AT]: Date.now() }
            await publisher.send(copyOf(message, { exchange: '', routingKey: name, headers }))
            channel.ack(message)
            count += 1
          }
        }
        return count
      }),
    drop: (service: string, isSuch: (message: unknown) => boolean): Promise<void> =>
      withChannel(async channel => {
        for (const name of chosen().filter(queue => queue.startsWith(`${service}.`)))
          for (const message of await take(channel, name, Number.POSITIVE_INFINITY))
            if (isSuch(letterOf(name, message).message)) channel.ack(message)
      }),
  }
}
