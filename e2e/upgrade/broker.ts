import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import type { RabbitServer } from '@voxscribe/messaging/testing'
import { connect } from 'amqplib'
import mongoose from 'mongoose'

/** Collections in which 0.1.0 had events that were not sent yet. */
const UNSENT = { auth: 'users', billing: 'accounts', ingestion: 'media' }

/**
 * Makes of what 0.1.0 left in one process what it leaves on a broker: in its own exchanges and queues (from
 * `make-queues.ts`) are the events that wait in the documents, one of them for its second try, and the dead letters.
 */
export async function moveToBroker(dataDir: string, rabbit: RabbitServer): Promise<void> {
  await rabbit.control('import_definitions', join(import.meta.dirname, 'v010-queues.json'))
  const connection = await connect(rabbit.url)
  const channel = await connection.createConfirmChannel()
  const send = (exchange: string, routingKey: string, message: Unsent, headers: object) =>
    channel.publish(exchange, routingKey, Buffer.from(JSON.stringify(message)), {
      ...{ persistent: true, mandatory: true, messageId: message.id, headers },
    })
  for (const event of await takeUnsent(dataDir)) {
    const headers = { 'x-due-at': Date.now() }
    if (event.type === 'quota-reserved')
      send('voxscribe.events.delay.1000', 'transcription.quota-reserved', event, {
        ...headers,
        'x-attempt': 1,
      })
    else send('voxscribe.events', `${event.type}.v${event.version}`, event, headers)
  }
  const file = join(dataDir, 'dead-letters.jsonl')
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { queue, reason, attempts, at, message } = JSON.parse(line)
    const headers = { 'x-attempt': attempts, 'x-reason': reason, 'x-given-up-at': at }
    send('', `${queue}.dead`, message, headers)
  }
  await channel.waitForConfirms()
  await connection.close()
  rmSync(file)
}

interface Unsent {
  id: string
  type: string
  version: number
}

async function takeUnsent(dataDir: string): Promise<Unsent[]> {
  const mongo = await startEmbeddedMongo({ path: join(dataDir, 'mongo') })
  const connection = await mongoose.createConnection(mongo.url).asPromise()
  const events: Unsent[] = []
  for (const [service, name] of Object.entries(UNSENT)) {
    const collection = connection.useDb(`voxscribe_${service}`).collection(name)
    for (const { _id, outbox } of await collection.find({ 'outbox.id': { $gt: '' } }).toArray()) {
      events.push(...outbox)
      await collection.updateOne({ _id }, { $set: { outbox: [] } })
    }
  }
  await connection.close()
  await mongo.stop()
  if (events.length !== 3) throw new Error(`0.1.0 had not sent 3 events, but ${events.length}`)
  return events
}
