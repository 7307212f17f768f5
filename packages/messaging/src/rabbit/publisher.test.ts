import { EventEmitter } from 'node:events'
import type { AmqpConnectionManager } from 'amqp-connection-manager'
import { pino } from 'pino'
import { eventually } from '../testing/eventually.ts'
import { createPublisher } from './publisher.ts'

type Confirm = (err: Error | null) => void

/** Creates a broker that confirms on request. */
function scriptedBroker() {
  const unconfirmed: { text: string; confirm: Confirm }[] = []
  let channel = newChannel()
  function newChannel() {
    const opened = Object.assign(new EventEmitter(), {
      publish(_exchange: string, _key: string, content: Buffer, _options: object, confirm: Confirm) {
        unconfirmed.push({ text: content.toString(), confirm })
        return false
      },
      close: async () => {},
    })
    return opened
  }
  const connection = {
    createConfirmChannel: async () => {
      channel = newChannel()
      return channel
    },
  }
  const connections = Object.assign(new EventEmitter(), { connection })
  /** Drops the channel as amqplib does: unconfirmed messages fail, then the channel is closed. */
  function dropChannel() {
    for (const { confirm } of unconfirmed.splice(0)) confirm(new Error('channel closed'))
    channel.emit('close')
  }
  return {
    connections: connections as unknown as AmqpConnectionManager,
    unconfirmed,
    texts: () => unconfirmed.map(({ text }) => text),
    dropChannel,
  }
}

async function open(options: { maxUnconfirmed?: number; waitMs?: number } = {}) {
  const broker = scriptedBroker()
  const link = { connections: broker.connections, log: pino({ level: 'silent' }), answerWaitMs: 5_000 }
  const publisher = createPublisher(link, { setUp: async () => {}, waitMs: 5_000, ...options })
  await publisher.opened
  const shipment = (text: string) => ({
    exchange: 'e',
    routingKey: 'k',
    content: Buffer.from(text),
    messageId: text,
    headers: {},
  })
  const send = (text: string) => publisher.send(shipment(text))
  const move = (text: string) => publisher.move(shipment(text))
  return { broker, publisher, send, move }
}

test('when the broker is slow to confirm, then no more than the limit is handed to it', async () => {
  const { broker, publisher, send } = await open({ maxUnconfirmed: 2 })
  const sent = ['a', 'b', 'c'].map(send)
  expect(broker.texts()).toEqual(['a', 'b'])
  broker.unconfirmed.shift()!.confirm(null)
  await eventually(() => expect(broker.texts()).toEqual(['b', 'c']))
  for (const { confirm } of broker.unconfirmed.splice(0)) confirm(null)
  await Promise.all(sent)
  await publisher.close(0)
})

test('when a confirm is late, then publish rejects, but the message keeps its place', async () => {
  const { broker, publisher, send } = await open({ maxUnconfirmed: 1, waitMs: 3_000 })
  await expect(send('a')).rejects.toThrow('in time')
  const next = send('b')
  expect(broker.texts()).toEqual(['a'])
  broker.unconfirmed.shift()!.confirm(null)
  await eventually(() => expect(broker.texts()).toEqual(['b']))
  broker.unconfirmed.shift()!.confirm(null)
  await next
  await publisher.close(0)
})

test('when a confirm is late, then a move waits for it', async () => {
  const { broker, publisher, send, move } = await open({ waitMs: 20 })
  const moved = move('a')
  await expect(send('b')).rejects.toThrow('in time')
  expect(broker.texts()).toEqual(['a', 'b'])
  for (const { confirm } of broker.unconfirmed.splice(0)) confirm(null)
  await moved
  await publisher.close(0)
})

test('when the channel is lost, then what was not confirmed rejects, and the next one is used', async () => {
  const { broker, publisher, send } = await open({ maxUnconfirmed: 2 })
  const sent = Promise.allSettled(['a', 'b', 'c'].map(send))
  broker.unconfirmed.shift()!.confirm(null)
  broker.dropChannel()
  expect((await sent).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  await expect(send('b')).rejects.toThrow('no channel')
  await eventually(() => expect(publisher.isOpen()).toBe(true))
  const again = send('b')
  broker.unconfirmed.shift()!.confirm(null)
  await again
  await publisher.close(0)
})

test('when the broker refuses a message, then its publish rejects', async () => {
  const { broker, publisher, send } = await open()
  const refused = send('a')
  broker.unconfirmed.shift()!.confirm(new Error('message nacked'))
  await expect(refused).rejects.toThrow('refused')
  await publisher.close(0)
})

test('when it is closed, then what is not confirmed rejects', async () => {
  const { publisher, send } = await open()
  const sent = expect(send('a')).rejects.toThrow('closed')
  await publisher.close(10)
  await sent
  await expect(send('b')).rejects.toThrow('closed')
})
