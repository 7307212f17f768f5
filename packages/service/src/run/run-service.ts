import type { RequestListener } from 'node:http'
import { flow, type Service } from '@voxscribe/contracts/events'
import { type Bus, createInProcessBus, type Relay, startRelay } from '@voxscribe/messaging'
import type { z } from 'zod'
import { openDocuments } from '../database/documents.ts'
import { watchHeartbeats } from '../database/heartbeats.ts'
import { createHttpApp } from '../http/http.ts'
import { listen } from '../http/listen.ts'
import { refusal } from '../http/problem.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { type Admission, createTokenCheck, type TokenCheck } from '../http/tokens.ts'
import { createLog, type Logger } from '../observe/log.ts'
import { busObserver, watchMessages } from '../observe/metrics.ts'
import { startTracing } from '../observe/tracing.ts'
import type { BaseSettings, HttpSettings } from '../settings/common-settings.ts'
import { type Environment, readSettings } from '../settings/settings.ts'
import { admitting, createClosedAccounts } from './closed-accounts.ts'
import { subscribeAll } from './consumers.ts'
import type { Exposed, LocalServices, Parts, ServiceDefinition, StatelessDefinition } from './definition.ts'
import { restart } from './ending.ts'
import { createErasing } from './erasing.ts'
import { startJobs } from './jobs.ts'
import { type Management, startManagement } from './management.ts'

/** Parts that several services of one process share. A service creates those that aren't given. */
export interface Shared {
  bus?: Bus
  management?: Management
  localServices?: LocalServices
  /** Creates what a migration creates, however long it takes; without it, a start only checks. */
  migrates?: boolean
}

export interface RunningService {
  url: string
  /** Handles a request received by another service of this process. */
  handle: RequestListener
  /** Lets paid work end and starts nothing new; requests and messages are still handled. */
  drain(): Promise<void>
  /** Stops cleanly: accepts no new requests or messages, finishes current ones, closes connections. Idempotent. */
  stop(): Promise<void>
}

interface Starting {
  name: Service
  log: Logger
  shared: Shared
  management: Management
  checkToken: TokenCheck
  /** Called in reverse order. */
  stops: (() => Promise<void>)[]
}

/**
 * Starts a service: settings, database, indexes, consumers, relay, jobs, then HTTP. Used by tests and processes alike.
 * Stops what was started if a later step fails. Throws a SettingsError for wrong settings.
 */
export async function runService<
  S extends Service,
  Schema extends z.ZodType<BaseSettings>,
  Plain extends z.ZodType<HttpSettings>,
>(
  definition: ServiceDefinition<S, Schema> | StatelessDefinition<Plain>,
  env: Environment,
  shared: Shared = {},
): Promise<RunningService> {
  const { name } = definition
  const settings = readSettings<z.ZodType<HttpSettings>>(definition.settings, env)
  const log = createLog(name, settings.LOG_LEVEL, settings.LOG_FILE)
  const stops: Starting['stops'] = []
  let state: 'starting' | 'started' | 'stopping' = 'starting'
  let stopped: Promise<void> | undefined
  const stopAll = async () => {
    state = 'stopping'
    for (const step of stops.reverse())
      await step().catch(error => log.error({ err: error }, 'a shutdown step failed'))
  }
  const stop = () => (stopped ??= stopAll())
  try {
    stops.push(await startTracing(settings.OTEL_EXPORTER_OTLP_ENDPOINT, log))
    const management = shared.management ?? (await startManagement(settings.MANAGEMENT_PORT, settings.HOST))
    if (!shared.management) stops.push(management.close)
    management.watch(name, () => ({ ok: state === 'started', detail: state }))
    const checkToken = settings.JWT_PUBLIC_KEY ? createTokenCheck(settings.JWT_PUBLIC_KEY) : refuseAll
    const starting = { name, log, shared, management, checkToken, stops }
    const { exposed, admit } =
      'stateless' in definition
        ? {
            exposed: await definition.build({
              settings: settings as z.output<Plain>,
              log,
              localServices: shared.localServices ?? {},
            }),
            admit: checkToken,
          }
        : await startStateful(definition, settings as z.output<Schema>, starting)
    // Behind the gateway, the caller's address is in the one forwarding header that the gateway writes.
    const { TRUST_PROXY: trustProxy = 1 } = settings
    const app = createHttpApp({ service: name, routes: [], ...exposed, admit, log, trustProxy })
    const http = await listen(app, settings.PORT, settings.HOST)
    stops.push(http.close)
    stops.push(async () => exposed.hangUp?.())
    state = 'started'
    log.info({ port: http.port }, 'started')
    const drain = async () => {
      state = 'stopping'
      await exposed.drain?.()
    }
    return { url: http.url, handle: app, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startStateful<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
  settings: z.output<Schema>,
  { name, log, shared, management, checkToken, stops }: Starting,
): Promise<{ exposed: Exposed; admit: Admission }> {
  let relay: Relay | undefined
  const documents = await openDocuments(
    settings.MONGO_URL,
    `${settings.MONGO_DB_PREFIX}_${name}`,
    (...written) => relay?.publishSoon(...written),
  )
  stops.push(documents.close)
  const heartbeats = watchHeartbeats(documents.connection.getClient(), () => {
    log.fatal('The database driver has stopped looking for the database; only a new start helps')
    restart()
  })
  stops.push(async () => heartbeats.stop())
  let opened: Bus | undefined
  const topicOf = (topic: string) => `${name}.${topic}`
  const { built, closed } = await build(definition, {
    settings,
    documents,
    log,
    broadcast: (topic, data) => opened?.broadcast(topicOf(topic), data),
    onBroadcast: async (topic, listener) => opened!.onBroadcast(topicOf(topic), listener),
  })
  if (built.close) stops.push(built.close)
  await documents.makeIndexes(shared.migrates ? undefined : QUICKLY_INDEXED)

  const bus = shared.bus ?? (await openBus(settings, log, { declares: shared.migrates }))
  relay = startRelay({ bus, sources: documents.sources, log })
  stops.push(relay.stop)
  if (!shared.bus) stops.push(() => bus.close())
  const stopping = new AbortController()
  stopping.signal.addEventListener('abort', () => built.stopping?.())
  // When a shared bus closes, its services are stopped next, so their long work can already be aborted.
  bus.closing.addEventListener('abort', () => stopping.abort())
  const erasing = createErasing(definition.name, built, { bus, closed, documents, log })
  await subscribeAll(definition.name, built, {
    bus,
    log,
    stopping: stopping.signal,
    closed,
    onErased: erasing.handle,
  })
  opened = bus
  for (const [topic, listener] of Object.entries(built.onBroadcast ?? {}))
    await bus.onBroadcast(topicOf(topic), listener)
  stops.push(startJobs([...(built.jobs ?? []), ...documents.jobs, erasing.job], log))
  stops.push(async () => stopping.abort())

  watchMessages(name, relay, bus)
  management.watch(`${name}: database`, () => {
    const ok = documents.connection.readyState === 1
    return { ok, detail: ok ? 'connected' : 'not connected' }
  })
  // While the broker is down, events wait in the outbox, and people can still sign in and read.
  management.watch('bus', () => bus.health(), { counts: false })
  for (const [part, health] of Object.entries(built.health ?? {}))
    management.watch(`${name}: ${part}`, health, { counts: false })
  management.serveDeadLetters(bus)
  if (built.admin) management.serveAdmin(name, built.admin, log)
  return { exposed: built, admit: admitting(checkToken, closed) }
}

/**
 * Creates a service's indexes and all queues, without any time limit. Run before a new version is started. Throws a
 * SettingsError for wrong settings.
 */
export async function migrateService<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
  env: Environment,
): Promise<void> {
  const settings = readSettings(definition.settings, env)
  const { name } = definition
  const log = createLog(name, settings.LOG_LEVEL, settings.LOG_FILE)
  const documents = await openDocuments(settings.MONGO_URL, `${settings.MONGO_DB_PREFIX}_${name}`, () => {})
  try {
    const onBroadcast = async () => () => {}
    const { built } = await build(definition, { settings, documents, log, broadcast: () => {}, onBroadcast })
    await documents.makeIndexes()
    const bus = await openBus(settings, log)
    await bus.close()
    built.stopping?.()
    await built.close?.()
    log.info('indexes and queues are there')
  } finally {
    await documents.close()
  }
}

/** Builds a service, with its rate limits and its closed accounts. */
async function build<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
  parts: Omit<Parts<z.output<Schema>>, 'rateLimits' | 'closed'>,
) {
  const rateLimits = createRateLimits(parts.documents.connection, parts.settings.RATE_LIMITS)
  const closed = createClosedAccounts(parts.documents)
  return { built: await definition.build({ ...parts, rateLimits, closed }), closed }
}

/** Indexes of a collection with this many documents are built within a second. */
const QUICKLY_INDEXED = 10_000

const refuseAll: TokenCheck = () => {
  throw refusal('unauthorized')
}

/** Opens the bus on RabbitMQ; without an address, one in this process, whose dead letters go to the file, if any. */
export async function openBus(
  settings: Pick<BaseSettings, 'RABBITMQ_URL' | 'DEAD_LETTER_TTL'>,
  log: Logger,
  { deadLetterFile, declares = true }: { deadLetterFile?: string; declares?: boolean } = {},
): Promise<Bus> {
  const options = { topology: flow, log, observer: busObserver, deadLetterTtlMs: settings.DEAD_LETTER_TTL }
  if (!settings.RABBITMQ_URL)
    return createInProcessBus({ ...options, ...(deadLetterFile && { deadLetterFile }) })
  const { connectRabbitBus } = await import('@voxscribe/messaging/rabbit')
  return connectRabbitBus({ ...options, declares, url: settings.RABBITMQ_URL })
}
