import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { eventually, startTestBackings, type TestBackings, testKeys } from '@voxscribe/service/testing'

const SCRIPT = join(import.meta.dirname, 'main.ts')

describe('a service in a process of its own', () => {
  let backings: TestBackings
  const processes: ChildProcess[] = []
  const start = (env: Record<string, string | undefined>) => {
    const child = spawn('node', ['--no-warnings', SCRIPT], {
      env: { PATH: process.env.PATH, ...backings.env, ...env },
    })
    processes.push(child)
    return child
  }
  beforeAll(async () => {
    backings = await startTestBackings()
  })
  afterAll(async () => {
    for (const child of processes.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await backings.stop()
  })

  test('when broker or public key are missing, then it does not start and says so', async () => {
    const child = start({ JWT_PUBLIC_KEY: undefined, STRIPE_TIMEOUT: 'soon' })
    let said = ''
    child.stderr?.on('data', data => {
      said += data
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(said).toContain('STRIPE_TIMEOUT: must be a duration')
    expect(said).toContain('RABBITMQ_URL: is needed by a service in a process of its own')
    expect(said).toContain('JWT_PUBLIC_KEY: is needed by a service in a process of its own')
  })

  test('when it waits for the broker before it can answer, then it is alive but not ready', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    const management = createServer().listen(0, '127.0.0.1')
    await Promise.all([once(silent, 'listening'), once(management, 'listening')])
    const portOf = (server: typeof silent) => (server.address() as { port: number }).port
    const port = portOf(management)
    await new Promise(resolve => management.close(resolve))
    start({
      RABBITMQ_URL: `amqp://127.0.0.1:${portOf(silent)}`,
      JWT_PUBLIC_KEY: testKeys.publicKey,
      MANAGEMENT_PORT: String(port),
    })
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await eventually(async () => (await ask('/healthz')).status === 200)
    const ready = await ask('/readyz')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      ok: false,
      parts: { billing: { ok: false, detail: 'starting' } },
    })
    silent.close()
  })
})
