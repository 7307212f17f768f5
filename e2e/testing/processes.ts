import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICES, type Service } from '@voxscribe/contracts/events'
import {
  type Env,
  freePorts,
  generousLimits,
  newDataDir,
  type Program,
  type System,
  startSystem,
} from './system.ts'
import { WHATSAPP } from './webhook.ts'

/** The stores in which the system under test keeps documents and messages. */
export interface Backings {
  MONGO_URL: string
  MONGO_DB_PREFIX?: string
  RABBITMQ_URL: string
}

const STATEFUL = SERVICES.filter(name => name !== 'gateway')

/**
 * Every service and the sandbox in its own process, as in production; media in one shared folder.
 * `transcriptions` (default: 1) processes of transcription share the work.
 */
export async function startProcesses(
  backings: Backings,
  { env = {}, transcriptions = 1 }: { env?: Env; transcriptions?: number } = {},
): Promise<System> {
  const dataDir = await newDataDir()
  const ports = await freePorts(2 * (STATEFUL.length + transcriptions) + 4)
  const nextPort = () => ports.pop()!
  const appPort = nextPort()
  const appUrl = `http://127.0.0.1:${appPort}`
  const sandbox = sandboxProgram({ port: nextPort(), smtpPort: nextPort(), appUrl, dataDir })
  const common: Env = {
    ...generousLimits,
    ...backings,
    ...sandbox.providers,
    HOST: '127.0.0.1',
    PUBLIC_URL: appUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...env,
  }
  const { privateKey, publicKey } = await signingKeys(dataDir)
  const managementPorts = new Map(SERVICES.map(name => [name, nextPort()]))
  const service = (name: Service, port: number, own: Env): Program => {
    const managementPort = managementPorts.get(name)
    return {
      name,
      script: `services/${name}/src/main.ts`,
      ready: `http://127.0.0.1:${managementPort}/readyz`,
      env: {
        ...common,
        JWT_PUBLIC_KEY: publicKey,
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        ...own,
      },
    }
  }
  const addresses: Env = {}
  const stateful = STATEFUL.map(name => {
    const port = nextPort()
    addresses[`${name.toUpperCase()}_URL`] = `http://127.0.0.1:${port}`
    const own = name === 'auth' ? { JWT_PRIVATE_KEY: privateKey } : {}
    // Notification asks billing, which is listed before it.
    return service(name, port, { ...addresses, ...own })
  })
  const replicas = Array.from({ length: transcriptions - 1 }, (_, index): Program => {
    const managementPort = String(nextPort())
    const first = service('transcription', nextPort(), {})
    return {
      ...first,
      name: `transcription-${index + 2}`,
      ready: `http://127.0.0.1:${managementPort}/readyz`,
      env: { ...first.env, MANAGEMENT_PORT: managementPort },
    }
  })
  return startSystem({
    appUrl,
    sandboxUrl: sandbox.url,
    dataDir,
    ingestionMetricsUrl: `http://127.0.0.1:${managementPorts.get('ingestion')}/metrics`,
    programs: [sandbox.program, ...stateful, ...replicas, service('gateway', appPort, addresses)],
  })
}

/** Kept where the one-process start keeps its key: the cases sign forgeries with it. */
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
    STRIPE_CREATE_PRICE: 'on',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    HOOKS_ALLOW_PRIVATE: 'on',
  }
  return { program, url, providers }
}
