import { once } from 'node:events'
import { request as openRequest } from 'node:http'
import { type Listening, listen, type RunningService, runService } from '@voxscribe/service'
import { eventually } from '@voxscribe/service/testing'
import express from 'express'
import { openAiRoutes } from './openai/routes.ts'
import { createPeers } from './peers.ts'
import { gatewayService } from './service.ts'

// Tests what programs with a key can do to /v1 and /mcp; the test plays the services behind them.

let peer: Listening
let gateway: RunningService
let person = 'ada'
let looks = 0
/** A finished note, if there is one. */
let silent: object | undefined
/** The translation by the text model; undefined without a model. */
let translated: object | undefined
const refreshed: string[] = []
const bodies: Buffer[] = []
/** Uploads in progress, until the test responds or the sender disconnects. */
const uploads: express.Response[] = []
const transcription = { id: 'n1', title: 'Note', createdAt: '', status: 'processing', text: '' }
/** Hundred notes, all but one of two hours. */
const LONG_NOTES = Array.from({ length: 100 }, (_, n) => ({
  ...transcription,
  id: `n${n}`,
  text: n ? 'word '.repeat(18_000) : 'Hello.',
}))
const done = (response: express.Response, data: object) =>
  void response.json({ success: true, message: 'OK', data })
const refuse = (response: express.Response, status: number, message: string) =>
  void response.status(status).json({ success: false, message, code: 'refused' })

beforeAll(async () => {
  const app = express()
  app.post('/internal/keys/use', express.json(), ({ body }, response) => {
    if (!body.secret.startsWith('vox_ok'))
      return void response
        .status(401)
        .json({ success: false, message: 'It has expired.', code: 'api_key_expired' })
    const scopes = ['read', 'write'].filter(
      scope => !/reads|writes/.test(body.secret) || body.secret.includes(scope),
    )
    done(response, {
      accessToken: 't',
      userId: person,
      scopes,
      limit: { points: 9, left: 9, resetSeconds: 9 },
    })
  })
  app.post('/api/transcriptions', (request, response) => {
    uploads.push(response)
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk)).on('end', () => bodies.push(Buffer.concat(chunks)))
    response.once('close', () => uploads.splice(uploads.indexOf(response), 1))
  })
  app.get('/internal/speech', (_request, response) => done(response, { textModel: translated !== undefined }))
  app.post('/api/transcriptions/:id/translations', (_request, response) =>
    done(response, { transcription: translated }),
  )
  app.post('/api/transcriptions/:id/refresh', ({ params }, response) => {
    refreshed.push(params.id)
    silent = { ...silent, status: 'completed', text: 'Again.' }
    done(response, { transcription })
  })
  app.get('/api/transcriptions/:id/export', ({ params, query }, response) => {
    if (params.id === 'unfinished') return refuse(response, 409, 'There is no transcript yet.')
    response.send(`${query.format} in ${query.language}`)
  })
  app.get('/api/conversations/:id/messages', (_request, response) =>
    refuse(response, 404, 'There is no such conversation.'),
  )
  app.get('/api/transcriptions/:id', (_request, response) => {
    if (silent) return done(response, { transcription: silent })
    looks += 1
    // The note exists shortly after its upload, and is deleted then.
    if (looks === 2) return done(response, { transcription })
    refuse(response, 404, 'Resource not found.')
  })
  app.get('/api/transcriptions', ({ query }, response) => {
    if (query.search) return refuse(response, 429, 'Please try again in a minute.')
    if (query.from) return refuse(response, 400, 'from must be a day.')
    done(response, { transcriptions: query.status === 'completed' ? LONG_NOTES : [] })
  })
  peer = await listen(app, 0, '127.0.0.1')
  const url = `http://127.0.0.1:${peer.port}`
  const names = ['AUTH', 'BILLING', 'INGESTION', 'TRANSCRIPTION', 'NOTIFICATION']
  gateway = await runService(gatewayService, {
    PORT: '0',
    HOST: '127.0.0.1',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    ...Object.fromEntries(names.map(name => [`${name}_URL`, url])),
  })
})
afterAll(async () => {
  await gateway.stop()
  await peer.close()
})
beforeEach(() => {
  person = crypto.randomUUID()
  silent = undefined
  translated = undefined
})
afterEach(() => eventually(() => uploads.length === 0))

const authorization = (key = 'vox_ok') => ({ authorization: `Bearer ${key}` })
const mcp = (message: unknown, { key = 'vox_ok', signal }: { key?: string; signal?: AbortSignal } = {}) =>
  fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      ...authorization(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  })
const tool = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
/** Completes an upload as ingestion does. Returns the response to the program. */
async function textOf(answer: Promise<Response>, status = 201): Promise<Response> {
  const [upload] = await eventually(() => uploads.length === 1 && uploads)
  upload!.status(status)
  done(upload!, { transcription })
  return answer
}
const file = (bytes: number) =>
  tool('transcribe', { file_name: 'note.ogg', base64: Buffer.alloc(bytes).toString('base64') })
const MB = 1024 * 1024

describe('when an MCP client of 2026-07-28 calls', () => {
  const VERSION = '2026-07-28'
  const META = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  /** Makes a call whose headers repeat its body, except for the given ones. */
  async function call(method: string, params: object = {}, given: Record<string, string> = {}, meta = META) {
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        ...authorization(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        ...given,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    })
    return { status: answer.status, session: answer.headers.get('mcp-session-id'), body: await answer.json() }
  }

  test('then it learns what there is, and calls a tool, without a session', async () => {
    const { session, body } = await call('server/discover')
    expect(body.result).toMatchObject({ resultType: 'complete', supportedVersions: [VERSION] })
    expect(session).toBeNull()
    const listed = await call('tools/list')
    expect(listed.body.result.tools.map(({ name }: { name: string }) => name)).toContain('transcribe')
    const name = 'list_transcripts'
    const found = await call('tools/call', { name, arguments: {} }, { 'mcp-name': name })
    expect(found.body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { untrusted: true, transcriptions: [] },
    })
  })

  test.each([
    ['version', { 'mcp-protocol-version': '2025-11-25' }],
    ['method', { 'mcp-method': 'tools/list' }],
    ['name', { 'mcp-name': 'transcribe' }],
  ])('and the header of its %s is another than in the body, then it is 400 with -32020', async (_, given) => {
    const name = 'list_transcripts'
    const params = { name, arguments: {} }
    const { status, body } = await call('tools/call', params, { 'mcp-name': name, ...given })
    expect([status, body.error.code]).toEqual([400, -32020])
  })

  test('and speaks a version that is unknown, then it is 400 with -32022 and those that are known', async () => {
    const unknown = '2031-01-01'
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': unknown }
    const { status, body } = await call('tools/list', {}, { 'mcp-protocol-version': unknown }, meta)
    expect([status, body.error.code]).toEqual([400, -32022])
    expect(body.error.data.supported).toContain(VERSION)
  })

  test('and wants to hear of changes, then it is refused, as nothing changes', async () => {
    const listen = 'subscriptions/listen'
    const { body } = await call(listen, { notifications: { toolsListChanged: true } })
    expect(body.error).toMatchObject({ code: expect.any(Number) })
  })
})

describe('when MCP clients send files', () => {
  test('and many large ones at once, then a person has two under way, and the rest come again later', async () => {
    const taken = [mcp(file(MB)), mcp(file(16 * MB))]
    await eventually(() => uploads.length === 2)
    const refused = await mcp(file(MB), { key: 'vox_ok_another' })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 5])
    expect((await mcp(tool('list_transcripts', {}))).status).toBe(200)
    person = 'bob'
    const other = mcp(file(MB))
    await eventually(() => uploads.length === 3)
    for (const upload of [...uploads]) done(upload, { transcription })
    for (const answer of await Promise.all([...taken, other])) expect(answer.status).toBe(200)
    const next = mcp(file(MB))
    await eventually(() => uploads.length === 1)
    done(uploads[0]!, { transcription })
    expect((await (await next).json()).result.structuredContent).toMatchObject({ untrusted: true, id: 'n1' })
  })

  test('and many people do, then the process holds six', async () => {
    const leaving = new AbortController()
    const taken = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      person = name
      taken.push(mcp(file(MB), { signal: leaving.signal }).catch(() => {}))
      await eventually(() => uploads.length === taken.length)
    }
    person = 'g'
    expect((await mcp(file(MB))).status).toBe(429)
    leaving.abort()
    await Promise.all(taken)
    // Their uploads are released as well.
    await eventually(() => uploads.length === 0)
    const next = mcp(file(MB))
    await eventually(() => uploads.length === 1)
    done(uploads[0]!, { transcription })
    expect((await next).status).toBe(200)
  })

  test('and one is larger than any file, then it is 413; where the key may only read, 403', async () => {
    expect((await mcp(file(17 * MB))).status).toBe(413)
    expect((await mcp(file(MB), { key: 'vox_ok_reads' })).status).toBe(403)
    expect(uploads).toEqual([])
  })
})

test('when an MCP client sends many calls as one, then it is refused: a key counts calls', async () => {
  const batch = Array.from({ length: 50 }, (_, id) => tool('list_transcripts', {}, id))
  const answer = await mcp(batch)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
})

test('when an MCP client sends something other than JSON, then it hears so in the protocol’s words', async () => {
  const headers = { ...authorization(), 'content-type': 'application/json' }
  const answer = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers, body: '{' })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
  ])
})

test.each(['https://evil.example', 'null'])(
  'when the page of %s calls /mcp with a secret, then it reads the answer without cookies',
  async origin => {
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        ...authorization(),
        origin,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  },
)

const METADATA =
  'resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource/mcp", scope="read write"'
test.each([
  ['nothing', {}, `Bearer ${METADATA}`],
  ['a wrong token', { authorization: 'Bearer nobody' }, `Bearer ${METADATA}, error="invalid_token"`],
  ['the token of a session', { authorization: 'Bearer a.b.c' }, `Bearer ${METADATA}, error="invalid_token"`],
])('when %s is sent to /mcp, then the answer tells where to sign in', async (_, headers, said) => {
  const answer = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers: { ...headers } })
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, said])
})

test.each([
  ['a tool that writes', 'transcribe', 'vox_ok_reads'],
  ['a tool that reads', 'list_transcripts', 'vox_ok_writes'],
  ['a tool that nobody knows', 'rename', 'vox_ok_writes'],
])('when %s is called without its scope, then 403 says what to ask for', async (_, name, key) => {
  const answer = await mcp(tool(name, {}), { key })
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer ${METADATA}, error="insufficient_scope"`,
  ])
  expect(await answer.json()).toMatchObject({ success: false, code: 'missing_scope' })
})

test('when a token comes in the address, where logs keep it, then it opens nothing', async () => {
  for (const path of ['/mcp?access_token=vox_ok', '/v1/models?access_token=vox_ok'])
    expect(
      (await fetch(`${gateway.url}${path}`, { method: path.startsWith('/mcp') ? 'POST' : 'GET' })).status,
    ).toBe(401)
})

test.each([
  ['', 'mcp'],
  ['/mcp', 'mcp'],
  ['/v1', 'v1'],
])(
  'when a program asks what /oauth-protected-resource%s is, then it hears who lets it in',
  async (path, door) => {
    const answer = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`, {
      headers: { 'x-forwarded-host': 'evil.example', origin: 'https://app.example' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({
      resource: `http://localhost:8080/${door}`,
      authorization_servers: ['http://localhost:8080'],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
    })
  },
)

test.each([
  ['search_transcripts', 'query', 201],
  ['get_transcript', 'id', 20_000],
  ['read_conversation', 'id', 20_000],
])('when an MCP client calls %s with too long a %s, then it hears that', async (name, field, length) => {
  const answer = await mcp(tool(name, { [field]: 'x'.repeat(length) }))
  expect(JSON.stringify(await answer.json())).toContain(`${field}: Too big`)
})

function form(fields: [string, string][]) {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  body.set('file', new Blob(['sound']), 'note.ogg')
  return body
}
const transcribe = (body: FormData, path = '/v1/audio/transcriptions', headers: object = authorization()) =>
  fetch(`${gateway.url}${path}`, { method: 'POST', headers: { ...headers }, body })

test.each([
  ['an unknown format', [['response_format', 'pdf']], 'response_format'],
  ['an unknown granularity', [['timestamp_granularities[]', 'letter']], 'timestamp_granularities'],
  [
    'an unknown granularity without brackets',
    [['timestamp_granularities', 'letter']],
    'timestamp_granularities',
  ],
  [
    'a stream of subtitles',
    [
      ['stream', 'true'],
      ['response_format', 'srt'],
    ],
    'stream',
  ],
] as [string, [string, string][], string][])(
  'when a form asks for %s, then it is 400 and names the field',
  async (_, fields, param) => {
    const answer = await transcribe(form(fields))
    expect([answer.status, (await answer.json()).error.param]).toEqual([400, param])
  },
)

test.each(['__proto__[]', 'constructor[]', 'toString', 'response_format[]', '[]', 'x'.repeat(5_000)])(
  'when a form has a field %s, then the process lives on',
  async name => {
    let hasAnswer = false
    const fields: [string, string][] = [
      ['response_format', 'json'],
      [name, 'x'],
    ]
    const answer = transcribe(form(fields)).finally(() => {
      hasAnswer = true
    })
    await eventually(() => uploads.length === 1 || hasAnswer)
    uploads[0]?.status(415).json({ success: false, message: 'No.', code: 'not_audio_or_video' })
    expect([400, 415]).toContain((await answer).status)
    expect((await fetch(`${gateway.url}/api/transcriptions`, { headers: authorization() })).status).toBe(200)
  },
)

test('when a form has many and long fields that OpenAI documents, then the answer is as asked after them', async () => {
  const fields = Array.from({ length: 50 }, (_, n) => [`include[${n}]`, 'logprobs'] as [string, string])
  fields.push(['prompt', 'x'.repeat(900_000)], ['response_format', 'pdf'])
  const answer = await transcribe(form(fields))
  expect([answer.status, (await answer.json()).error.param]).toEqual([400, 'response_format'])
})

test('when a form ends early, wherever it does, then it is 400 in OpenAI’s shape and the process lives on', async () => {
  const head = '--X\r\ncontent-disposition: form-data; name='
  const whole = `${head}"model"\r\n\r\nwhisper-1\r\n${head}"file"; filename="a"\r\n\r\nabc\r\n--X--\r\n`
  for (let end = 0; end < whole.length - '--\r\n'.length; end++) {
    const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'multipart/form-data; boundary=X' },
      body: whole.slice(0, end),
    })
    expect({ end, status: answer.status }).toEqual({ end, status: 400 })
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  }
})

test('when a form has very many parts that are no fields, then it is 400 before they are read', async () => {
  const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'multipart/form-data; boundary=X' },
    body: `${'--X\r\n\r\nx\r\n'.repeat(30_000)}--X--\r\n`,
  })
  expect([answer.status, (await answer.json()).error.type]).toEqual([400, 'invalid_request_error'])
})

test.each(['/v1/audio/transcriptions', '/mcp'])(
  'when a key is in the query of %s, expired, or none, then it is 401 and nothing is sent on',
  async path => {
    for (const [query, headers] of [
      ['?key=vox_ok&api_key=vox_ok', {}],
      ['', authorization('vox_expired')],
      ['', authorization('sk-1')],
    ] as const) {
      const answer = await transcribe(form([]), `${path}${query}`, headers)
      expect(answer.status).toBe(401)
    }
    expect(uploads).toEqual([])
  },
)

test('when a client of /v1 hangs up in the middle of its file, then ingestion hears of it', async () => {
  const { hostname, port } = new URL(gateway.url)
  const sending = openRequest({
    hostname,
    port,
    path: '/v1/audio/transcriptions',
    method: 'POST',
    headers: {
      ...authorization(),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 9_000_000,
    },
  })
  sending.on('error', () => {})
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="note.ogg"\r\n\r\nsound')
  await eventually(() => uploads.length === 1)
  const [upload] = uploads
  sending.destroy()
  if (!upload!.closed) await once(upload!, 'close')
})

test('when a program looks a model up, then it is there, or unknown in OpenAI’s words', async () => {
  const look = (id: string) => fetch(`${gateway.url}/v1/models/${id}`, { headers: authorization() })
  const found = await look('voxscribe-1')
  expect([found.status, await found.json()]).toEqual([
    200,
    { id: 'voxscribe-1', object: 'model', created: 0, owned_by: 'voxscribe' },
  ])
  for (const id of ['whisper-1', '__proto__', 'openai%2Fwhisper']) {
    const unknown = await look(id)
    expect([unknown.status, (await unknown.json()).error]).toEqual([
      404,
      expect.objectContaining({ code: 'model_not_found', type: 'invalid_request_error', param: 'model' }),
    ])
  }
})

test.each([
  ['German', 'de', 'german'],
  ['no language', 'auto', 'unknown'],
])('when a silent file is asked for in %s, then verbose_json calls that %s', async (_, language, name) => {
  silent = { ...transcription, status: 'completed', language, durationSeconds: 2, segments: [] }
  const answer = transcribe(form([['response_format', 'verbose_json']]))
  const [upload] = await eventually(() => uploads.length === 1 && uploads)
  done(upload!, { transcription })
  expect(await (await answer).json()).toMatchObject({ language: name, text: '', duration: 2 })
})

test.each(['timestamp_granularities[]', 'timestamp_granularities', 'timestamp_granularities[0]'])(
  'when words and segments are asked for as %s, then both are there',
  async name => {
    silent = { ...transcription, status: 'completed', language: 'de', durationSeconds: 2, segments: [] }
    const fields: [string, string][] = [
      ['response_format', 'verbose_json'],
      [name, 'word'],
      [name, 'segment'],
    ]
    const answer = transcribe(form(fields))
    const [upload] = await eventually(() => uploads.length === 1 && uploads)
    done(upload!, { transcription })
    expect(await (await answer).json()).toMatchObject({ words: [], segments: [] })
  },
)

test('when a note is deleted while /v1 waits for its text, then the wait ends', async () => {
  const body = new FormData()
  body.set('file', new Blob(['sound']), 'note.ogg')
  const answer = fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: authorization(),
    body,
  })
  const [upload] = await eventually(() => uploads.length === 1 && uploads)
  done(upload!, { transcription })
  expect((await answer).status).toBe(404)
  expect(looks).toBe(3)
})

const NOTE = {
  ...transcription,
  status: 'completed',
  text: 'Hola. ¿Sí?',
  language: 'es',
  durationSeconds: 8.47,
  speakers: [{ id: '1', name: 'Ada' }],
  segments: [{ id: '1', from: 0, to: 8, text: 'Hola. ¿Sí?', confidence: null, speaker: '1' }],
  translations: [],
}
const USAGE = { type: 'duration', seconds: 9 }

test.each([
  ['json', { text: NOTE.text, usage: USAGE }],
  [
    'verbose_json',
    { task: 'transcribe', language: 'spanish', duration: 8.47, text: NOTE.text, usage: USAGE },
  ],
  [
    'diarized_json',
    { task: 'transcribe', duration: 8.47, text: NOTE.text, usage: USAGE, segments: [{ speaker: 'Ada' }] },
  ],
])(
  'when the format is %s, then it has what every client of OpenAI’s needs to read it',
  async (format, body) => {
    silent = NOTE
    const answer = await textOf(transcribe(form([['response_format', format]])))
    expect(await answer.json()).toMatchObject(body)
  },
)

test('when a note’s language is not known, then the error names that field', async () => {
  silent = { ...NOTE, status: 'failed', error: 'No Latin.', failure: { code: 'language_not_supported' } }
  const answer = await textOf(transcribe(form([])))
  expect([answer.status, (await answer.json()).error.param]).toEqual([422, 'language'])
})

test('when a file that was sent before has failed, then it is tried again, once', async () => {
  silent = { ...NOTE, status: 'failed', error: 'It broke.', failure: { code: 'engine_broke' } }
  const first = await textOf(transcribe(form([])))
  expect([first.status, refreshed]).toEqual([422, []])
  const again = await textOf(transcribe(form([])), 200)
  expect([await again.json(), refreshed]).toEqual([{ text: 'Again.', usage: USAGE }, ['n1']])
})

describe('when an answer takes long', () => {
  let slow: Listening
  beforeAll(async () => {
    const peers = createPeers(
      Object.fromEntries(
        ['AUTH', 'INGESTION', 'TRANSCRIPTION'].map(name => [`${name}_URL`, `http://127.0.0.1:${peer.port}`]),
      ) as never,
    )
    slow = await listen(express().use('/v1', openAiRoutes(peers, 5)), 0, '127.0.0.1')
  })
  afterAll(() => slow.close())
  /** Reads a response that begins before the text is complete. */
  async function begun(format: string, end: object) {
    silent = transcription
    const url = `http://127.0.0.1:${slow.port}/v1/audio/transcriptions`
    const body = form([['response_format', format]])
    const answer = await textOf(fetch(url, { method: 'POST', headers: authorization(), body }))
    const reader = answer.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    silent = end
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += new TextDecoder().decode(part.value)
    return { answer, first, body: JSON.parse(first + rest) }
  }

  test('then white space comes before the JSON', async () => {
    const { answer, first, body } = await begun('json', NOTE)
    expect([answer.headers.get('content-type'), first.trim()]).toEqual([expect.stringMatching(/json/), ''])
    expect(body).toEqual({ text: NOTE.text, usage: USAGE })
  })

  test('and fails, then the body is the error', async () => {
    const failed = { ...NOTE, status: 'failed', error: 'It broke.', failure: { code: 'engine_broke' } }
    const { body } = await begun('verbose_json', failed)
    expect(body).toMatchObject({ error: { code: 'engine_broke', message: 'It broke.' } })
  })
})

describe('when a recording is to be translated', () => {
  const translate = (format: string) =>
    transcribe(form([['response_format', format]]), '/v1/audio/translations')
  const english = { language: 'en', segments: [{ id: '1', text: 'Hello. Yes?' }] }

  test('then it is in English, in each format', async () => {
    silent = NOTE
    translated = { ...NOTE, translations: [english] }
    expect(await (await textOf(translate('json'))).json()).toEqual({ text: 'Hello. Yes?' })
    expect(await (await textOf(translate('verbose_json'))).json()).toMatchObject({
      task: 'translate',
      language: 'english',
      text: 'Hello. Yes?',
      segments: [{ start: 0, end: 8, text: 'Hello. Yes?' }],
    })
    expect(await (await textOf(translate('srt'))).text()).toBe('srt in en')
  })

  test('and it is English already, then it is as it was said', async () => {
    translated = {}
    silent = { ...NOTE, language: 'en' }
    expect(await (await textOf(translate('json'))).json()).toEqual({ text: NOTE.text })
  })

  test('and there is no text model, then it is 400 that says so, and there is no note', async () => {
    const answer = await translate('json')
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      400,
      expect.stringContaining('text model'),
    ])
    expect(uploads).toEqual([])
  })
})

test.each([
  '/api/v1/audio/transcriptions',
  '/audio/transcriptions',
  '/api/audio/transcriptions',
  '/v1/v1/audio/transcriptions',
  '/v1/transcriptions',
  '/v1/audio',
  '/v1/audio/transcriptions/n1',
  '/v1/models/%E0%A4%A',
  '/openai/v1/audio/translations',
])('when a program calls %s, then it hears the right address in OpenAI’s shape', async path => {
  for (const headers of [authorization(), {}]) {
    const answer = await transcribe(form([]), path, headers)
    const { error } = await answer.json()
    expect([answer.status, error.code]).toEqual([404, 'unknown_url'])
    expect(error.message).toContain('POST /v1/audio/transcriptions')
  }
})

test('when a form is compressed, then the error says so', async () => {
  const answer = await transcribe(form([]), undefined, { ...authorization(), 'content-encoding': 'gzip' })
  expect([answer.status, (await answer.json()).error.message]).toEqual([
    415,
    expect.stringContaining('Content-Encoding'),
  ])
})

describe('when an MCP client', () => {
  const structured = async (answer: Response) => (await answer.json()).result
  test.each([
    ['null', { limit: null, status: null, from: null, to: null }],
    ['an empty text', { limit: '', status: '', from: '', to: '' }],
    ['a number as a text', { limit: '5' }],
  ])('writes %s for an argument that may be left out, then it is read so', async (_what, args) => {
    const result = await structured(await mcp(tool('list_transcripts', args)))
    expect(result).toMatchObject({ structuredContent: { transcriptions: [] } })
  })

  test('lists long notes, then the list has the beginnings of their texts and says so', async () => {
    const listed = await structured(await mcp(tool('list_transcripts', { status: 'completed', limit: 100 })))
    const [short, long] = listed.structuredContent.transcriptions
    expect(short).toMatchObject({ text: 'Hello.', textIsCut: false })
    expect(long.text).toMatch(/^(word ){20,}word$/)
    expect(long.textIsCut).toBe(true)
    expect(listed.content[0].text.length).toBeLessThan(60_000)
  })

  const SOUND = Buffer.from([251, 239, 190, 255, 1])
  const PLAIN = SOUND.toString('base64')
  test.each([
    ['with line breaks', `${PLAIN.slice(0, 3)}\r\n${PLAIN.slice(3)}\n`],
    ['in the letters for addresses', SOUND.toString('base64url')],
    ['as a data: address', `data:audio/ogg;codecs=opus;base64,${PLAIN}`],
  ])('sends its Base64 %s, then the file arrives', async (_how, base64) => {
    const sent = mcp(tool('transcribe', { file_name: 'note.ogg', base64, language: null }))
    const result = await structured(await textOf(sent))
    expect(result).toMatchObject({ structuredContent: { id: 'n1' } })
    expect(bodies.at(-1)?.includes(SOUND)).toBe(true)
  })

  test('leaves the file’s name empty, then the file has one: a form would take it for a field', async () => {
    await textOf(mcp(tool('transcribe', { file_name: '', base64: PLAIN })))
    expect(bodies.at(-1)?.toString('latin1')).toMatch(/name="file"; filename="[^"]+"/)
  })

  test.each([
    ['search_transcripts', { query: 'seldom' }, 'Please try again in a minute.'],
    ['list_transcripts', { from: 'today' }, 'from must be a day.'],
    ['get_transcript', { id: 'unfinished' }, 'There is no transcript yet.'],
    ['read_conversation', { id: 'c1' }, 'There is no such conversation.'],
  ])('calls %s and a service refuses, then it gets that reason', async (name, args, reason) => {
    const result = await structured(await mcp(tool(name, args)))
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: reason }] })
  })

  test('sends something else as Base64, then it hears so', async () => {
    const result = await structured(await mcp(tool('transcribe', { file_name: 'a.ogg', base64: 'no!' })))
    expect(JSON.stringify(result)).toContain('Base64')
    expect(uploads).toEqual([])
  })
})
