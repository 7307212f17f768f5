import { randomBytes } from 'node:crypto'
import { connect } from 'amqplib'
import type { Logger } from 'pino'
import { pino } from 'pino'
import type { Bus, BusOptions, Subscription } from '../bus.ts'
import { createInProcessBus } from '../in-process.ts'
import { broadcastName } from '../rabbit/broadcast.ts'
import { connectRabbitBus } from '../rabbit/rabbit.ts'
import { deadQueueOf, delayName, queuesOf } from '../rabbit/topology.ts'
import { type Line, startProxy } from './proxy.ts'
import type { RabbitServer } from './rabbit-server.ts'
import { hasRabbitServer, startRabbitServer } from './rabbit-server.ts'
import { recorder, sampleTopology } from './sample.ts'

export const SHORT_DELAYS_MS = [20, 40, 60]

export interface StageOptions extends Partial<BusOptions> {
  answerWaitMs?: number
  declares?: boolean
  deadLetterFile?: string
}

type Handle = Subscription['handle']

/** An isolated environment for one test, with its own services, so that tests can share a broker. */
export interface Stage {
  alpha: string
  beta: string
  topology: ReturnType<typeof sampleTopology>
  /** The queue of alpha's subscription to the event with a single receiver. */
  queue: string
  /** Subscribes a service to the event with two receivers. */
  listen(bus: Bus, service: string, handle: Handle, more?: Partial<Subscription>): Promise<void>
  /** Subscribes alpha to the event with a single receiver. */
  listenAlone(bus: Bus, handle: Handle, more?: Partial<Subscription>): Promise<void>
  open(options?: StageOptions): Promise<Bus>
  /** Opens a bus and collects the events with a single receiver that alpha gets. */
  openAlone(options?: StageOptions): Promise<{ bus: Bus; alpha: ReturnType<typeof recorder> }>
  /** Closes every bus that was opened, and removes its queues and files. */
  clear(): Promise<void>
}

const log: Logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' })

function names() {
  const id = randomBytes(4).toString('hex')
  const [alpha, beta] = [`alpha-${id}`, `beta-${id}`]
  const topology = sampleTopology(alpha, beta)
  return {
    id,
    alpha,
    beta,
    topology,
    queue: `${alpha}.transcription-deleted`,
    listen: (bus: Bus, service: string, handle: Handle, more?: Partial<Subscription>) =>
      bus.subscribe({ service, event: topology.MediaExpired.event, handle, ...more }),
    listenAlone: (bus: Bus, handle: Handle, more?: Partial<Subscription>) =>
      bus.subscribe({ service: alpha, event: topology.TranscriptionDeleted.event, handle, ...more }),
  }
}

const withRecorder = <S extends Omit<Stage, 'openAlone'>>(stage: S): S & Stage => ({
  ...stage,
  async openAlone(options) {
    const [bus, alpha] = [await stage.open(options), recorder()]
    await stage.listenAlone(bus, alpha.handle)
    return { bus, alpha }
  },
})

export function inProcessStage(): Stage {
  const named = names()
  const { topology } = named
  const buses: Bus[] = []
  return withRecorder({
    ...named,
    async open(options?: StageOptions) {
      const bus = createInProcessBus({ topology, log, delaysMs: SHORT_DELAYS_MS, ...options })
      buses.push(bus)
      return bus
    },
    async clear() {
      await Promise.all(buses.map(bus => bus.close()))
    },
  })
}

export type RabbitStage = Stage & { exchange: string; proxy: Line }

/** Creates buses that reach the broker through a proxy. */
export async function rabbitStage(url: string): Promise<RabbitStage> {
  const named = names()
  const { id, topology } = named
  const proxy = await startProxy(url)
  const exchange = `test.${id}`
  const buses: Bus[] = []
  const delays = new Set(SHORT_DELAYS_MS)
  return withRecorder({
    ...named,
    exchange,
    proxy,
    async open(options?: StageOptions) {
      for (const delay of options?.delaysMs ?? []) delays.add(delay)
      const settings = { url: proxy.url, topology, log, exchange, delaysMs: SHORT_DELAYS_MS, ...options }
      const bus = await connectRabbitBus(settings)
      buses.push(bus)
      return bus
    },
    async clear() {
      await Promise.all(buses.map(bus => bus.close()))
      await proxy.close()
      const connection = await connect(url)
      const channel = await connection.createChannel()
      const delayNames = [...delays].map(delay => delayName(exchange, delay))
      for (const queue of queuesOf(topology)) {
        await channel.deleteQueue(queue)
        await channel.deleteQueue(deadQueueOf(queue))
      }
      for (const name of delayNames) await channel.deleteQueue(name)
      for (const name of [exchange, broadcastName(exchange), ...delayNames])
        await channel.deleteExchange(name)
      await connection.close()
    },
  })
}

/** Whether there is a broker for tests: a running one, or one that can be started. */
export const rabbitIsHere = Boolean(process.env.RABBITMQ_URL) || hasRabbitServer
/** Only a broker that we started can be restarted. */
export const rabbitIsOurs = rabbitIsHere && !process.env.RABBITMQ_URL

/** Returns the broker at `RABBITMQ_URL`, or else starts one. */
export async function brokerForTests(): Promise<Pick<RabbitServer, 'url' | 'restart' | 'stop'>> {
  const url = process.env.RABBITMQ_URL
  const nothing = async () => {}
  if (url) return { url, restart: nothing, stop: nothing }
  return (await startRabbitServer())!
}
