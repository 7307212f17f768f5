import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '@voxscribe/service/testing'
import { pino } from 'pino'
import { startSandbox } from './index.ts'
import { startProduct } from './testing/product.ts'
import { whatsapp } from './testing/running.ts'
import { stripeClient, stripeSettings } from './testing/stripe.ts'

const here = new URL('./index.ts', import.meta.url).href
const program = `
  import { pino } from 'pino'
  const { startSandbox } = await import(process.env.SANDBOX)
  const options = JSON.parse(process.env.OPTIONS)
  const sandbox = await startSandbox({ ...options, log: pino({ level: 'silent' }) })
  console.log(sandbox.graphUrl)`

test('when it is killed, then nothing it has answered for is lost and the webhooks still come', async () => {
  const product = await startProduct()
  product.answer.status = 503
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const options = { port: 0, dataDir, appUrl: product.url, whatsapp, stripe: stripeSettings }
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '', SANDBOX: here, OPTIONS: JSON.stringify(options) },
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [url] = await once(createInterface(child.stdout), 'line')
    const form = new FormData()
    form.set('from', '15550001111')
    form.set('file', new Blob(['a note'], { type: 'audio/mpeg' }), 'note.mp3')
    const sent = await (await fetch(`${url}/api/whatsapp/messages`, { method: 'POST', body: form })).json()
    const customer = await stripeClient(url).customers.create({ email: 'ann@example.com' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    product.answer.status = 200
    product.received.length = 0

    const again = await startSandbox({ ...options, log: pino({ level: 'silent' }) })
    try {
      await eventually(() => product.received.length >= 2)
      const bodies = product.received.map(({ body }) => body).join()
      expect(bodies).toContain(sent.id)
      expect(bodies).toContain(customer.id)
      const file = await fetch(`${again.url}${sent.file.url}`)
      expect(await file.text()).toBe('a note')
    } finally {
      await again.stop()
    }
  } finally {
    child.kill('SIGKILL')
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
