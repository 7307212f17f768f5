import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import axios from 'axios'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { chatOf } from './testing/person.ts'
import { speechOf } from './testing/speech.ts'
import { type Env, ROOT, type System } from './testing/system.ts'
import { moveToBroker } from './upgrade/broker.ts'

// What version 0.1.0 left behind when its power was cut; `e2e/upgrade/make.ts` has made it with that version.
const FOLDER = join(import.meta.dirname, 'upgrade')
const facts = JSON.parse(readFileSync(join(FOLDER, 'v010.json'), 'utf8'))
type Left = typeof facts.ada

let engine: Awaited<ReturnType<typeof startCountingEngine>>
let system: System
const rabbit: RabbitServer | null = await startRabbitServer()
afterAll(() => rabbit?.stop())

async function start(broker: RabbitServer | null) {
  engine = await startCountingEngine(0)
  const env: Env = {
    ...engine.settings,
    // Months, sessions and links last as they did that day.
    CLOCK_SHIFT_MS: String(Date.parse(facts.madeAt) + 60_000 - Date.now()),
    NODE_OPTIONS: `--import ${join(ROOT, 'e2e/drill/shifted-clock.mjs')}`,
  }
  if (broker) env.RABBITMQ_URL = broker.url
  system = await startOneProcess(env, async dataDir => {
    execFileSync('tar', ['-C', dataDir, '-xzf', join(FOLDER, 'v010.tar.gz')])
    if (broker) await moveToBroker(dataDir, broker)
  })
}
async function stop() {
  await system?.remove()
  await engine?.stop()
}

const api = (token?: string) =>
  axios.create({
    baseURL: `${system.appUrl}/api`,
    validateStatus: () => true,
    timeout: 30_000,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
async function signIn({ email, password }: Left) {
  const { data } = await api().post('/auth/login', { email, password })
  return api(data.data.accessToken)
}
type Http = Awaited<ReturnType<typeof signIn>>
const notesOf = async (http: Http) => (await http.get('/transcriptions')).data.data.transcriptions
const ended = (http: Http, count: number) =>
  eventually(`${count} notes have ended`, 60_000, async () => {
    const notes = (await notesOf(http)).filter((note: Left) => note.status !== 'processing')
    if (notes.length < count) throw new Error(`${notes.length} have`)
    return notes
  })

async function isAllThere(left: Left, http: Http) {
  await ended(http, left.notes.length)
  for (const note of left.notes.filter((note: Left) => note.status !== 'processing')) {
    const { data, status } = await http.get(`/transcriptions/${note.id}`)
    expect(status).toBe(200)
    const { id, fileName, createdAt, fileSize, durationSeconds, text, wordCount } = note
    expect(data.data.transcription).toMatchObject({
      ...{ id, fileName, createdAt, fileSize, durationSeconds, text, wordCount, status: note.status },
      error: note.error,
    })
    if (note.status !== 'completed') continue
    const file = await axios.get(data.data.transcription.audioUrl, {
      baseURL: system.appUrl,
      responseType: 'arraybuffer',
    })
    expect(file.data.byteLength).toBe(note.fileSize)
    for (const format of ['txt', 'srt', 'vtt', 'json', 'docx'])
      expect((await http.get(`/transcriptions/${id}/export?format=${format}`)).status).toBe(200)
    const found = await http.get('/transcriptions', { params: { search: 'old words' } })
    expect(found.data.data.transcriptions.map((other: Left) => other.id)).toContain(id)
  }
}

/** The note that was under way is done, charged once, and answered. */
async function goesToItsEnd(left: Left, http: Http) {
  const { id } = left.notes.find((note: Left) => note.status === 'processing')
  const text = 'It was the season of light.'
  const note = (await notesOf(http)).find((note: Left) => note.id === id)
  expect(note).toMatchObject({ status: 'completed', text })
  await eventually('the minutes are charged', 60_000, async () => {
    const { usage } = (await http.get('/stripe/usage')).data.data
    const charged = usage.filter((entry: Left) => entry.kind === 'settled' && entry.transcriptionId === id)
    if (charged.length !== 1 || charged[0].seconds !== 2) throw new Error(JSON.stringify(usage))
  })
  await eventually('the answer is in the chat', 60_000, async () => {
    const answers = (await chatOf(system, left.number).messages()).filter(message =>
      message.text?.includes(text),
    )
    if (answers.length !== 1) throw new Error(`${answers.length} are`)
  })
}

async function isStillPaid(left: Left, http: Http) {
  const { data } = await http.get('/stripe/subscription-status')
  const { plan, status, current_period_end } = left.plan
  expect(data.data).toMatchObject({ plan, status, current_period_end })
  expect((await http.get('/stripe/payment-history')).data.data).toEqual(left.payments)
}

async function goesOn(name: string, left: Left, http: Http) {
  const { id } = left.notes.find((note: Left) => note.status === 'completed')
  const path = `/transcriptions/${id}`
  expect((await http.post(`${path}/refresh`)).status).toBe(200)
  await eventually('it is done again', 60_000, async () => {
    const { transcription } = (await http.get(path)).data.data
    if (transcription.text !== 'It was the season of light.') throw new Error(transcription.text)
  })
  expect((await http.patch(path, { title: 'A new title' })).data.data.transcription.title).toBe('A new title')
  expect((await http.delete(path)).status).toBe(200)
  expect((await http.get(path)).status).toBe(404)
  const chat = chatOf(system, left.number)
  const sent = await chat.sendNote(await speechOf(3, `${name}.ogg`), { voice: true })
  await eventually('the note is answered', 60_000, async () => {
    const answers = (await chat.messages()).filter(({ quoted }) => quoted?.id === sent.id)
    if (answers.length !== 1) throw new Error(`${answers.length} answers`)
  })
  const profile = { first_name: 'Grace', email: `grace.${name}@example.com` }
  expect((await http.post('/users/update-profile', profile)).status).toBe(200)
}

/** Messages of that kind that ingestion has handled since its start. */
async function heardOf(event: string): Promise<number> {
  const { data } = await axios.get<string>(system.ingestionMetricsUrl)
  const [, heard] =
    new RegExp(`_duration_seconds_count\\{[^}]*"ingestion.${event}".* (\\d+)`).exec(data) ?? []
  return Number(heard ?? 0)
}

/** The notes from before leave an account whose number was only claimed when its owner objects. */
async function losesAll(left: Left, http: Http) {
  const chat = chatOf(system, left.number)
  const asked = (await chat.messages()).filter(({ text }) => text?.includes('Not yours?')).length
  await eventually('ingestion knows that they were asked', 60_000, async () => {
    const heard = await heardOf('ownership-asked')
    if (!asked || heard < asked) throw new Error(`${heard} of ${asked}`)
  })
  await chat.sendText('NO')
  await eventually('no note is left', 60_000, async () => {
    const notes = await notesOf(http)
    if (notes.length) throw new Error(`${notes.length} are`)
  })
}

const places = [['in one process', null] as const, ...(rabbit ? [['on RabbitMQ', rabbit] as const] : [])]

describe.each(places)('what 0.1.0 has left %s', (_where, broker) => {
  beforeAll(() => start(broker))
  afterAll(stop)

  test.each(['ada', 'bob'])('when %s comes back, then everything is there, and goes on', async name => {
    const left: Left = facts[name]
    const renewed = await api().post('/auth/refresh', { refreshToken: left.refreshToken })
    expect(renewed.status).toBe(200)
    const http = await signIn(left)
    const { user } = (await http.get('/users/profile')).data.data
    expect(user).toMatchObject({ email: left.email, linked: name === 'ada' })
    expect(left.number).toBe(`1${user.wtp_number}`)
    await isAllThere(left, http)
    await goesToItsEnd(left, http)
    await isStillPaid(left, http)
    await goesOn(name, left, http)
    if (!user.linked) await losesAll(left, http)
  })

  test('when a stranger, whose note has waited, signs up, then it is theirs', async () => {
    const before = await heardOf('user-registered')
    const answer = await api().post('/auth/register', {
      ...{
        first_name: 'Cleo',
        last_name: 'Old',
        email: 'cleo@example.com',
        password: 'correct horse battery',
      },
      ...{ wtp_number: facts.stranger, country_id: '840' },
    })
    expect(answer.status).toBe(201)
    const { accessToken, user } = answer.data.data
    await eventually('ingestion knows the code', 60_000, async () => {
      if ((await heardOf('user-registered')) === before) throw new Error('not yet')
    })
    await chatOf(system, `1${facts.stranger}`).sendText(`My link code is ${user.link_code}`)
    const [note] = await ended(api(accessToken), 1)
    expect(note).toMatchObject({ status: 'completed', text: 'It was the season of light.' })
  })

  test('when old dead letters are put back, then they are handled, and what was not sent yet is no dead letter', async () => {
    const url = system.ingestionMetricsUrl.replace('/metrics', '/dead-letters')
    const letters = async () => (await axios.get(url)).data
    const queues = (await letters()).map(({ queue }: Left) => queue).sort()
    expect(queues).toEqual(['billing.user-registered', 'notification.transcription-completed'])
    expect((await axios.post(`${url}/requeue`)).data).toEqual({ requeued: 2 })
    await eventually('they are handled', 60_000, async () => {
      if ((await letters()).length) throw new Error(JSON.stringify(await letters()))
    })
  })
})
