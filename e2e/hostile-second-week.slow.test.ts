import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import axios, { type AxiosResponse } from 'axios'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { newNumber, type Person, signUp } from './testing/person.ts'
import { startProcesses } from './testing/processes.ts'
import { fileWith, speechOf, voiceNote } from './testing/speech.ts'
import { ROOT, type System } from './testing/system.ts'

/** Article 1 of the Universal Declaration of Human Rights in Tamil; its bytes deflate by 2.8. */
const TAMIL =
  'மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும், உரிமைகளிலும் சமமானவர்கள், அவர்கள் நியாயத்தையும் மனச்சாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள். அவர்கள் ஒருவருடனொருவர் சகோதர உணர்வுப் பாங்கில் நடந்துகொள்ளல் வேண்டும்.'
const note = await voiceNote()
/** Real models, which are no part of the repository: `silero-vad` and `whisper-tiny.en`. */
const MODEL_DIR = join(ROOT, '../shared/models')
const mongo = await startEmbeddedMongo({ path: ':memory:' })
const rabbit = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => Promise.all([rabbit?.stop(), mongo.stop()]))
const start = (env: object) =>
  startProcesses({ MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url }, { env: { ...env } })
const soon = <T>(what: string, check: () => Promise<T>) => eventually(what, check)
async function uploaded(person: Person, path = note): Promise<string> {
  return (await person.upload(path, { name: 'note.ogg' })).data.data.transcription.id
}

onRabbit('hostile callers of services apart, on RabbitMQ', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let system: System
  let person: Person
  beforeAll(async () => {
    engine = await startCountingEngine(0, TAMIL)
    // The engine is held while all is stopped.
    const brief = { TRANSCRIPTION_CONCURRENCY: '1', DRAIN_TIMEOUT: '1s' }
    system = await start({ ...engine.settings, ...brief })
  })
  afterAll(async () => {
    await system?.remove()
    await engine?.stop()
  })
  beforeEach(async () => {
    person = await signUp(system)
  })
  const upload = () => uploaded(person)
  const isCharged = (by: Person) =>
    soon('it is charged', async () => expect(await by.plan()).toMatchObject({ used_minutes: 0.1 }))
  const refused = async (asking: Promise<AxiosResponse>[]) =>
    (await Promise.all(asking)).filter(answer => answer.status === 429 && answer.headers['retry-after'])

  test('when Tamil is said, then all of it is the text; edits and exports have limits', async () => {
    const id = await upload()
    expect(await person.ended(1)).toMatchObject([{ status: 'completed', text: TAMIL }])
    const retitle = () => person.http.patch(`/transcriptions/${id}`, { title: 'Article 1' })
    expect(await refused(Array.from({ length: 61 }, retitle))).toHaveLength(1)
    const exported = () => person.http.post('/transcriptions/export', { format: 'txt' })
    expect(await refused(Array.from({ length: 10 }, exported))).not.toHaveLength(0)
  })

  test('when ten uploads break off, then ingestion keeps none of their files open', async () => {
    const open = `/proc/${system.process('ingestion').pid}/fd`
    const files = () => String(execFileSync('ls', ['-l', open])).match(/voxscribe-media/g) ?? []
    const filesOpen = (count: number) =>
      soon(`${count} files are open`, async () => expect(files()).toHaveLength(count))
    await filesOpen(0)
    const breaking = new AbortController()
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (let time = 0; time < 10; time++) {
      const body = new PassThrough()
      body.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF')
      body.write(Buffer.alloc(1_000_000))
      person.http.post('/transcriptions', body, { headers, signal: breaking.signal }).catch(() => {})
    }
    await filesOpen(10)
    breaking.abort()
    await filesOpen(0)
  })

  test('when an address is left, taken back and its password reset, then links and sessions end', async () => {
    const { email, open, http } = person
    const mails = async (to: string) =>
      JSON.stringify((await axios.get(`${system.sandboxUrl}/api/mail`, { params: { to } })).data)
    const tokenIn = (path: string, to: string) =>
      soon(`${to} has a link`, async () => (await mails(to)).match(`/${path}\\?token=([\\w-]{43})`)![1]!)
    const reset = async (address: string, newPassword: string) => {
      await open.post('/auth/forgot-password', { email: address })
      const token = await tokenIn('reset-password', address)
      expect((await open.post('/auth/reset-password', { token, newPassword })).status).toBe(200)
      const { data } = await open.post('/auth/login', { email: address, password: newPassword })
      return `Bearer ${data.data.accessToken}`
    }
    const thief = `thief-${email}`
    await http.put('/users/profile', { email: thief })
    const undo = await tokenIn('undo-email', email)
    const authorization = await reset(thief, 'now it is mine')
    await open.put('/users/profile', { email }, { headers: { authorization } })
    const own = await reset(email, 'only mine')
    expect((await open.post('/auth/undo-email', { token: undo })).status).toBe(400)
    expect(await mails(thief)).not.toContain('undo-email')
    for (const ended of [authorization, `${authorization} x`, `${own} x`])
      expect((await open.get('/users/profile', { headers: { authorization: ended } })).status).toBe(401)
  })

  test('when the same bytes are deleted while the engine listens, then the sixth time is charged', async () => {
    const release = engine.hold()
    for (let time = 1; time <= 6; time++) {
      const before = engine.calls()
      const id = await upload()
      await soon('the engine listens', async () => expect(engine.calls()).toBeGreaterThan(before))
      const { data } = await person.http.delete(`/transcriptions/${id}`)
      expect(/minutes were charged/.test(data.message)).toBe(time === 6)
    }
    release()
    await isCharged(person)
  })

  test('when a stranger used minutes under a number and left it, then its owner has all of them', async () => {
    await upload()
    await isCharged(person)
    await person.http.post('/users/update-profile', { wtp_number: newNumber() })
    const owner = await signUp(system)
    const number = { wtp_number: person.number.slice(1) }
    const { data } = await owner.http.post('/users/update-profile', number)
    await person.sendText(data.data.user.link_code)
    await person.sendNote(note, { voice: true })
    await isCharged(owner)
  })

  test('when notes wait at a restart, then one that comes after it is heard after them', async () => {
    const release = engine.hold()
    const speech = await readFile(note)
    const ids: string[] = []
    async function send(name: string) {
      ids.push(await uploaded(person, fileWith(name, Buffer.concat([speech, Buffer.from(name)]))))
      await soon('its minutes are reserved', async () =>
        expect((await person.http.get('/stripe/usage')).data.data.usage).toHaveLength(ids.length),
      )
    }
    for (const name of ['first.ogg', 'second.ogg', 'third.ogg', 'fourth.ogg']) await send(name)
    await system.stop()
    await system.start()
    await send('newcomer.ogg')
    release()
    await person.ended(5)
    async function heardAt(id: string): Promise<string> {
      const { data } = await person.http.get(`/transcriptions/${id}`)
      const heard = ({ step }: { step: string }) => step === 'listening'
      return data.data.transcription.timeline.findLast(heard).at
    }
    const heard = await Promise.all(ids.map(heardAt))
    expect(heard.at(-1)).toBe(heard.toSorted().at(-1))
  })
})

const withModel = rabbit && existsSync(MODEL_DIR) ? test : test.skip
withModel('when the worker of the local engine is killed twice, then the note is text', async () => {
  const system = await start({ SPEECH_ENGINE: 'local', MODEL_DIR })
  try {
    const person = await signUp(system)
    // One piece: both kills hit the same task.
    await uploaded(person, await speechOf(20, 'killed.ogg'))
    const { pid } = system.process('transcription')
    const killed = new Set<number>()
    /** Kills a child of a guard that has more memory than the detector: its model is loaded. */
    async function kill() {
      const table = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' })
      const rows = table.split('\n').map(row => row.trim().split(/\s+/).map(Number))
      const parents = new Map(rows.map(([child, parent]) => [child, parent]))
      const [worker] = rows.find(
        ([child, guard, kilobytes = 0]) =>
          kilobytes > 200_000 && parents.get(guard) === pid && !killed.has(child!),
      )!
      process.kill(worker!, 'SIGKILL')
      killed.add(worker!)
    }
    for (let time = 0; time < 2; time++) await soon('a worker hears', kill)
    expect(await person.ended(1)).toMatchObject([{ status: 'completed', error: null }])
  } finally {
    await system.remove()
  }
})
