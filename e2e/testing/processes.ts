import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICES, type Service } from '@voxscribe/contracts/events'
import { type Line, startProxy } from '@voxscribe/messaging/testing'
import {
  type Env,
  freePorts,
  generousLimits,
  newDataDir,
  type Program,
  ROOT,
  type System,
  startSystem,
} from './system.ts'
import { WHATSAPP } from './webhook.ts'

/** Database and broker of the system under test. */
export interface Backings {
  MONGO_URL: string
  MONGO_DB_PREFIX?: string
  RABBITMQ_URL: string
}

interface Options {
  env?: Env
  /** Processes of each service (default: 1), which callers use in turn. */
  replicas?: Partial<Record<Service, number>>
  /** Differences of all but the first process of a service. */
  others?: Pick<Program, 'root'> & { env?: Env }
}

/** Starts every service and the sandbox in its own process, as in production, with media in a shared folder. */
export async function startProcesses(
  backings: Backings,
  { env = {}, replicas = {}, others = {} }: Options = {},
): Promise<System> {
  const dataDir = await newDataDir()
  const places = SERVICES.flatMap(service =>
    Array.from({ length: replicas[service] ?? 1 }, (_, index) => ({ service, index })),
  )
  const ports = await freePorts(2 * places.length + 2)
  const nextPort = () => ports.pop()!
  const processes = places.map(({ service, index }) => ({
    service,
    isFirst: index === 0,
    name: index ? `${service}-${index + 1}` : service,
    port: nextPort(),
    management: `http://127.0.0.1:${nextPort()}`,
  }))
  const lines: Line[] = []
  const urls = new Map<Service, string>()
  for (const service of SERVICES) {
    const [first, ...more] = processes.filter(each => each.service === service).map(({ port }) => urlOf(port))
    if (!more.length) urls.set(service, first!)
    else {
      const line = await startProxy(first!, ...more)
      lines.push(line)
      urls.set(service, new URL(line.url).origin)
    }
  }
  const appUrl = urls.get('gateway')!
  const sandbox = sandboxProgram({ port: nextPort(), smtpPort: nextPort(), appUrl, dataDir })
  const { privateKey, publicKey } = await signingKeys(dataDir)
  const common: Env = {
    ...generousLimits,
    ...backings,
    ...sandbox.providers,
    ...Object.fromEntries([...urls].map(([service, url]) => [`${service.toUpperCase()}_URL`, url])),
    HOST: '127.0.0.1',
    PUBLIC_URL: appUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    JWT_PUBLIC_KEY: publicKey,
    ...env,
  }
  const programs = processes.map(
    ({ service, isFirst, name, port, management }): Program => ({
      name,
      script: `services/${service}/src/main.ts`,
      ready: `${management}/readyz`,
      ...(!isFirst && others.root && { root: others.root }),
      env: {
        ...common,
        ...(service === 'auth' && { JWT_PRIVATE_KEY: privateKey }),
        ...(!isFirst && others.env),
        PORT: String(port),
        MANAGEMENT_PORT: new URL(management).port,
      },
    }),
  )
  const isGateway = ({ script }: Program) => script.startsWith('services/gateway')
  const [ingestion, ...moreOfIngestion] = processes
    .filter(({ service }) => service === 'ingestion')
    .map(({ management }) => `${management}/metrics`)
  const system = await startSystem({
    appUrl,
    sandboxUrl: sandbox.url,
    dataDir,
    ingestionMetricsUrls: [ingestion!, ...moreOfIngestion],
    programs: [sandbox.program, ...programs.filter(each => !isGateway(each))],
    gateways: programs.filter(isGateway),
  })
  return {
    ...system,
    async remove() {
      await system.remove()
      for (const line of lines) await line.close()
    },
  }
}

/** Returns the environment for a process whose clock is wrong. */
export const shiftedClock = (aheadMs: number): Env => ({
  CLOCK_SHIFT_MS: String(aheadMs),
  NODE_OPTIONS: `--import ${join(ROOT, 'e2e/testing/shifted-clock.mjs')}`,
})

const urlOf = (port: number) => `http://127.0.0.1:${port}`

/** Creates keys and stores the private one where the one-process start does: cases sign forgeries with it. */
export async function signingKeys(dataDir: string): Promise<{ privateKey: string; publicKey: string }> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await writeFile(join(dataDir, 'jwt-key.pem'), privateKey, { mode: 0o600 })
  return { privateKey, publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}

interface SandboxPlan {
  port: number
  smtpPort: number
  appUrl: string
  dataDir: string
}

export function sandboxProgram({ port, smtpPort, appUrl, dataDir }: SandboxPlan) {
  const url = `http://127.0.0.1:${port}`
  const accounts: Env = {
    ...WHATSAPP,
    TELEGRAM_BOT_TOKEN: '1:e2e-bot-token',
    TELEGRAM_WEBHOOK_SECRET: 'e2e-webhook-secret',
    STRIPE_SECRET_KEY: 'sk_test_e2e',
    STRIPE_WEBHOOK_SECRET: 'whsec_e2e',
  }
  const program: Program = {
    name: 'sandbox',
    script: 'stand-ins/sandbox/src/main.ts',
    ready: url,
    env: {
      ...accounts,
      HOST: '127.0.0.1',
      SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_URL: url,
      APP_URL: appUrl,
      PUBLIC_URL: appUrl,
      DATA_DIR: join(dataDir, 'sandbox'),
    },
  }
  const providers: Env = {
    ...accounts,
    WHATSAPP_GRAPH_URL: url,
    TELEGRAM_API_URL: url,
    TELEGRAM_CHAT_URL: `${url}/t.me`,
    SANDBOX_URL: url,
    STRIPE_API_URL: url,
    STRIPE_PRICE_ID: 'price_sandbox',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    HOOKS_ALLOW_PRIVATE: 'on',
  }
  return { program, url, providers }
}
