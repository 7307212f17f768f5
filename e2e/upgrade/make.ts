import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import mongoose from 'mongoose'
import { eventually } from '../testing/eventually.ts'
import { chatOf, newNumber, signUp } from '../testing/person.ts'
import { speechOf } from '../testing/speech.ts'
import { freePorts, generousLimits, newDataDir, type System } from '../testing/system.ts'

// Makes the data that the upgrade test starts on, by running version 0.1.0 itself:
//   git worktree add /tmp/v010 4da9e86 && (cd /tmp/v010 && npm ci)
//   node --disable-warning=ExperimentalWarning e2e/upgrade/make.ts /tmp/v010
// The folder is packed as a power cut leaves it.

const [old = ''] = process.argv.slice(2)
if (!existsSync(join(old, 'deploy/local/main.ts'))) throw new Error('Name a checkout of version 0.1.0')

const dataDir = await newDataDir()
const switches = await newDataDir()
const held = (name: string) => join(switches, name)
const hold = (name: string) => writeFileSync(held(name), '')

/** OpenAI's way to be asked; it does not answer while it is held. */
let heard = 0
const engine = createServer(async (request, response) => {
  for await (const _chunk of request);
  heard += 1
  if (existsSync(held('engine'))) return
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ text: `Old words, note ${heard}.`, usage: { type: 'duration', seconds: 2 } }))
}).listen(0, '127.0.0.1')
await once(engine, 'listening')

const ffmpeg = held('ffmpeg')
await writeFile(ffmpeg, `#!/bin/sh\nwhile [ -e ${held('decoder')} ]; do sleep 0.1; done\nexec ffmpeg "$@"\n`)
await chmod(ffmpeg, 0o755)
await mkdir(join(switches, 'web/assets'), { recursive: true })
await writeFile(join(switches, 'web/index.html'), '<!doctype html><title>Voxscribe</title>')

const [port, sandboxPort, managementPort] = await freePorts(3)
const appUrl = `http://127.0.0.1:${port}`
const system = {
  appUrl,
  sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
  dataDir,
  ingestionMetricsUrl: `http://127.0.0.1:${managementPort}/metrics`,
} as System
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'deploy/local/main.ts'], {
  cwd: old,
  stdio: 'inherit',
  env: {
    ...generousLimits,
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: `${port}`,
    SANDBOX_PORT: `${sandboxPort}`,
    MANAGEMENT_PORT: `${managementPort}`,
    DATA_DIR: dataDir,
    WEB_DIR: join(switches, 'web'),
    FFMPEG_PATH: ffmpeg,
    SPEECH_ENGINE: 'openai',
    OPENAI_API_KEY: 'sk-old',
    OPENAI_BASE_URL: `http://127.0.0.1:${(engine.address() as AddressInfo).port}/v1`,
    TRANSCRIPTION_CONCURRENCY: '4',
  },
})
await eventually('0.1.0 is up', 120_000, async () => {
  if (!(await fetch(`${appUrl}/api/config`)).ok) throw new Error('not yet')
})

const note = await speechOf(2, 'old.ogg')
const broken = join(switches, 'broken.ogg')
await writeFile(broken, `OggS${'\0'.repeat(60)}no sound`)

/** With a number that is proved, a paid plan, and notes that are done, failed and deleted. */
const ada = await signUp(system)
await ada.sendText(`My link code is ${ada.user.link_code}`)
await ada.replies(1)
const { data: bought } = await ada.http.post('/stripe/create-checkout-session', { planType: 'monthly' })
await fetch(`${system.sandboxUrl}/api/stripe/checkout/${bought.data.sessionId}/pay`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
})
await eventually('the plan is paid', 60_000, async () => {
  await ada.http.post('/stripe/verify-session', { sessionId: bought.data.sessionId })
  if ((await ada.plan()).plan !== 'monthly') throw new Error('not yet')
})
await ada.sendNote(note, { voice: true })
await ada.ended(1)
await ada.sendNote(note, { voice: true })
const [second] = await ada.ended(2)
await ada.http.delete(`/transcriptions/${second!.id}`)
await ada.sendNote(broken)
await ada.ended(2)

/** Whose number is only claimed, on the free plan, with a session and a reset link. */
const bob = await signUp(system)
await bob.sendNote(note, { voice: true })
await bob.ended(1)
await bob.open.post('/auth/forgot-password', { email: bob.email })

/** Somebody unknown, whose note waits to be linked. */
const stranger = newNumber()
await chatOf(system, `1${stranger}`).sendNote(note, { voice: true })

hold('engine')
const before = heard
await bob.sendNote(note, { voice: true })
await eventually('the engine is listening', 60_000, async () => {
  if (heard === before) throw new Error('not yet')
})
hold('decoder')
await ada.sendNote(note, { voice: true })
await eventually('all notes are there', 60_000, async () => {
  const all =
    (await ada.transcriptions()).statistics.processing + (await bob.transcriptions()).statistics.processing
  if (all !== 2) throw new Error(`${all} are under way`)
})

const seen = async (person: typeof ada) => ({
  email: person.email,
  password: person.password,
  number: person.number,
  refreshToken: person.refreshToken,
  plan: await person.plan(),
  notes: (await person.transcriptions()).transcriptions,
  payments: (await person.http.get('/stripe/payment-history')).data.data,
})
const facts = {
  madeAt: new Date().toISOString(),
  ports: { port, sandboxPort },
  stranger,
  ada: await seen(ada),
  bob: await seen(bob),
}
child.kill('SIGKILL')
await once(child, 'exit')
engine.close()
engine.closeAllConnections()

await addUnsentEvents()
await writeFile(join(import.meta.dirname, 'v010.json'), `${JSON.stringify(facts, null, 2)}\n`)
new DatabaseSync(join(dataDir, 'sandbox/sandbox.sqlite')).exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM')
// Keys are made at the next start; nobody's real one is ever in the repository.
for (const file of ['voxscribe.log', 'jwt-key.pem', 'sandbox-secrets.json']) rmSync(join(dataDir, file))
execFileSync('sh', ['-c', `tar -C ${dataDir} -c . | gzip -9n > ${join(import.meta.dirname, 'v010.tar.gz')}`])
rmSync(dataDir, { recursive: true })
rmSync(switches, { recursive: true })
process.exit(0)

/** Adds events that a crash left between a write and its news, and dead letters, in the old version's own words. */
async function addUnsentEvents(): Promise<void> {
  const of = async (path: string) => import(pathToFileURL(join(old, path)).href)
  const { UserRegistered, UserUpdated, TranscriptionCompleted } = await of(
    'packages/contracts/src/wire/events.ts',
  )
  const { startEmbeddedMongo } = await of('packages/embedded-mongo/src/index.ts')
  const mongo = await startEmbeddedMongo({ path: join(dataDir, 'mongo') })
  const connection = await mongoose.createConnection(mongo.url).asPromise()
  const users = connection.useDb('voxscribe_auth').collection('users')
  const user = await users.findOne({ email: bob.email })
  const account = {
    userId: String(user!._id),
    phone: user!.phone,
    linkCode: user!.linkCode,
    language: user!.language,
    email: user!.email,
    firstName: user!.firstName,
    lastName: user!.lastName,
    revision: user!.revision + 1,
  }
  const update = UserUpdated.create(account)
  await users.updateOne({ email: bob.email }, { $push: { outbox: update }, $inc: { revision: 1 } } as never)
  const letters = [
    [
      'billing.user-registered',
      UserRegistered.create({ ...account, registeredAt: new Date().toISOString() }),
    ],
    [
      'notification.transcription-completed',
      TranscriptionCompleted.create({
        transcriptionId: facts.bob.notes.at(-1)!.id,
        userId: account.userId,
        seconds: 2,
        audioSeconds: 2,
        text: 'A dead letter.',
        words: 3,
        language: 'en',
        engine: 'openai',
        remainingSeconds: 1_700,
        attempt: 1,
        notice: 'No speech found',
        source: { channel: 'whatsapp', address: bob.number, messageId: 'wamid.old' },
      }),
    ],
  ] as const
  for (const [queue, message] of letters) {
    const letter = {
      id: message.id,
      queue,
      reason: 'mail is down',
      attempts: 6,
      at: new Date().toISOString(),
      message,
    }
    appendFileSync(join(dataDir, 'dead-letters.jsonl'), `${JSON.stringify(letter)}\n`)
  }
  await connection.close()
  await mongo.stop()
}
