import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type SandboxOptions, startSandbox } from '../index.ts'
import { startProduct } from './product.ts'

export const whatsapp = {
  number: '15550783881',
  phoneNumberId: '106540352242922',
  accessToken: 'graph-token',
  appSecret: 'app-secret',
}

/** Starts a sandbox, and a server in the product's place, for one test file. */
export async function startBoth(options: Partial<SandboxOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const product = await startProduct()
  const start = () =>
    startSandbox({ port: 0, dataDir, appUrl: product.url, log: pino({ level: 'silent' }), ...options })
  let sandbox = await start()
  return {
    product,
    get sandbox() {
      return sandbox
    },
    /** Calls a path of the sandbox like a page or a test; JSON in, JSON out. */
    async call(method: string, path: string, body?: unknown) {
      const form = body instanceof FormData
      const answer = await fetch(`${sandbox.url}${path}`, {
        method,
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
        ...(body !== undefined && !form && { headers: { 'content-type': 'application/json' } }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text ? JSON.parse(text) : null }
    },
    async restart() {
      await sandbox.stop()
      sandbox = await start()
    },
    async stop() {
      await sandbox.stop()
      await product.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type Both = Awaited<ReturnType<typeof startBoth>>
