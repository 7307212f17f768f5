import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { TranscriptionDeleted } from '@voxscribe/contracts/events'
import type { Transcription } from '@voxscribe/contracts/http'
import { temporaryFolder } from '@voxscribe/service'
import { eventually, serve, tokenFor } from '@voxscribe/service/testing'
import { openFiles } from '../testing/open-files.ts'
import { recording } from '../testing/recording.ts'
import { ingestionForAll } from '../testing.ts'
import { TEMPORARY_PREFIX } from './file.ts'

const MEGABYTE = 1024 * 1024
const asked: string[] = []
/** Plays transcription, which knows the recording `a.opus` of the conversation `c1`. */
const transcription = await serve((request, response) => {
  const { searchParams: query, pathname } = new URL(request.url ?? '', 'http://transcription')
  if (pathname !== '/internal/conversation-file') return void response.writeHead(404).end('{}')
  asked.push(String(query))
  const refused = (status: number, field: string) => {
    const errors = [{ field, message: 'Refused' }]
    response.writeHead(status).end(JSON.stringify({ success: false, message: 'Refused', code: 'x', errors }))
  }
  if (query.get('conversation') !== 'c1') return refused(404, '')
  const named = {
    conversation: { id: 'c1', name: 'Family', n: 7 },
    sender: { id: 'p1', name: 'Bo' },
    createdAt: '2025-03-14T20:01:00.000Z',
    language: 'es',
  }
  const unnamed = { conversation: { id: 'c1', name: 'Family', n: null }, sender: null, language: null }
  const data = { 'a.opus': named, 'lost.opus': unnamed }[query.get('file') ?? '']
  if (!data) return refused(400, 'conversationFile')
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ success: true, message: 'OK', data }))
})
afterAll(transcription.stop)
const app = ingestionForAll({
  RATE_LIMIT_UPLOAD: '30/1h',
  TRANSCRIPTION_URL: transcription.url,
})
beforeAll(async () => {
  await app.register('ada', null)
  await app.register('rosa', '5511998765432')
})

interface Sent {
  userId?: string
  key?: string
  fields?: Record<string, string>
  name?: string
  /** A second file, in the field `other`. */
  second?: Buffer
  headers?: Record<string, string>
}
async function upload(
  file: Buffer | null,
  { userId = 'ada', key, fields = {}, name = 'talk.wav', second, headers }: Sent = {},
) {
  const form = new FormData()
  if (file) form.append('file', new Blob([new Uint8Array(file)]), name)
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (second) form.append('other', new Blob([new Uint8Array(second)]), name)
  const answer = await fetch(`${app.url}/api/transcriptions`, {
    method: 'POST',
    body: form,
    headers: { authorization: tokenFor(userId), ...(key ? { 'idempotency-key': key } : {}), ...headers },
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
const itemOf = ({ body }: Awaited<ReturnType<typeof upload>>): Transcription => body.data.transcription
const received = (mediaId: string) =>
  app.others.sent('MediaReceived').filter(({ data }) => data.mediaId === mediaId)
const LONG = 'x'.repeat(20_000)
const many = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x'.repeat(length)]))
const leftovers = async () =>
  (await readdir(temporaryFolder())).filter(name => name.startsWith(TEMPORARY_PREFIX))

test('when a file is sent, then it is stored and goes the way of every note', async () => {
  const file = recording(11)
  const answer = await upload(file, {
    name: '../../etc/My talk ✓.wav',
    fields: { language: 'es', title: ' Monday ', response_format: 'srt' },
  })
  expect(answer).toMatchObject({ status: 201, body: { success: true } })
  const item = itemOf(answer)
  expect(item).toMatchObject({
    fileName: 'My talk ✓.wav',
    status: 'processing',
    language: 'es',
    fileSize: file.length,
  })
  const note = await app.received(item.id)
  expect(note).toMatchObject({
    userId: 'ada',
    title: 'Monday',
    language: 'es',
    wantsTimes: true,
    mime: 'audio/wav',
    sha256: createHash('sha256').update(file).digest('hex'),
    source: { channel: 'web' },
  })
  expect(await app.blobs.exists(note.objectKey)).toBe(true)
  expect(await leftovers()).toEqual([])
})

test('when a name has escaped quotes and line breaks, then only the breaks are left out', async () => {
  const item = itemOf(await upload(recording(12), { name: 'a "b"\r\n100%25.wav' }))
  expect(item.fileName).toBe('a "b"100%25.wav')
})

test('when no language is chosen, then it is the profile’s; the country is that of a known number', async () => {
  const [ada, rosa] = [
    itemOf(await upload(recording(14))),
    itemOf(await upload(recording(15), { userId: 'rosa' })),
  ]
  expect(ada.language).toBe('de')
  expect(await app.received(ada.id)).not.toHaveProperty('country')
  expect(await app.received(rosa.id)).toMatchObject({ country: 'BR' })
})

test.each<[string, Buffer | null, Sent, number, string, field?: string]>([
  ['a text that calls itself audio', Buffer.from('Just words.'), {}, 415, 'not_audio_or_video'],
  ['an empty file', Buffer.alloc(0), {}, 400, 'invalid'],
  ['no file', null, { fields: { title: 'x' } }, 400, 'invalid'],
  ['an unknown language', recording(13), { fields: { language: 'klingon' } }, 400, 'invalid'],
  ['a title of 10,000 characters', recording(13), { fields: { title: 'x'.repeat(10_000) } }, 400, 'invalid'],
  ['17 MB', recording(13, 17 * MEGABYTE), {}, 413, 'too_large'],
  ['one byte too many', recording(13, 16 * MEGABYTE - 43), {}, 413, 'too_large'],
  ['a key with a blank', recording(13), { key: 'a b' }, 400, 'invalid'],
  ['a long field of ours', recording(16), { fields: { title: LONG } }, 400, 'invalid', 'title'],
  ['fields of over 1 MB together', recording(16), { fields: many(12, 100_000) }, 400, 'invalid', 'f11'],
  ['very many fields', recording(16), { fields: many(30_000, 0) }, 400, 'invalid'],
  ['two files', recording(16), { second: recording(17) }, 400, 'invalid', 'other'],
])(
  'when it is %s, then it is refused and nothing is left',
  async (_what, file, sent, status, code, field = '') => {
    const answer = await upload(file, { userId: 'eva', ...sent })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
    if (field) expect(answer.body.errors[0].field).toBe(field)
    expect(answer.body.message).toMatch(/^[A-Z].*\.?$/)
    expect(await leftovers()).toEqual([])
  },
)

test.each([
  ['many', many(10_000, 10)],
  ['long', { prompt: 'x'.repeat(MEGABYTE) }],
])('when it has just 16 MB and fields that are %s and unknown, then it is taken', async (_, fields) => {
  expect(await upload(recording(14, 16 * MEGABYTE - 44), { fields })).toMatchObject({ status: 201 })
})

test('when it has very many parts that are no fields, then it is refused', async () => {
  const file = `--X\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${recording(19).toString('latin1')}\r\n`
  const send = async (parts: number) => {
    const answer = await fetch(`${app.url}/api/transcriptions`, {
      method: 'POST',
      headers: { authorization: tokenFor('eva'), 'content-type': 'multipart/form-data; boundary=X' },
      body: Buffer.from(`${'--X\r\n\r\nx\r\n'.repeat(parts)}${file}--X--\r\n`, 'latin1'),
    })
    return answer.status
  }
  expect([await send(100), await send(30_000)]).toEqual([201, 400])
})

test.each([
  ['its name is empty', '; filename=""', 'audio/wav', 201],
  ['its name is empty and its type unknown', '; filename=""', 'application/octet-stream', 201],
  ['it has a type and no name', '', 'application/octet-stream', 201],
  ['it has no name, so that it is a field', '', 'audio/wav', 400],
])('when a file is sent and %s, then it is taken or asked for with a name', async (_, name, type, status) => {
  const disposition = `content-disposition: form-data; name="file"${name}`
  const file = recording(23).toString('latin1')
  const answer = await fetch(`${app.url}/api/transcriptions`, {
    method: 'POST',
    headers: { authorization: tokenFor('eva'), 'content-type': 'multipart/form-data; boundary=X' },
    body: Buffer.from(`--X\r\n${disposition}\r\ncontent-type: ${type}\r\n\r\n${file}\r\n--X--\r\n`, 'latin1'),
  })
  const { message, data } = await answer.json()
  expect(answer.status).toBe(status)
  if (status === 400) expect(message).toContain('with a file name')
  else expect(data.transcription.fileName).toMatch(/^Audio .*\.wav$/)
})

test('when it is no form, then it is 415, and without a token 401', async () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${app.url}/api/transcriptions`, { method: 'POST', body: '{}', headers })
  const authorization = tokenFor('ada')
  expect(await post({ 'content-type': 'application/json', authorization })).toMatchObject({ status: 415 })
  expect(await post({ 'content-type': 'multipart/form-data', authorization })).toMatchObject({ status: 400 })
  expect(await post({ 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({ status: 401 })
})

test.each([
  ['en-US', 'en'],
  ['pt_BR', 'pt'],
  ['German', 'de'],
  ['nb-NO', 'no'],
  ['', undefined],
  [' ', undefined],
])('when the language is written as “%s”, then it is %s', async (language, known) => {
  const fields = { language, response_format: 'json' }
  const { id: mediaId } = itemOf(await upload(recording(3), { fields }))
  await eventually(() => received(mediaId).length === 1)
  expect(received(mediaId)[0]?.data.language).toBe(known ?? 'de')
  expect(received(mediaId)[0]?.data.wantsTimes).toBeUndefined()
})

test('when the language is unknown, then the refusal lists those that are known', async () => {
  const { status, body } = await upload(recording(3), { fields: { language: 'klingon' } })
  expect([status, body.errors[0].field]).toEqual([400, 'language'])
  expect(body.message).toMatch(/one of auto, .*zh, .*en, /)
})

test('when a form is compressed, then the refusal says so', async () => {
  const answer = await upload(recording(3), { headers: { 'content-encoding': 'gzip' } })
  expect([answer.status, answer.body.message]).toEqual([415, expect.stringContaining('Content-Encoding')])
})

describe('a file that the gateway asks to be one note', () => {
  const headers = { 'x-voxscribe-once': 'file' }
  const send = (file: Buffer, fields = {}) => upload(file, { userId: 'rosa', headers, fields })

  test('comes again, then it is the same note; in another language another one', async () => {
    const file = recording(4)
    const first = await send(file)
    const again = await send(file)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(itemOf(again)).toEqual(itemOf(first))
    const other = await send(file, { language: 'fr' })
    expect([other.status, itemOf(other).id === itemOf(first).id]).toEqual([201, false])
    await eventually(() => received(itemOf(other).id).length === 1)
    expect(received(itemOf(first).id)).toHaveLength(1)
  })

  test('comes twice at once, then each is taken', async () => {
    const file = recording(5)
    const both = await Promise.all([send(file), send(file)])
    for (const { status } of both) expect([200, 201]).toContain(status)
  })

  test('comes again after its note was deleted, then it is another note', async () => {
    const file = recording(6)
    const { id } = itemOf(await send(file))
    await app.publish(TranscriptionDeleted.create({ mediaId: id, userId: 'rosa' }))
    await eventually(async () => (await app.mediaRecord(id))?.status === 'deleted')
    const again = await send(file)
    expect([again.status, itemOf(again).id === id]).toEqual([201, false])
    expect(itemOf(await send(file))).toEqual(itemOf(again))
  })
})

describe('an Idempotency-Key', () => {
  test('when a file is sent again under its key, then it is the same item and one note', async () => {
    const key = randomUUID()
    const first = await upload(recording(21), { key })
    const again = await upload(recording(21), { key })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(itemOf(again)).toEqual(itemOf(first))
    const kept = await app.stored('uploads').findOne({ mediaId: itemOf(first).id })
    expect((kept?.forgetAt - kept?.at) / 3_600_000).toBeCloseTo(24, 2)
    expect(received(itemOf(first).id)).toHaveLength(1)
  })

  test('when the service died after storing the file, then it continues; another file is 422', async () => {
    const key = randomUUID()
    const { id } = itemOf(await upload(recording(28), { key }))
    await app.stored('media').deleteOne({ _id: id })
    const other = await upload(recording(29), { key })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    const again = await upload(recording(28), { key })
    expect([again.status, itemOf(again).id]).toEqual([201, id])
    expect(received(id)).toHaveLength(1)
  })

  test('when its note was deleted, then it is 410', async () => {
    const key = randomUUID()
    const { id } = itemOf(await upload(recording(27), { key }))
    await app.publish(TranscriptionDeleted.create({ mediaId: id, userId: 'ada' }))
    await eventually(async () => (await app.mediaRecord(id))?.status === 'deleted')
    const again = await upload(recording(27), { key })
    expect([again.status, again.body.code]).toEqual([410, 'note_deleted'])
    expect(received(id)).toHaveLength(1)
  })

  test('when another account uses the same one, then it is separate', async () => {
    const key = randomUUID()
    const [ada, bob] = [
      await upload(recording(24), { key }),
      await upload(recording(24), { key, userId: 'bob' }),
    ]
    expect([ada.status, bob.status]).toEqual([201, 201])
    expect(itemOf(ada).id).not.toBe(itemOf(bob).id)
  })

  test('when the file was refused, then the key is free', async () => {
    const key = randomUUID()
    expect(await upload(Buffer.from('words'), { key })).toMatchObject({ status: 415 })
    expect(await upload(recording(25), { key })).toMatchObject({ status: 201 })
  })

  test('when one is under way, then a second is 409, until its connection breaks', async () => {
    const key = randomUUID()
    const slow = startSlowUpload(key)
    await eventually(() => app.stored('uploads').findOne({ 'lease.beat': 0 }))
    const second = await upload(recording(26), { key })
    expect(second.status).toBe(409)
    expect(second.body.code).toBe('upload_under_way')
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    slow.breakOff()
    await eventually(async () => (await upload(recording(26), { key })).status === 201)
    expect(await leftovers()).toEqual([])
  })
})

test('when a hundred uploads break off, then no descriptor and no file is left', async () => {
  const before = openFiles().length
  const beginnings = [
    `${FILE_PART}RIFF`,
    FILE_PART + 'x'.repeat(MEGABYTE),
    `${FILE_PART}RIFF\r\n--line\r\ncontent-disposition: form-data; name="title"\r\n\r\nMon`,
    `${FILE_PART}RIFF\r\n--line\r\ncontent-dispo`,
  ]
  for (const beginning of beginnings) {
    const slow = Array.from({ length: 25 }, () => startSlowUpload('', beginning, randomUUID()))
    await eventually(async () => (await leftovers()).length === slow.length)
    for (const { breakOff } of slow) breakOff()
    await eventually(async () => (await leftovers()).length === 0)
  }
  await eventually(() => openFiles().length <= before)
})

test('when a form never ends, then it is 413 as soon as it is larger than any note', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(MEGABYTE, 'x')
    })(),
  )
  const answer = await fetch(`${app.url}/api/transcriptions`, {
    method: 'POST',
    body: endless as never,
    duplex: 'half',
    headers: { authorization: tokenFor('eve'), 'content-type': 'multipart/form-data; boundary=line' },
  } as RequestInit)
  expect(answer.status).toBe(413)
})

test('when an account uploads more than its limit, then it is 429 with Retry-After', async () => {
  const answers = []
  for (let count = 0; count < 31; count += 1) answers.push(await upload(Buffer.alloc(0), { userId: 'eve' }))
  const last = answers.at(-1)
  const after = last?.headers.get('retry-after')
  expect([last?.status, Number(after) > 0]).toEqual([429, true])
  expect(last?.headers.get('ratelimit')).toBe(`"files";r=0;t=${after}`)
  expect(last?.body.message).toMatch(
    /At most 30 files can be sent within 60 minutes\. Please send the next one after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
  )
})

const FILE_PART = '--line\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'

/** Sends the beginning of a form, then nothing. */
function startSlowUpload(key = '', beginning = `${FILE_PART}RIFF`, userId = 'ada') {
  const outgoing = request(`${app.url}/api/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: tokenFor(userId),
      'content-type': 'multipart/form-data; boundary=line',
      ...(key && { 'idempotency-key': key }),
    },
  })
  outgoing.on('error', () => {})
  outgoing.write(beginning)
  return { breakOff: () => outgoing.destroy() }
}

describe('a recording of a conversation', () => {
  const sent = (fields: Record<string, string>, file = recording(71)) =>
    upload(file, { userId: 'rosa', fields, name: 'a.opus' })

  test('when it is sent twice, then it is one note of that conversation, in its language', async () => {
    const fields = { conversation: 'c1', conversationFile: 'a.opus' }
    const first = await sent(fields)
    expect(first).toMatchObject({ status: 201 })
    expect(itemOf(first)).toMatchObject({
      conversation: { id: 'c1', name: 'Family', n: 7 },
      sender: { id: 'p1', name: 'Bo' },
      createdAt: '2025-03-14T20:01:00.000Z',
      date: '2025-03-14',
      time: '20:01',
      language: 'es',
    })
    const again = await sent(fields)
    expect([again.status, itemOf(again).id]).toEqual([200, itemOf(first).id])
    const events = received(itemOf(first).id)
    expect(events).toHaveLength(1)
    expect(events[0]!.data).toMatchObject({ conversation: { id: 'c1', file: 'a.opus' }, language: 'es' })
    await app.others.publish(TranscriptionDeleted.create({ mediaId: itemOf(first).id, userId: 'rosa' }))
    const another = await sent(fields)
    expect(another.status).toBe(201)
    expect(itemOf(another).id).not.toBe(itemOf(first).id)
  })

  test('when no message names it, then its time is that of the upload, as later', async () => {
    const answer = itemOf(await sent({ conversation: 'c1', conversationFile: 'lost.opus' }, recording(72)))
    const [event] = received(answer.id)
    expect(answer).toMatchObject({ createdAt: event!.data.receivedAt, sender: null })
  })

  test('when its conversation or file is unknown, or none is named, then nothing is stored', async () => {
    const before = app.others.sent('MediaReceived').length
    expect((await sent({ conversation: 'c2', conversationFile: 'a.opus' })).status).toBe(404)
    expect((await sent({ conversation: 'c1', conversationFile: 'b.opus' })).status).toBe(400)
    expect((await sent({ conversation: 'c1' })).status).toBe(400)
    expect(asked.at(-1)).toBe('userId=rosa&conversation=c1&file=')
    expect(app.others.sent('MediaReceived')).toHaveLength(before)
  })
})
