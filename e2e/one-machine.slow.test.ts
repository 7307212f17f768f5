import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { type Disk, mountDisk } from '../lab/drill/disk.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'
import { newDataDir, ROOT, running, type System } from './testing/system.ts'
import { WHATSAPP, webhookOf } from './testing/webhook.ts'

let system: System
let disk: Disk | null = null
let person: Person
beforeAll(async () => {
  system = await startOneProcess(WHATSAPP_HERE, async dataDir => {
    disk = await mountDisk(dataDir, 100)
  })
  person = await signUp(system)
})
afterAll(async () => {
  await system.stop()
  await disk?.unmount()
  await system.remove()
})

const { WHATSAPP_ACCESS_TOKEN: _real, ...WHATSAPP_HERE } = WHATSAPP

test('when it has started, then other users of this machine can’t read its data or reach its database', () => {
  expect(statSync(system.dataDir).mode & 0o777).toBe(0o700)
  const paths = readdirSync(system.dataDir, { recursive: true }).map(path =>
    join(system.dataDir, String(path)),
  )
  expect(paths.length).toBeGreaterThan(8)
  expect(paths.filter(path => statSync(path).mode & 0o077)).toEqual([])
  expect(existsSync(join(system.dataDir, 'mongo/mongo.sock'))).toBe(true)
})

const login = () => person.open.post('/auth/login', { email: person.email, password: person.password })
function sendWebhook(id: string) {
  const { body, headers } = webhookOf({
    from: person.number,
    id,
    type: 'text',
    text: { body: 'hello' },
  } as never)
  return axios.post(`${system.appUrl}/webhooks/whatsapp`, body, { headers, validateStatus: () => true })
}

test('when the disk is full, then reading and signing in work, and writes are refused with a reason', async () => {
  // Only root may mount one.
  if (!disk) return
  expect((await person.upload(await voiceNote())).status).toBe(201)
  await person.ended(0)
  await disk.fill()
  // The reserve is checked periodically, so the first uploads may still be accepted.
  let taken = 1
  const refused = await eventually('an upload is refused', async () => {
    const answer = await person.upload(await voiceNote())
    if (answer.status === 201) taken++
    return answer.status >= 500 && answer
  })
  expect([refused.status, refused.data.code]).toEqual([503, 'disk_full'])
  for (let time = 0; time < 3; time++) expect((await login()).status).toBe(200)
  expect((await person.http.get('/transcriptions')).data.data.transcriptions).toHaveLength(
    Math.min(taken, 10),
  )
  expect((await person.http.get('/stripe/subscription-status')).status).toBe(200)
  expect([200, 503]).toContain((await sendWebhook('wamid.full-1')).status)
  expect(running(system.process('voxscribe'))).toBe(true)
  await disk.free()
  await eventually(
    'uploads are taken again',
    async () => (await person.upload(await voiceNote())).status < 300,
  )
  expect((await sendWebhook('wamid.full-2')).status).toBe(200)
})

test('when it is public while the sandbox is on, then the start fails and says what is missing', async () => {
  const dataDir = await newDataDir()
  const start = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['deploy/local/main.ts'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        ...PORTS,
        PUBLIC_URL: 'https://voice.example.com',
        ...env,
      },
    })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { said, code }
  }
  const { said, code } = await start({})
  expect(code).toBe(1)
  expect(said).toMatch(
    /whatsapp: .*WHATSAPP_ACCESS_TOKEN.*\n.*stripe: STRIPE_SECRET_KEY.*\n.*mail: SMTP_URL\n/,
  )
  expect((await start({ SMTP_URL: 'smtp://mail.example.com' })).said).not.toContain('SMTP_URL')
  await rm(dataDir, { recursive: true })
})

const PORTS = { PORT: '0', SANDBOX_PORT: '0', MANAGEMENT_PORT: '0', MODEL_FETCH: 'off' }
