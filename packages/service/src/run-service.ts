import {
  type Envelope,
  type EventName,
  flow,
  type HandlersFor,
  receivedBy,
  type Service,
} from '@voxscribe/contracts/events'
import { type Bus, connectRabbitBus, createInProcessBus, startRelay } from '@voxscribe/messaging'
import type { Express } from 'express'
import type { z } from 'zod'
import { type Documents, openDocuments } from './documents.ts'
import { createHttpApp } from './http.ts'
import { listen } from './listen.ts'
import { createLog, type Logger, withTrace } from './log.ts'
import { type Management, startManagement } from './management.ts'
import { busObserver, outboxAge } from './metrics.ts'
import { unauthorized } from './problem.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import type { Route } from './routes.ts'
import { type BaseSettings, type Environment, readSettings } from './settings.ts'
import { createTokenCheck, type TokenCheck } from './tokens.ts'

/** What a service is built from. */
export interface Parts<Settings> {
  settings: Settings
  documents: Documents
  log: Logger
  rateLimits: RateLimits
  /** For calls that are not routes of the contract. */
  checkToken: TokenCheck
}

/** Work that a service does by the clock. */
export interface Job {
  name: string
  everyMs: number
  run(): Promise<void>
}

/** What a service consists of. */
export interface Built<S extends Service> {
  handlers: HandlersFor<S>
  /** What to do when a message is given up, so that its record can fail with a reason. */
  givenUp?: {
    [K in keyof HandlersFor<S>]?: (event: Parameters<HandlersFor<S>[K]>[0], error: Error) => Promise<void>
  }
  /** Messages at once, by event; 10 unless told. */
  concurrency?: { [K in keyof HandlersFor<S>]?: number }
  routes?: Route[]
  mount?: (app: Express) => void
  jobs?: Job[]
  /** Called once everything listens, with the service's own address. */
  started?(url: string): Promise<void> | void
  /** Called at the stop, when nothing comes in any more. */
  close?(): Promise<void>
}

export interface ServiceDefinition<S extends Service, Schema extends z.ZodType<BaseSettings>> {
  name: S
  settings: Schema
  build(parts: Parts<z.output<Schema>>): Promise<Built<S>> | Built<S>
}

export const defineService = <S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
): ServiceDefinition<S, Schema> => definition

/** What several services of one process share; each makes its own of what is not given. */
export interface Shared {
  bus?: Bus
  management?: Management
}

export interface RunningService {
  url: string
  /** Clean stop: no new requests or messages, what is in hand ends, then the connections close. Idempotent. */
  stop(): Promise<void>
}

/** Starts a service: settings, database, indexes, consumers, relay, jobs, then HTTP. Tests and processes use this alike. */
export async function runService<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
  env: Environment,
  shared: Shared = {},
): Promise<RunningService> {
  const { name } = definition
  const settings = readSettings(definition.settings, env)
  const log = createLog(name, settings.LOG_LEVEL)
  const stops: (() => Promise<void>)[] = []
  const stop = once(async () => {
    for (const step of stops.reverse())
      await step().catch(error => log.error({ err: error }, 'a step of the stop failed'))
  })
  try {
    let wake = () => {}
    const documents = await openDocuments(settings.MONGO_URL, `voxscribe_${name}`, () => wake())
    stops.push(documents.close)
    const checkToken = settings.JWT_PUBLIC_KEY ? createTokenCheck(settings.JWT_PUBLIC_KEY) : refuseAll
    const rateLimits = createRateLimits(documents.connection, settings.RATE_LIMITS)
    const built = await definition.build({ settings, documents, log, rateLimits, checkToken })
    if (built.close) stops.push(built.close)
    await documents.makeIndexes()

    const bus = shared.bus ?? (await ownBus(settings, log))
    const relay = startRelay({ bus, sources: documents.sources, log })
    wake = relay.wake
    stops.push(relay.stop)
    if (!shared.bus) stops.push(() => bus.close())
    await subscribeAll(name, built, bus, log)
    stops.push(startJobs(built.jobs ?? [], log))

    const management = shared.management ?? (await startManagement(settings.MANAGEMENT_PORT, settings.HOST))
    if (!shared.management) stops.push(management.close)
    management.serveDeadLetters(bus)
    management.watch(`${name}: database`, () => databaseHealth(documents))
    management.watch('bus', () => bus.health())
    outboxAge.labels(name).set(0)
    watchOutbox(name, relay.oldestSeconds, stops)

    const app = createHttpApp({
      service: name,
      routes: built.routes ?? [],
      checkToken,
      log,
      trustProxy: trustOf(settings),
      mount: built.mount,
    })
    const http = await listen(app, settings.PORT, settings.HOST)
    stops.push(http.close)
    const url = `http://127.0.0.1:${http.port}`
    await built.started?.(url)
    relay.wake()
    log.info({ port: http.port }, 'started')
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const refuseAll: TokenCheck = () => {
  throw unauthorized()
}

/** Behind the gateway the caller's address is in the one forwarding header the gateway writes. */
const trustOf = (settings: BaseSettings & { TRUST_PROXY?: number | boolean | string }) =>
  settings.TRUST_PROXY ?? 1

const ownBus = (settings: BaseSettings, log: Logger): Promise<Bus> | Bus =>
  settings.RABBITMQ_URL
    ? connectRabbitBus({ url: settings.RABBITMQ_URL, topology: flow, log, observer: busObserver })
    : createInProcessBus({ topology: flow, log, observer: busObserver })

/** The compiler names a missing handler; this refuses one that is missing all the same, or one too many. */
async function subscribeAll<S extends Service>(
  service: S,
  built: Built<S>,
  bus: Bus,
  log: Logger,
): Promise<void> {
  const expected = receivedBy(service)
  const present = Object.keys(built.handlers)
  const wrong = [
    ...expected.filter(name => !present.includes(name)).map(name => `has no handler for ${name}`),
    ...present
      .filter(name => !expected.includes(name as EventName))
      .map(name => `has a handler for ${name}, which no one sends it`),
  ]
  if (wrong.length) throw new Error(`${service} ${wrong.join('; ')}`)
  const handlers = built.handlers as Record<string, (event: Envelope) => Promise<void>>
  const givenUp = (built.givenUp ?? {}) as Record<
    string,
    ((event: Envelope, error: Error) => Promise<void>) | undefined
  >
  const concurrency = (built.concurrency ?? {}) as Record<string, number | undefined>
  for (const name of expected) {
    const lost = givenUp[name]
    await bus.subscribe({
      service,
      event: flow[name].event,
      concurrency: concurrency[name] ?? 10,
      handle: event =>
        withTrace(event.traceId, async () => {
          log.info({ event: name, eventId: event.id }, 'handling')
          await handlers[name]?.(event)
        }),
      ...(lost
        ? { givenUp: (event: Envelope, error: Error) => withTrace(event.traceId, () => lost(event, error)) }
        : {}),
    })
  }
}

/** Runs each job by its clock, never twice at once. Answers how to stop them. */
function startJobs(jobs: Job[], log: Logger): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const timers = jobs.map(job => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const run = job
        .run()
        .catch(error => log.error({ err: error, job: job.name }, 'a job failed'))
        .finally(() => {
          busy = false
          running.delete(run)
        })
      running.add(run)
    }, job.everyMs)
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running)
  }
}

function watchOutbox(
  name: Service,
  oldestSeconds: (() => number) | undefined,
  stops: (() => Promise<void>)[],
): void {
  if (!oldestSeconds) return
  const timer = setInterval(() => outboxAge.labels(name).set(oldestSeconds()), 5_000)
  stops.push(async () => clearInterval(timer))
}

const databaseHealth = (documents: Documents) => {
  const ok = documents.connection.readyState === 1
  return { ok, detail: ok ? 'connected' : 'not connected' }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
