import { openAsBlob } from 'node:fs'
import { type Line, startProxy } from '@voxscribe/messaging/testing'
import axios from 'axios'
import S3rver from 's3rver'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'
import { newDataDir, S3, type System } from './testing/system.ts'

/** Uploads in sequence; so many because only few would hang. */
const UPLOADS = 40

let engine: Awaited<ReturnType<typeof startCountingEngine>>
let server: S3rver | undefined
let line: Line
let system: System
let person: Person
let note: string

beforeAll(async () => {
  note = await voiceNote()
  engine = await startCountingEngine(0)
  let given = S3
  if (!given.S3_ENDPOINT) {
    const configureBuckets = [{ name: 'media', configs: [] }]
    const directory = await newDataDir()
    server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets })
    const { port } = await server.run()
    const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
    given = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'media', ...keys }
  }
  line = await startProxy(given.S3_ENDPOINT!)
  system = await startOneProcess({ ...engine.settings, ...given, S3_ENDPOINT: line.url })
  person = await signUp(system)
})
afterAll(async () => {
  await system?.remove()
  await line?.close()
  await server?.close()
  await engine?.stop()
})

/** Returns the health of the media stores from `/readyz`. */
async function stores() {
  const { data, status } = await axios.get(system.ingestionMetricsUrls[0].replace('metrics', 'readyz'))
  const parts = ['ingestion', 'transcription'].map(service => data.parts[`${service}: media store`].ok)
  return { status, parts }
}

test(`when ${UPLOADS} files are uploaded at once and one after another, then each is answered and stored`, async () => {
  const sent = Array.from({ length: UPLOADS / 2 }, () => person.upload(note))
  for (let index = sent.length; index < UPLOADS; index += 1)
    sent.push(Promise.resolve(await person.upload(note)))
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(UPLOADS).fill(201))
  const ended = await person.ended(UPLOADS)
  expect(ended.map(({ status }) => status)).toEqual(Array(UPLOADS).fill('completed'))
  const audio = await person.http.get(`/transcriptions/${ended[0]!.id}/audio`, {
    responseType: 'arraybuffer',
  })
  expect(audio.data.length).toBe((await openAsBlob(note)).size)
})

test('when the store is away, then calls that need it get 503 until it is back, and /readyz names it', async () => {
  const [{ id } = { id: '' }] = (await person.transcriptions()).transcriptions
  const { secret } = (await person.http.post('/keys', { name: 'e2e', scopes: ['read', 'write'] })).data.data
  async function transcribe() {
    const form = new FormData()
    form.append('model', 'whisper-1')
    form.append('file', await openAsBlob(note), 'note.ogg')
    const headers = { authorization: `Bearer ${secret}` }
    return axios.post(`${system.appUrl}/v1/audio/transcriptions`, form, {
      headers,
      validateStatus: () => true,
    })
  }
  const calls = () => [
    person.upload(note),
    transcribe(),
    person.http.get(`/transcriptions/${id}/audio`),
    person.http.get(`/transcriptions/${id}/quote`, { params: { from: 0, to: 1 } }),
    person.http.post(`/transcriptions/${id}/refresh`),
  ]
  line.goAway()
  for (const { status, headers } of await Promise.all(calls()))
    expect([status, headers['retry-after']]).toEqual([503, '10'])
  expect(await stores()).toEqual({ status: 200, parts: [false, false] })
  expect((await person.http.get(`/transcriptions/${id}`)).status).toBe(200)

  line.comeBack()
  await eventually('both stores are back', async () => (await stores()).parts.every(Boolean))
  expect((await person.upload(note)).status).toBe(201)
  expect((await transcribe()).status).toBe(200)
})
