import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { temporaryFolder } from '@voxscribe/service'
import { eventually, serve, tokenFor } from '@voxscribe/service/testing'
import { ffmpeg, librivox, MODELS, tone, withRealSpeech } from '@voxscribe/speech/testing'
import express from 'express'
import { claimsOf, deskFor, deskWithSphinx } from '../testing.ts'
import { createPreviews } from './preview.ts'

const WEBM = 'audio/webm;codecs=opus'
const { desk, folder, sphinx, note } = await deskWithSphinx()

/** Makes a piece as browsers do. */
async function pieceOf(name: string, ...input: string[]): Promise<string> {
  const path = join(folder, name)
  await ffmpeg(...input, '-c:a', 'libopus', '-b:a', '32k', path)
  return path
}
const piece = await pieceOf('piece.webm', '-i', await tone(join(folder, 'piece.wav'), 9))

async function preview(
  body: BodyInit,
  {
    userId = 'u1' as string | null,
    type = WEBM,
    query = '',
    signal = undefined as AbortSignal | undefined,
  } = {},
) {
  const response = await fetch(`${desk.url}/api/transcriptions/preview${query}`, {
    ...{ method: 'POST', body, duplex: 'half', signal: signal ?? null },
    headers: { 'content-type': type, ...(userId && { authorization: tokenFor(userId) }) },
  } as RequestInit)
  const { code, data } = await response.json()
  return { status: response.status, code, data, retryAfter: response.headers.get('retry-after') }
}
const bytes = await readFile(piece)
const nothing = Buffer.alloc(0)
const filesLeft = () => readdirSync(temporaryFolder()).filter(name => name.startsWith('voxscribe-note-'))

test('when a piece of a recording comes, then its words are the answer, and nothing is kept', async () => {
  const speech = await (await desk.fetch('/internal/speech')).json()
  expect(speech.data.preview).toBe(true)
  const words = { words: [], replacements: [{ heard: 'world', write: 'Wörld' }] }
  await desk.call('PUT', '/users/words', 'ada', { body: words })
  const answer = await preview(bytes, { userId: 'ada', query: '?language=en' })
  expect(answer).toMatchObject({ status: 200, data: { text: 'hello Wörld', language: 'en' } })
  expect((await preview(bytes, { type: 'audio/mp4' })).data.text).toBe('hello world')
  expect(await desk.notes.countDocuments()).toBe(0)
  expect(desk.bus.sent('MediaNormalised')).toEqual([])
  expect(filesLeft()).toEqual([])
})

test('when a piece has little speech, then a new language is doubted as in a note', async () => {
  const span = { from: 0, to: 3 }
  const engine = {
    ...{ name: 'local', kind: 'local', model: 'm' },
    abilities: { partSeconds: 60, partsAtOnce: 2, languages: 'all', perMinute: 0, times: 'none' },
    recognise: async ({ likelyLanguage }: { likelyLanguage(guess: string): Promise<string> }) => {
      const language = await likelyLanguage('pt')
      return { segments: [{ ...span, text: 'Hola.', confidence: null }], language, timesExact: true }
    },
  }
  const sound = {
    seconds: 3,
    levels: Array(30).fill(0.1),
    speech: [span],
    detect: () => Readable.from([span]),
  }
  const { route } = createPreviews({
    engines: { current: () => engine },
    sounds: { use: (_note: unknown, _signal: unknown, work: (it: object) => unknown) => work(sound) },
    isIdle: () => true,
    ownWords: { forUser: async () => ({ words: [], replacements: [] }) },
    notes: { lastLanguages: async ({ userId }: { userId: string }) => [userId, userId] },
    rateLimits: () => ({ count: async () => {} }),
  } as never)
  const app = express().post('/', async (request, response) => {
    response.json(await route.answer(request, async () => claimsOf('es')))
  })
  const server = await serve(app)
  const sent = { method: 'POST', body: bytes, headers: { 'content-type': WEBM } }
  const { data } = await (await fetch(server.url, sent)).json()
  expect(data).toEqual({ text: 'Hola.', language: 'es' })
  await server.stop()
})

test('when there is nothing but silence, then there are no words', async () => {
  const silence = await pieceOf('silence.webm', '-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '9')
  const runs = await sphinx.runs()
  expect(await preview(await readFile(silence))).toMatchObject({ status: 200, data: { text: '' } })
  expect(await sphinx.runs()).toBe(runs)
})

test.each([
  ['nobody', { userId: null }, bytes, 401, 'unauthorized'],
  ['JSON', { type: 'application/json' }, Buffer.from('{}'), 415, 'unsupported_media_type'],
  ['text', { type: 'audio/webm' }, Buffer.from('no sound'), 415, 'unsupported_media_type'],
  ['nothing', {}, nothing, 415, 'unsupported_media_type'],
  ['half a file', {}, bytes.subarray(0, 40), 415, 'unsupported_media_type'],
  ['a language that does not exist', { query: '?language=klingon' }, bytes, 400, 'invalid'],
  ['a language that is not heard here', { query: '?language=pt' }, bytes, 409, 'no_preview'],
  ['a megabyte and a byte', {}, Buffer.alloc(1024 * 1024 + 1), 413, 'too_large'],
  ['a file of hours', {}, Buffer.alloc(20_000_000), 413, 'too_large'],
  [
    'one that does not say how long it is',
    {},
    new Blob([Buffer.alloc(3_000_000)]).stream(),
    413,
    'too_large',
  ],
] as const)('when %s comes, then it is refused', async (_what, how, body, status, code) => {
  const runs = await sphinx.runs()
  expect(await preview(body as BodyInit, how)).toMatchObject({ status, code })
  expect(await sphinx.runs()).toBe(runs)
  expect(filesLeft()).toEqual([])
})

test('when a small file lasts for an hour, then it is refused after some seconds of them', async () => {
  const hour = join(folder, 'hour.flac')
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '3600', hour)
  const content = await readFile(hour)
  expect(content.length).toBeLessThan(1024 * 1024)
  expect(await preview(content)).toMatchObject({ status: 413, code: 'too_large' })
  expect(filesLeft()).toEqual([])
})

test('when sixty come at once, then one is heard, and the others are asked to wait', async () => {
  const runs = await sphinx.runs()
  await sphinx.slowDown(1)
  const answers = await Promise.all(Array.from({ length: 60 }, () => preview(bytes)))
  await sphinx.slowDown(0)
  expect(Map.groupBy(answers, ({ status }) => status).get(200)).toHaveLength(1)
  expect(answers.filter(({ status, code }) => status === 503 && code === 'overloaded')).toHaveLength(59)
  expect(answers.every(({ status, retryAfter }) => status === 200 || Number(retryAfter) > 0)).toBe(true)
  expect(await sphinx.runs()).toBe(runs + 1)
})

test('when a note is at work, then no piece is heard until it is done', async () => {
  await sphinx.hold()
  const runs = await sphinx.runs()
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  await eventually(async () => (await sphinx.runs()) > runs)
  expect(await preview(bytes)).toMatchObject({ status: 503, code: 'overloaded', retryAfter: '5' })
  await sphinx.release()
  await desk.completed(data.mediaId)
  await eventually(async () => (await preview(bytes)).status === 200)
})

test('when a person has had twenty minutes in a day, then there are no more', async () => {
  const expire = new Date(Date.now() + 3_600_000)
  const spent = { key: 'preview-person:eve', points: 1_195, expire }
  await desk.stored('rate_limits').insertOne(spent as never)
  expect(await preview(bytes, { userId: 'eve' })).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(filesLeft()).toEqual([])
  expect((await preview(bytes, { userId: 'ben' })).status).toBe(200)
})

test('when the page is left while a piece is heard, then that ends, and the place is free', async () => {
  await sphinx.hold()
  const runs = await sphinx.runs()
  const left = new AbortController()
  const asked = preview(bytes, { signal: left.signal })
  await eventually(async () => (await sphinx.runs()) > runs)
  left.abort()
  await expect(asked).rejects.toThrow()
  const pid = (await sphinx.pids()).at(-1)
  await eventually(
    () => !existsSync(`/proc/${pid}`) || /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')),
  )
  await sphinx.release()
  await eventually(async () => (await preview(bytes)).status === 200)
  expect(filesLeft()).toEqual([])
})

/** Sends only the beginning of a piece. */
async function beginPiece(userId: string) {
  const { hostname, port } = new URL(desk.url)
  const socket = connect(Number(port), hostname)
  const head = [
    'POST /api/transcriptions/preview HTTP/1.1',
    `host: ${hostname}`,
    `content-type: ${WEBM}`,
    `content-length: ${bytes.length}`,
    `authorization: ${tokenFor(userId)}`,
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.write(bytes.subarray(0, 1_000))
  return socket
}

test('when bodies come slowly, then they hold no place: another person is heard', async () => {
  const slow = await Promise.all(Array.from({ length: 20 }, (_, at) => beginPiece(`slow${at}`)))
  const { status } = await preview(bytes)
  for (const socket of slow) socket.destroy()
  expect(status).toBe(200)
})

test('when a body breaks off, then its person can send the next', async () => {
  const socket = await beginPiece('u1')
  expect((await preview(bytes)).status).toBe(503)
  socket.destroy()
  await eventually(async () => (await preview(bytes)).status === 200)
})

test('when the service stops, then a piece in hand is over', async () => {
  await sphinx.hold()
  const runs = await sphinx.runs()
  const asked = preview(bytes)
  await eventually(async () => (await sphinx.runs()) > runs)
  const started = performance.now()
  const stopped = desk.restart()
  expect(await asked).toMatchObject({ status: 503, code: 'overloaded' })
  // A piece in progress is given up after half a minute.
  expect(performance.now() - started).toBeLessThan(29_000)
  await sphinx.release()
  await stopped
  expect((await preview(bytes)).status).toBe(200)
})

describe('where a provider hears notes', () => {
  const here = deskFor(() => ({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }))
  test('then no piece is sent there', async () => {
    const speech = await (await here.desk.fetch('/internal/speech')).json()
    expect(speech.data.preview).toBe(false)
    const headers = { authorization: tokenFor('u1'), 'content-type': WEBM }
    const sent = { method: 'POST', headers, body: bytes }
    const response = await fetch(`${here.desk.url}/api/transcriptions/preview`, sent)
    expect([response.status, (await response.json()).code]).toEqual([409, 'no_preview'])
  })
})

withRealSpeech('real speech, heard by a model on this machine while it is recorded', () => {
  const here = deskFor(() => ({ MODEL_DIR: MODELS, SPHINX_COMMAND: '/nowhere/sphinx' }))
  test('when a sentence comes, then most of its words are the answer', async () => {
    const [first] = librivox()
    const path = await pieceOf('spoken.webm', '-i', first?.path ?? '')
    const response = await fetch(`${here.desk.url}/api/transcriptions/preview`, {
      ...{ method: 'POST', body: await readFile(path) },
      headers: { authorization: tokenFor('u1'), 'content-type': WEBM },
    })
    const { data } = await response.json()
    const heard = new Set(data.text.toLowerCase().match(/[a-z']+/g))
    const words = first?.words ?? []
    expect(words.filter(word => heard.has(word)).length / words.length).toBeGreaterThanOrEqual(0.8)
    expect(data.language).toBe('en')
  })
})
