import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type SandboxOptions, startSandbox } from '../index.ts'
import { createLedger } from './ledger.ts'

export * from './answers.ts'
export type { Answer, Call } from './ledger.ts'

/** Replaces the product's address; nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

/** Starts a sandbox for a service's tests. Records the calls, lets tests set responses, and sends no webhooks. */
export async function startTestSandbox(
  options: Pick<SandboxOptions, 'whatsapp' | 'telegram' | 'stripe' | 'mail'> = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const { record, ...ledger } = createLedger()
  const log = pino({ level: 'silent' })
  const sandbox = await startSandbox({ port: 0, dataDir, appUrl: NOWHERE, log, before: record, ...options })
  const origin = sandbox.url.replace('localhost', '127.0.0.1')
  // Two status webhooks per reply, retried for days, would cost more than the replies.
  for (const part of ['whatsapp', 'telegram'] as const)
    if (options[part]) await holdWebhooksBack(`${origin}/api/${part}/webhooks`)
  ledger.calls.length = 0
  return {
    ...sandbox,
    ...ledger,
    /** The origin for the product. */
    origin,
    stop: async () => {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>

async function holdWebhooksBack(url: string) {
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ paused: true }) })
  if (!ok) throw new Error(`${url}: webhooks are not held back`)
}
