import { EventEmitter } from 'node:events'
import type { AmqpConnectionManager } from 'amqp-connection-manager'
import { pino } from 'pino'
import { createRecoveringChannel } from './recovering-channel.ts'

/** Creates channels whose `close` is answered, or never, as when the connection is lost. */
function keep(close: () => Promise<void>, setUp: (nth: number) => Promise<void>) {
  const channels: EventEmitter[] = []
  const connection = {
    async createConfirmChannel() {
      const channel = Object.assign(new EventEmitter(), { close })
      channels.push(channel)
      return channel
    },
  }
  const connections = Object.assign(new EventEmitter(), { connection }) as unknown as AmqpConnectionManager
  const link = { connections, log: pino({ level: 'silent' }), answerWaitMs: 50 }
  const recovering = createRecoveringChannel(link, 'a channel', () => setUp(channels.length))
  return { recovering, channels }
}
const never = () => new Promise<void>(() => {})

test('when the broker never answers its set-up, then it is closed and another one is opened', async () => {
  let closed = 0
  const { recovering, channels } = keep(
    async () => {
      closed += 1
    },
    async nth => (nth === 1 ? never() : undefined),
  )
  await recovering.opened
  expect({ opened: channels.length, closed }).toEqual({ opened: 2, closed: 1 })
  await recovering.close()
})

test('when the connection is lost while it closes, then closing ends', async () => {
  const { recovering } = keep(never, async () => {})
  await recovering.opened
  await recovering.close()
})
