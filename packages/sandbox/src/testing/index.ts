import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type SandboxOptions, startSandbox } from '../index.ts'
import { createLedger } from './ledger.ts'

export * from './answers.ts'
export type { Answer, Call } from './ledger.ts'

/** An address at which nobody listens: for tests without webhooks. */
const NOWHERE = 'http://127.0.0.1:9'

/** A sandbox for the tests of a service, with the calls it got and answers that a test can set. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const { record, ...ledger } = createLedger()
  const log = pino({ level: 'silent' })
  const sandbox = await startSandbox({ port: 0, dataDir, appUrl: NOWHERE, log, before: record, ...options })
  return {
    ...sandbox,
    ...ledger,
    /** As the product reaches it. */
    origin: sandbox.url.replace('localhost', '127.0.0.1'),
    stop: async () => {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>
