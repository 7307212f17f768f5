import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Service } from '@voxscribe/contracts/events'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import {
  checkSettings,
  createLog,
  type Environment,
  isRestarting,
  keepTemporaryFilesIn,
  openBus,
  readSettings,
  runService,
  stopOnSignal,
} from '@voxscribe/service'
import { startManagementHere } from './management.ts'
import { signingKeys } from './secrets.ts'
import { type LocalSettings, localSettings } from './settings.ts'
import { isUnfinished } from './unfinished.ts'

// Starts everything in one process. The services still talk over HTTP and the bus, as on separate machines, except that
// the gateway passes requests to them without a network.

const say = (line: string) => process.stdout.write(`• ${line}\n`)
const stops: (() => Promise<void>)[] = []
const drains: (() => Promise<void>)[] = []
function started<T extends { stop(): Promise<void> }>(part: T): T {
  stops.push(part.stop)
  return part
}
async function stop(): Promise<void> {
  for (const step of stops.splice(0).reverse()) await step()
}

async function drain(): Promise<void> {
  tellParent('stopping')
  await Promise.all(drains.map(drain => drain()))
}

/**
 * V8 lets garbage grow to a multiple of the live heap. With this option it collects at 1.3 times the live heap, for 4 %
 * more processor time. Set once everything is loaded: collecting in a heap that grows from nothing takes 0.7 s.
 */
const KEEP_SMALL = '--optimize-for-size'
/** Reserve for sessions while the disk is full: enough for ten thousand. */
const RESERVE_BYTES = 16_000_000

/** Makes all files written from here on private, and the folder, which may have files of earlier versions. */
function makePrivate(folder: string): void {
  process.umask(0o077)
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      mkdirSync(dirname(folder), { recursive: true })
      // In /proc, `recursive` would never return.
      mkdirSync(folder)
    }
    chmodSync(folder, 0o700)
  } catch (error) {
    throw new Error(`DATA_DIR can't be ${folder} (${(error as Error).message}). Name a folder of your own.`)
  }
}

/** Returns undefined if the settings name a database. */
async function startDatabase({ MONGO_URL, MONGO_DB_PREFIX, DATA_DIR }: LocalSettings) {
  if (MONGO_URL) return undefined
  const reserve = { bytes: RESERVE_BYTES, databases: [`${MONGO_DB_PREFIX}_auth`] }
  return started(await startEmbeddedMongo({ path: `${DATA_DIR}/mongo`, socket: true, reserve }))
}

async function start(environment: Environment): Promise<void> {
  const settings = readSettings(localSettings, environment)
  const env: Environment = {
    ...environment,
    LOG_FILE: settings.LOG_FILE ?? `${settings.DATA_DIR}/voxscribe.log`,
  }
  if (isUnfinished(settings.DATA_DIR))
    throw new Error(
      `The restore into ${settings.DATA_DIR} was interrupted. Run \`npm run restore -- <folder>\` again.`,
    )
  makePrivate(settings.DATA_DIR)
  keepTemporaryFilesIn(join(settings.DATA_DIR, 'tmp'))
  const log = createLog('local', settings.LOG_LEVEL, env.LOG_FILE)
  const publicUrl = settings.PUBLIC_URL || `http://localhost:${settings.PORT}`

  const [mongo, parts] = await Promise.all([startDatabase(settings), import('./parts.ts')])
  const { behind, billingService, transcriptionService, gatewayService, startProviders, fetchAtStart } = parts
  const management = await startManagementHere(settings, environment, say)
  stops.push(management.close)
  const bus = await openBus(settings, log, { deadLetterFile: `${settings.DATA_DIR}/dead-letters.jsonl` })
  const providers = await startProviders(settings, env, log)
  if (providers) started(providers)
  const { privateKey, publicKey } = signingKeys(settings.DATA_DIR, settings.JWT_PRIVATE_KEY)

  const common = {
    ...env,
    ...providers?.env,
    MONGO_URL: settings.MONGO_URL ?? mongo?.url,
    PUBLIC_URL: publicUrl,
    JWT_PUBLIC_KEY: publicKey,
    PORT: '0',
    HOST: '127.0.0.1',
  }
  const envOf = (name: Service) => (name === 'auth' ? { ...common, JWT_PRIVATE_KEY: privateKey } : common)
  checkSettings([...behind, gatewayService].map(({ name, settings }) => ({ settings, env: envOf(name) })))
  const shared = { bus, management, migrates: true }
  const begin = async (service: (typeof behind)[number], addresses = {}) => {
    // TypeScript infers nothing from a union of definitions, so the type of one stands for all.
    const definition = service as typeof billingService
    const env = { ...envOf(service.name), ...addresses }
    const { url, handle, drain } = started(await runService(definition, env, shared))
    drains.push(drain)
    return { name: service.name, url, handle }
  }
  // Other services call these two, so they start first.
  const asked = [billingService, transcriptionService] as const
  const first = await Promise.all(asked.map(service => begin(service)))
  const urlsOf = (services: typeof first) =>
    Object.fromEntries(services.map(({ name, url }) => [`${name.toUpperCase()}_URL`, url]))
  const others = behind.filter(service => !asked.some(({ name }) => name === service.name))
  const running = [...first, ...(await Promise.all(others.map(service => begin(service, urlsOf(first)))))]
  // Handlers finish before the databases and relays below them are closed.
  stops.push(() => bus.close())
  started(
    await runService(
      gatewayService,
      {
        ...common,
        PORT: String(settings.PORT),
        HOST: env.HOST,
        API_DOCS: env.API_DOCS ?? 'on',
        ...urlsOf(running),
      },
      { ...shared, localServices: Object.fromEntries(running.map(({ name, handle }) => [name, handle])) },
    ),
  )
  say(`Data and logs are under ${settings.DATA_DIR}. Ctrl-C stops.`)
  if (providers) say(`Sandbox (stands in for ${providers.simulated.join(', ')}): ${providers.url}`)
  say(`Voxscribe: ${publicUrl}`)
  started(fetchAtStart(env))
}

/** Explains an error that the operator can fix. */
function plain(error: unknown): string {
  const { code, syscall, message, ...at } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${at.port} is taken by another program. Choose another: PORT, SANDBOX_PORT or MANAGEMENT_PORT.`
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `HOST or SANDBOX_HOST is no address of this machine (${message}). Leave it unset, or name one.`
  return message ?? String(error)
}

// The parent is gone (for example, killed), so nothing could stop this process later.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Before everything has started, there is nothing to finish.
let isStarted = false
/** Notifies `hand-over.mjs`, which restarts this process if it crashes while serving. */
const tellParent = (state: 'serving' | 'stopping') => process.connected && process.send?.(state)
// Losing the reader of the output is not a reason to exit.
process.stdout.on('error', () => {})
stopOnSignal(async () => {
  if (!isRestarting()) tellParent('stopping')
  if (isStarted) await stop()
}, drain)
try {
  await start(process.env)
  isStarted = true
  setFlagsFromString(KEEP_SMALL)
  tellParent('serving')
} catch (error) {
  process.stderr.write(`${plain(error)}\n`)
  await stop()
  process.exit(1)
}
