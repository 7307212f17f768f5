import { EventEmitter } from 'node:events'
import type { AmqpConnectionManager } from 'amqp-connection-manager'
import { pino } from 'pino'
import { createRetries } from '../retries.ts'
import { eventually } from '../testing/eventually.ts'
import { anEventForAlpha, sampleTopology } from '../testing/sample.ts'
import { startConsumer } from './consumer.ts'
import type { Publisher } from './publisher.ts'

/** Creates a channel that delivers one message and records what happens to it. */
function channelWith(event: object) {
  const fate: string[] = []
  const channel = Object.assign(new EventEmitter(), {
    assertQueue: async () => {},
    bindQueue: async () => {},
    prefetch: async () => {},
    cancel: async () => {},
    close: async () => {},
    async consume(_queue: string, take: (message: object) => void) {
      const content = Buffer.from(JSON.stringify(event))
      setImmediate(take, { content, properties: { headers: {} }, fields: {} })
      return { consumerTag: 'tag' }
    },
    ack: () => fate.push('acknowledged'),
    nack: () => fate.push('given back'),
  })
  return { channel, fate }
}

test('when the broker takes no failed message for a while, then it is kept until it does, and delivered once', async () => {
  const { channel, fate } = channelWith(anEventForAlpha('ada'))
  const connection = { createConfirmChannel: async () => channel }
  const connections = Object.assign(new EventEmitter(), { connection }) as unknown as AmqpConnectionManager
  const layout = { exchange: 'e', topology: sampleTopology(), delaysMs: [1_000], ttlMs: 60_000 }
  let [handled, sent] = [0, 0]
  const consumer = startConsumer(
    { connections, log: pino({ level: 'silent' }), answerWaitMs: 5_000 },
    {
      publisher: {
        async move() {
          sent += 1
          if (sent < 3) throw new Error('There is no channel to publish on')
        },
      } as unknown as Publisher,
      layout,
      subscription: {
        service: 'alpha',
        event: layout.topology.TranscriptionDeleted.event,
        async handle() {
          handled += 1
          throw new Error('The disk is full')
        },
      },
      rules: { ...layout, retries: createRetries(), closing: new AbortController().signal },
    },
  )
  await eventually(() => expect(fate).not.toEqual([]))
  expect({ fate, handled, sent }).toEqual({ fate: ['acknowledged'], handled: 1, sent: 3 })
  await consumer.close(0)
})
