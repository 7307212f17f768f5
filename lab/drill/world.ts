import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sandboxProgram, shiftedClock, signingKeys } from '@voxscribe/e2e/testing/processes.ts'
import {
  type Env,
  freePorts,
  generousLimits,
  newDataDir,
  type Program,
} from '@voxscribe/e2e/testing/system.ts'
import { type Line, type RabbitServer, startProxy, startRabbitServer } from '@voxscribe/messaging/testing'
import { type Disk, mountDisk } from './disk.ts'
import { REPLICATED, SIDES } from './plan.ts'
import { type Supervised, supervise } from './processes.ts'
import { type Providers, startProviders } from './providers.ts'
import { openShop } from './shop.ts'

const OFF_MS = 2_500
/** Milliseconds by which the clocks of these processes are ahead. */
const CLOCKS: Record<string, number> = {
  'auth-b': OFF_MS,
  'billing-b': -OFF_MS,
  'ingestion-b': -OFF_MS,
  'transcription-b': OFF_MS,
  'notification-b': -OFF_MS,
}

export type World = Awaited<ReturnType<typeof startWorld>>

/**
 * Starts the gateway, two processes of each other service, broker and database, all separate, and providers outside.
 * `notes` determines the size of the services' file system.
 */
export async function startWorld(notes: number) {
  const rabbit = await startRabbitServer()
  if (!rabbit) throw new Error('rabbitmq-server is not installed')
  const folder = await newDataDir()
  const [logs, files] = [join(folder, 'logs'), join(folder, 'files')]
  for (const path of [logs, files, join(folder, 'database')]) await mkdir(path)
  const disk = await mountDisk(files, notes)
  const temporary = join(files, 'tmp')
  await mkdir(temporary)
  const undo: (() => Promise<unknown>)[] = [() => rabbit.stop()]
  const processes = new Map<string, Supervised>()
  try {
    return await startAll({ rabbit, folder, logs, files, temporary, disk, undo, processes })
  } catch (error) {
    await endAll(undo, processes)
    await disk?.unmount()
    throw error
  }
}

interface Starting {
  rabbit: RabbitServer
  folder: string
  logs: string
  /** Folder of the services' media, and that of their temporary files. */
  files: string
  temporary: string
  disk: Disk | null
  /** Called in reverse order. */
  undo: (() => Promise<unknown>)[]
  processes: Map<string, Supervised>
}

async function endAll(undo: Starting['undo'], processes: Starting['processes']): Promise<void> {
  await Promise.all([...processes.values()].map(each => each.end()))
  for (const step of undo.reverse()) await step()
}

async function startAll(starting: Starting) {
  const { rabbit, folder, logs, files, temporary, disk, undo, processes } = starting
  const ports = await freePorts(6 + 4 * REPLICATED.length)
  const nextPort = () => ports.pop()!
  const begin = (program: Program) => {
    const supervised = supervise(program, logs)
    processes.set(program.name, supervised)
    return supervised
  }

  const databasePort = nextPort()
  const mongoUrl = `mongodb://127.0.0.1:${databasePort}/?directConnection=true`
  const database = supervise(databaseProgram(folder, databasePort), logs, () => connectsTo(databasePort))
  undo.push(() => database.end())
  const lines = new Map<string, Line>()
  const line = async (name: string, ...targets: [string, ...string[]]): Promise<string> => {
    const proxy = await startProxy(...targets)
    undo.push(() => proxy.close())
    lines.set(name, proxy)
    return proxy.url
  }
  for (const side of SIDES) {
    await line(`mongo-${side}`, mongoUrl)
    await line(`rabbit-${side}`, rabbit.url)
  }

  const appPort = nextPort()
  const appUrl = `http://127.0.0.1:${appPort}`
  const sandbox = sandboxProgram({ port: nextPort(), smtpPort: nextPort(), appUrl, dataDir: folder })
  const inbox = supervise(sandbox.program, logs)
  undo.push(() => inbox.end())
  await inbox.untilReady()
  const providers = await startProviders()
  undo.push(() => providers.stop())
  const shop = openShop(sandbox.url, String(sandbox.providers.STRIPE_SECRET_KEY))
  const { privateKey, publicKey } = await signingKeys(folder)
  const common: Env = {
    ...generousLimits,
    ...sandbox.providers,
    ...outside(providers),
    STRIPE_API_URL: new URL(await line('stripe', sandbox.url)).origin,
    SMTP_URL: await line('mail', String(sandbox.providers.SMTP_URL)),
    HOST: '127.0.0.1',
    PUBLIC_URL: appUrl,
    DATA_DIR: files,
    TMPDIR: temporary,
    JWT_PUBLIC_KEY: publicKey,
    ACCESS_TOKEN_TTL: '12h',
    LOG_LEVEL: 'info',
  }
  const addresses: Env = {}
  for (const name of REPLICATED) {
    const urls: string[] = []
    for (const side of SIDES) {
      const [port, managementPort] = [nextPort(), nextPort()]
      urls.push(`http://127.0.0.1:${port}`)
      begin(
        serviceProgram(name, `${name}-${side}`, managementPort, {
          ...common,
          ...(name === 'auth' ? { JWT_PRIVATE_KEY: privateKey } : {}),
          ...addresses,
          ...shiftedClock(CLOCKS[`${name}-${side}`] ?? 0),
          PORT: String(port),
          MONGO_URL: lines.get(`mongo-${side}`)!.url,
          RABBITMQ_URL: lines.get(`rabbit-${side}`)!.url,
        }),
      )
    }
    const front = new URL(await line(name, urls[0]!, urls[1]!))
    addresses[`${name.toUpperCase()}_URL`] = front.origin
  }
  begin(serviceProgram('gateway', 'gateway', nextPort(), { ...common, ...addresses, PORT: String(appPort) }))
  await Promise.all([...processes.values()].map(each => each.untilReady()))

  return {
    appUrl,
    folder,
    files,
    temporary,
    disk,
    rabbit,
    database,
    providers,
    shop,
    processes,
    lines,
    /** Ends the processes and keeps the files. */
    end: () => endAll(undo, processes),
    /** Deletes the files, unless `isKept`. */
    async remove({ isKept }: { isKept: boolean }) {
      await disk?.unmount()
      if (!isKept) await rm(folder, { recursive: true, force: true })
    },
  }
}

const databaseProgram = (folder: string, port: number): Program => ({
  name: 'database',
  script: 'lab/drill/database.ts',
  env: { DRILL_DATABASE: join(folder, 'database'), DRILL_DATABASE_PORT: String(port) },
  ready: '',
})

async function connectsTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

const serviceProgram = (service: string, name: string, managementPort: number, env: Env): Program => ({
  name,
  script: `services/${service}/src/main.ts`,
  env: { ...env, MANAGEMENT_PORT: String(managementPort) },
  ready: `http://127.0.0.1:${managementPort}/readyz`,
})

/** Returns settings that point the product at the stand-ins, with short timeouts, and limits for a shared address. */
const outside = ({ url }: Providers): Env => ({
  WHATSAPP_GRAPH_URL: url,
  CHAT_TIMEOUT: '5s',
  MEDIA_IDLE_TIMEOUT: '5s',
  MEDIA_DOWNLOAD_TIMEOUT: '10s',
  SPEECH_ENGINE: 'openai',
  OPENAI_API_KEY: 'sk-drill',
  OPENAI_BASE_URL: `${url}/v1`,
  SPEECH_TIMEOUT: '5s',
  RATE_LIMIT_FORGOT_ADDRESS: '1000/1h',
  RATE_LIMIT_FORGOT_ACCOUNT: '1000/1h',
  RATE_LIMIT_CHECKOUT: '1000/1h',
  RATE_LIMIT_PLAN_CHANGE: '1000/1h',
})
