import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@voxscribe/service'
import { eventually } from '@voxscribe/service/testing'
import { ffmpeg, startOpenAiFake, tone } from '@voxscribe/speech/testing'
import { deskFor, deskWithSphinx } from '../testing.ts'
import { languageOfVisitor } from './tries.ts'

const { desk, folder, sphinx, note } = await deskWithSphinx()

async function recordingOf(seconds: number): Promise<Buffer> {
  const path = join(folder, `${seconds}.webm`)
  await ffmpeg(
    ...['-i', await tone(join(folder, `${seconds}.wav`), seconds), '-c:a', 'libopus', '-b:a', '32k'],
    path,
  )
  return readFile(path)
}
const recording = await recordingOf(9)

let addresses = 0
const newAddress = () => `203.0.113.${addresses++}`

interface Sent {
  content?: Buffer | string
  from?: string
  cookie?: string | undefined
  field?: string
  type?: string
  url?: string
}

async function send({
  content = recording,
  from = newAddress(),
  cookie,
  field = 'file',
  ...more
}: Sent = {}) {
  const form = new FormData()
  form.set(field, new Blob([content as BlobPart], { type: 'audio/webm' }), 'note.webm')
  const response = await fetch(`${more.url ?? desk.url}/api/try`, {
    method: 'POST',
    body: more.type ? content : form,
    headers: {
      'x-forwarded-for': from,
      ...(cookie && { cookie }),
      ...(more.type && { 'content-type': more.type }),
    },
  } as RequestInit)
  const { code, data } = await response.json()
  const { status, headers } = response
  const kept = headers.get('set-cookie')
  return { status, code, data, kept, cookie: kept?.split(';')[0], retryAfter: headers.get('retry-after') }
}
const filesLeft = () => readdirSync(temporaryFolder()).filter(name => name.startsWith('voxscribe-note-'))

test.each([
  ['ta', 'es', 'es'],
  ['en', 'es', 'en'],
  ['pl', 'en', 'pl'],
  ['auto', 'en', 'en'],
])('when two seconds sound like %s on a page in %s, then they are in %s', (guess, uiLanguage, language) => {
  expect(languageOfVisitor(guess, uiLanguage)).toBe(language)
})

test('when a visitor records a note, then its words are the answer, and nothing is kept', async () => {
  expect((await (await desk.fetch('/internal/speech')).json()).data.try).toBe(true)
  const { status, data, kept } = await send()
  expect([status, data]).toEqual([200, { text: 'hello world', language: 'en', seconds: 9 }])
  expect(kept).toMatch(/^voxscribe_try=[\w-]{43}; Path=\/api\/try; Max-Age=86400; HttpOnly; SameSite=Lax/)
  expect(await desk.notes.countDocuments()).toBe(0)
  expect(desk.bus.sent('MediaNormalised')).toEqual([])
  expect(filesLeft()).toEqual([])
})

test('when a browser has had three in a day, then there are no more, wherever it is', async () => {
  const { cookie } = await send()
  for (const _ of [2, 3]) expect((await send({ cookie })).cookie).toBe(cookie)
  const { status, code, retryAfter } = await send({ cookie })
  expect([status, code]).toEqual([429, 'try_used_up'])
  expect(Number(retryAfter)).toBeGreaterThan(86_000)
  expect((await send()).status).toBe(200)
})

test('when an address has had twenty, then there are no more, whichever the browser', async () => {
  const from = newAddress()
  const expire = new Date(Date.now() + 3_600_000)
  const spent = { key: `try-address:${from}`, points: 19, expire }
  await desk.stored('rate_limits').insertOne(spent as never)
  expect((await send({ from })).status).toBe(200)
  expect(await send({ from })).toMatchObject({ status: 429, code: 'try_used_up' })
})

test('when two hundred come at once, again and again, then one is heard at a time, and the limits hold', async () => {
  const from = newAddress()
  const runs = await sphinx.runs()
  await sphinx.slowDown(0.3)
  let heard = 0
  for (let wave = 0; wave < 3; wave++) {
    const answers = await Promise.all(Array.from({ length: 200 }, () => send({ from })))
    const byStatus = Map.groupBy(answers, ({ status }) => status)
    expect([...byStatus.keys()].sort()).toEqual([200, 503])
    heard += byStatus.get(200)!.length
    expect(byStatus.get(503)!.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  }
  await sphinx.slowDown(0)
  expect(await sphinx.runs()).toBe(runs + heard)
  const counted = await desk.stored('rate_limits').findOne({ key: `try-address:${from}` } as never)
  expect(counted).toMatchObject({ points: heard })
})

test.each([
  ['31 s and more', async () => ({ content: await recordingOf(33) }), 413, 'too_long_to_try'],
  ['no sound', async () => ({ content: 'no sound' }), 415, 'unsupported_media_type'],
  ['nothing', async () => ({ content: '' }), 415, 'unsupported_media_type'],
  ['another field', async () => ({ field: 'audio' }), 415, 'unsupported_media_type'],
  ['JSON', async () => ({ content: '{}', type: 'application/json' }), 415, 'unsupported_media_type'],
  [
    'a broken form',
    async () => ({ content: 'x', type: 'multipart/form-data; boundary=y' }),
    415,
    'unsupported_media_type',
  ],
  ['a file of hours', async () => ({ content: Buffer.alloc(20_000_000) }), 413, 'too_large'],
])('when %s comes, then it is refused and does not count for its browser', async (_, sent, status, code) => {
  const runs = await sphinx.runs()
  const browser = String(runs).padStart(43, '0')
  for (const _ of [1, 2, 3, 4])
    expect(await send({ ...(await sent()), cookie: `voxscribe_try=${browser}` })).toMatchObject({
      status,
      code,
    })
  expect(await sphinx.runs()).toBe(runs)
  expect((await send({ cookie: `voxscribe_try=${browser}` })).status).toBe(200)
  expect(filesLeft()).toEqual([])
})

test('when there is only silence, then there are no words', async () => {
  const path = join(folder, 'silence.webm')
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '3', '-c:a', 'libopus', path)
  expect(await send({ content: await readFile(path) })).toMatchObject({ status: 200, data: { text: '' } })
})

test('when a note comes while a visitor’s is heard, then that is given up, and does not count', async () => {
  const from = newAddress()
  await sphinx.hold()
  const runs = await sphinx.runs()
  const tried = send({ from })
  await eventually(async () => (await sphinx.runs()) > runs)
  const { data } = await desk.receive(note)
  await desk.reserve(data.mediaId)
  expect(await tried).toMatchObject({ status: 503, code: 'overloaded', kept: null })
  expect(await send({ from })).toMatchObject({ status: 503, code: 'overloaded', retryAfter: '5' })
  await sphinx.release()
  await desk.completed(data.mediaId)
  const counted = await desk.stored('rate_limits').findOne({ key: `try-address:${from}` } as never)
  expect(counted).toMatchObject({ points: 0 })
  await eventually(async () => (await send({ from })).status === 200)
})

describe('where a provider hears notes', () => {
  let openAi: Awaited<ReturnType<typeof startOpenAiFake>>
  beforeAll(async () => {
    openAi = await startOpenAiFake({ body: { text: 'Buy bread.' } })
  })
  afterAll(() => openAi.stop())
  const here = deskFor(() => ({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: openAi.baseUrl }))
  test('then it hears a visitor’s, too', async () => {
    expect((await (await here.desk.fetch('/internal/speech')).json()).data.try).toBe(true)
    expect((await send({ url: here.desk.url })).data).toMatchObject({ text: 'Buy bread.', seconds: 9 })
  })
})

describe('where the key of a provider has ended', () => {
  let openAi: Awaited<ReturnType<typeof startOpenAiFake>>
  beforeAll(async () => {
    openAi = await startOpenAiFake({
      status: 401,
      body: { error: { message: 'Incorrect API key provided' } },
    })
  })
  afterAll(() => openAi.stop())
  const here = deskFor(() => ({
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: openAi.baseUrl,
    SPHINX_COMMAND: sphinx.command,
  }))
  test('then the next engine hears a visitor’s note', async () => {
    expect((await send({ url: here.desk.url })).data).toMatchObject({ text: 'hello world' })
  })
})

describe('where it is turned off', () => {
  const here = deskFor(() => ({ TRY: 'off', SPHINX_COMMAND: sphinx.command }))
  test('then there is no such call', async () => {
    expect((await (await here.desk.fetch('/internal/speech')).json()).data.try).toBe(false)
    expect(await send({ url: here.desk.url })).toMatchObject({ status: 404, code: 'not_found' })
  })
})
