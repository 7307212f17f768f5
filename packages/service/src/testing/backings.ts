import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type Envelope,
  type EventName,
  type EventOf,
  flow,
  type HandlersFor,
  receivedBy,
  type Service,
} from '@voxscribe/contracts/events'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type Bus, createInProcessBus, type DeadLetter } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { eventually as passes } from '@voxscribe/messaging/testing'
import jsonwebtoken from 'jsonwebtoken'
import mongoose from 'mongoose'
import pino from 'pino'
import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '../http/tokens.ts'
import { keyId } from '../settings/keys.ts'
import type { Environment } from '../settings/settings.ts'

export const silentLog = pino({ level: 'silent' })

const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const testKeys = {
  privateKey: keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  publicKey: keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
}

/** Returns the `Authorization` header of a user, signed as auth would. */
export const tokenFor = (
  userId: string,
  seconds = 900,
  claims: { gen?: number; sid?: string; key?: string } = {},
): string =>
  `Bearer ${jsonwebtoken.sign({ gen: 0, ...claims }, keyPair.privateKey, {
    algorithm: 'ES256',
    keyid: keyId(keyPair.publicKey),
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    subject: userId,
    expiresIn: seconds,
  })}`

export interface TestBackings {
  mongoUrl: string
  /** Settings that any service needs in a test; its databases belong to this test file. */
  env: Environment
  stop(): Promise<void>
}

/** Starts a separate embedded server, or uses separate databases on the server at `MONGO_URL`. */
export async function startTestBackings(): Promise<TestBackings> {
  const given = process.env.MONGO_URL
  const embedded = given ? undefined : await startEmbeddedMongo({ path: ':memory:' })
  const mongoUrl = given ?? embedded?.url ?? ''
  const prefix = `test_${randomBytes(5).toString('hex')}`
  return {
    mongoUrl,
    env: {
      MONGO_URL: mongoUrl,
      MONGO_DB_PREFIX: prefix,
      PORT: '0',
      MANAGEMENT_PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      JWT_PUBLIC_KEY: testKeys.publicKey,
    },
    stop: async () => {
      if (embedded) await embedded.stop()
      else await dropDatabases(mongoUrl, prefix)
    },
  }
}

async function dropDatabases(mongoUrl: string, prefix: string): Promise<void> {
  const connection = await mongoose.createConnection(mongoUrl).asPromise()
  const { databases } = await connection.listDatabases()
  for (const { name } of databases) {
    if (name.startsWith(`${prefix}_`)) await connection.useDb(name).dropDatabase()
  }
  await connection.close()
}

/** Returns handlers that do nothing, one for each event that the flow sends to the service. */
export const idleHandlers = <S extends Service>(service: S) =>
  Object.fromEntries(
    receivedBy(service)
      .filter(name => name !== 'AccountErased' && name !== 'AccessEnded')
      .map(name => [name, async () => {}]),
  ) as unknown as HandlersFor<S>

export interface TestBus {
  /** The bus to pass to `runService`. */
  bus: Bus
  /** Sends an event to the tested service as another service would. Resolves when it is handled or safely queued. */
  publish(event: Envelope): Promise<void>
  /** Events that the tested service has sent so far, in order of arrival. */
  sent<K extends EventName>(name: K): EventOf<K>[]
  deadLetters(): Promise<DeadLetter[]>
  close(): Promise<void>
}

/**
 * Creates a bus for one service; the test acts as all the others and sees what the service sends them. In-process, or
 * on the broker at `RABBITMQ_URL` with its own exchange and queues.
 */
export async function testBus(service: Service): Promise<TestBus> {
  const mine = randomBytes(5).toString('hex')
  const own = (name: string) => `${mine}-${name}`
  const taken = receivedBy(service)
  const names = (Object.keys(flow) as EventName[]).filter(
    name => flow[name].from === service || taken.includes(name),
  )
  // One invented receiver replaces all others, so the test sees each event once.
  const receivers = (name: EventName) => [
    ...(flow[name].from === service && flow[name].to.some(to => to !== service) ? [own('others')] : []),
    ...(taken.includes(name) ? [own(service)] : []),
  ]
  const topology = Object.fromEntries(
    names.map(name => [name, { event: flow[name].event, to: receivers(name) }]),
  )
  // The delays grow, as the real ones do: an event that never succeeds costs the other cases little.
  const options = { topology, log: silentLog, delaysMs: [20, 50, 50, 50, 50, 50, 200] }
  const url = process.env.RABBITMQ_URL
  const bus = url
    ? await connectRabbitBus({ ...options, url, exchange: `test-${mine}` })
    : createInProcessBus(options)
  const seen: Envelope[] = []
  for (const name of names.filter(name => receivers(name).includes(own('others')))) {
    await bus.subscribe({
      service: own('others'),
      event: flow[name].event,
      handle: async event => {
        if (!seen.some(({ id }) => id === event.id)) seen.push(event)
      },
    })
  }
  return {
    bus: {
      ...bus,
      subscribe: subscription => bus.subscribe({ ...subscription, service: own(subscription.service) }),
    },
    publish: event => bus.publish(event),
    sent: <K extends EventName>(name: K) =>
      seen.filter(event => event.type === flow[name].event.name) as EventOf<K>[],
    deadLetters: () => bus.deadLetters(),
    close: () => bus.close(),
  }
}

/** Repeats a call until its result is neither an error nor `undefined`, `null` or `false`, and returns the result. */
export const eventually = <T>(ask: () => T | Promise<T>) =>
  passes(async () => {
    const answer = await ask()
    if (answer === undefined || answer === null || answer === false)
      throw new Error('It did not become true in time')
    return answer as Exclude<T, undefined | null | false>
  })
