import { execFile } from 'node:child_process'
import { createReadStream, openAsBlob, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createClient, VoxscribeError } from '@voxscribe/contracts/client'
import axios from 'axios'
import OpenAI, { toFile } from 'openai'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recordingAs, speechOf, tone, voiceNote } from './testing/speech.ts'
import { ROOT, type System } from './testing/system.ts'

// People's own programs with an API key, through our calls and through OpenAI's.

const run = promisify(execFile)
const SAID = 'It was the season of light.'
let system: System
let engine: Awaited<ReturnType<typeof startCountingEngine>>
let person: Person
let secret: string
let openai: OpenAI
let note: string

async function keyWith(...scopes: string[]): Promise<string> {
  const { status, data } = await person.http.post('/keys', { name: 'e2e', scopes })
  expect(status).toBe(201)
  return data.data.secret
}
const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${system.appUrl}/v1`, maxRetries: 0 })
const get = (path: string, key: string) =>
  axios.get(`${system.appUrl}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    validateStatus: () => true,
  })

beforeAll(async () => {
  note = await voiceNote()
  engine = await startCountingEngine(0, SAID)
  system = await startOneProcess(engine.settings)
  person = await signUp(system)
  secret = await keyWith('read', 'write')
  openai = clientWith(secret)
})
afterAll(async () => {
  await system?.stop()
  await system?.remove()
  await engine?.stop()
})

/** The same bytes each time. */
const file = () => createReadStream(note)

describe('when an unchanged OpenAI client sends a file', () => {
  test('then it gets the text, and the history shows the note as from a program', async () => {
    const { text } = await openai.audio.transcriptions.create({ file: file(), model: 'whisper-1' })
    expect(text).toBe(SAID)
    const { transcriptions } = await person.transcriptions()
    expect(transcriptions[0]).toMatchObject({ status: 'completed', source: 'api', text: SAID })
    const calls = engine.calls()
    await openai.audio.transcriptions.create({ file: file(), model: 'gpt-4o-transcribe' })
    expect(engine.calls()).toBe(calls)
  })

  test('then each format has its own shape', async () => {
    const asked = async (response_format: 'text' | 'srt' | 'vtt' | 'verbose_json') =>
      openai.audio.transcriptions.create({ file: file(), model: 'whisper-1', response_format })
    expect(String(await asked('text')).trim()).toBe(SAID)
    expect(String(await asked('srt'))).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n/)
    expect(String(await asked('vtt'))).toMatch(/^WEBVTT\n/)
    expect(await asked('verbose_json')).toMatchObject({
      task: 'transcribe',
      language: expect.stringMatching(/^[a-z-]+$/),
      duration: expect.any(Number),
      text: SAID,
      segments: [{ id: 0, start: expect.any(Number), end: expect.any(Number), text: SAID }],
    })
  })

  test('then it gets the text of a long note as it is recognized', async () => {
    const letGo = engine.hold(1)
    const upload = createReadStream(await speechOf(100, 'streamed.ogg'))
    const stream = await openai.audio.transcriptions.create({
      file: upload,
      model: 'whisper-1',
      stream: true,
    })
    const deltas: string[] = []
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta)
      else
        expect(event).toEqual({
          type: 'transcript.text.done',
          text: deltas.join(''),
          usage: expect.objectContaining({ type: 'duration', seconds: expect.any(Number) }),
        })
      letGo()
    }
    expect(deltas.length).toBeGreaterThan(1)
    // A part's last word waits, as the next part may contain it again.
    expect(deltas[0]).toMatch(/^It was the season/)
  })

  test('and asks for speakers in a stream, then each line is an event', async () => {
    const stream = await openai.audio.transcriptions.create({
      file: createReadStream(await speechOf(12, 'lines.ogg')),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      stream: true,
    })
    const events = await Array.fromAsync(stream)
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: SAID },
      { type: 'transcript.text.segment', speaker: 'A', text: SAID },
      { type: 'transcript.text.done', text: SAID },
    ])
  })

  test('and it is neither audio nor video, too large, or without a key, then it gets OpenAI’s statuses', async () => {
    const send = (content: Buffer, client = openai) =>
      toFile(content, 'note.ogg').then(upload =>
        client.audio.transcriptions.create({ file: upload, model: 'whisper-1' }),
      )
    await expect(send(Buffer.from('no sound'))).rejects.toMatchObject({ status: 415 })
    await expect(send(Buffer.alloc(26 * 1024 * 1024))).rejects.toMatchObject({ status: 413 })
    await expect(send(Buffer.from('x'), clientWith('sk-another'))).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    })
    await expect(send(Buffer.from('x'), clientWith(await keyWith('read')))).rejects.toMatchObject({
      status: 403,
    })
  })

  test('and no minutes are left, then it gets OpenAI’s insufficient_quota', async () => {
    const long = createReadStream(await tone('long.wav', 31))
    const failed = openai.audio.transcriptions.create({ file: long, model: 'whisper-1' })
    await expect(failed).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' })
  })

  test.each([
    ['', 8, {}],
    [' during a stream', 9, { stream: true }],
  ] as const)('and hangs up%s, then the note is finished without it', async (_when, seconds, more) => {
    const letGo = engine.hold()
    const hungUp = new AbortController()
    const total = async () => (await person.transcriptions()).statistics.total
    const before = await total()
    const upload = createReadStream(await speechOf(seconds, `hung-up-${seconds}.ogg`))
    const body = {
      file: upload,
      model: 'whisper-1',
      ...more,
    } as OpenAI.Audio.TranscriptionCreateParamsStreaming
    const read = async () => {
      const answer = await openai.audio.transcriptions.create(body, { signal: hungUp.signal })
      // After hanging up, the client ends the stream without an error.
      if ('stream' in more) for await (const _event of answer);
      else throw new Error('It came to an end')
    }
    const over = read().catch(error => expect(error).toBeInstanceOf(OpenAI.APIUserAbortError))
    await eventually('the note is there', async () => {
      expect(await total()).toBe(before + 1)
    })
    hungUp.abort()
    await over
    letGo()
    const [newest] = await person.ended(before + 1)
    expect(newest?.status).toBe('completed')
  })

  test('and lists the models, then it finds ours', async () => {
    const { data } = await openai.models.list()
    expect(data.map(({ id }) => id)).toEqual(['voxscribe-1'])
  })
})

test('when OpenAI’s Python client sends a file, then it reads each format', async () => {
  const packages = join(system.dataDir, 'python')
  await run('pip3', ['install', '--quiet', '--no-compile', '--target', packages, 'openai'])
  const script = join(import.meta.dirname, 'testing/openai-client.py')
  const environment = { env: { ...process.env, PYTHONPATH: packages } }
  const { stdout } = await run('python3', [script, note, `${system.appUrl}/v1`, secret], environment)
  const answers = JSON.parse(stdout)
  expect(answers).toMatchObject({
    json: { text: SAID },
    text: `${SAID}\n`,
    stream: expect.arrayContaining([{ type: 'transcript.text.done', text: SAID }]),
    lines: [{ speaker: 'A', text: SAID }],
    srt: expect.stringContaining(' --> '),
    vtt: expect.stringContaining('WEBVTT'),
    verbose_json: { text: SAID, segments: [{ id: 0, text: SAID }] },
  })
})

test('when the AI SDK sends a file, then it reads json and verbose_json', async () => {
  const packages = await mkdtemp(join(system.dataDir, 'ai-sdk-'))
  const quiet = ['--silent', '--no-audit', '--no-fund', '--prefix', packages]
  await run('npm', ['install', ...quiet, '@ai-sdk/openai@3.0.139', 'ai@6'])
  const script = join(import.meta.dirname, 'testing/ai-sdk-client.mjs')
  const { stdout } = await run(process.execPath, [script, packages, note, `${system.appUrl}/v1`, secret])
  expect(JSON.parse(stdout)).toEqual({
    'whisper-1': { text: SAID, segments: [{ text: SAID, startSecond: 0, endSecond: expect.any(Number) }] },
    'gpt-4o-transcribe': { text: SAID, segments: [] },
  })
})

test('when a key is valid for the transcript API, then it is for nothing else', async () => {
  expect((await get('/api/transcriptions', secret)).status).toBe(200)
  expect((await get('/api/users/profile', secret)).data.data.user.email).toBe(person.email)
  expect((await get('/api/stripe/usage', secret)).status).toBe(403)
  expect((await get(`/api/transcriptions?key=${secret}`, 'nothing')).status).toBe(401)
})

describe('when an MCP client connects with a key', () => {
  async function mcpWith(key: string) {
    const client = new Client({ name: 'e2e', version: '1' })
    const headers = { authorization: `Bearer ${key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${system.appUrl}/mcp`), { requestInit: { headers } }),
    )
    const call = async (name: string, args: object) => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } })
      return { found: structuredContent as Record<string, unknown>, isError, content }
    }
    return { client, call }
  }

  test('then it sends, finds, lists and reads notes, whose texts are marked as untrusted', async () => {
    const { client, call } = await mcpWith(secret)
    const base64 = readFileSync(await recordingAs('mcp.ogg', '-c:a', 'libopus')).toString('base64')
    const { found: sent } = await call('transcribe', { file_name: 'mcp.ogg', base64 })
    expect(sent).toMatchObject({ untrusted: true, source: 'api' })
    await eventually('its text is there', async () => {
      const { found } = await call('get_transcript', { id: sent.id })
      expect(found).toMatchObject({ untrusted: true, text: `${SAID}\n` })
    })
    const search = await call('search_transcripts', { query: 'season light', limit: 1 })
    expect(search.found).toMatchObject({ untrusted: true, transcriptions: [{ text: SAID }] })
    const listed = await call('list_transcripts', { status: 'completed', from: '2020-01-01' })
    expect(listed.found.transcriptions).not.toHaveLength(0)
    expect((await call('get_transcript', { id: 'nothing' })).isError).toBe(true)
    expect((await call('list_transcripts', { from: 'yesterday' })).isError).toBe(true)
    await client.close()
  })

  test('then it lists and reads chats, marked as untrusted, but no chat of another person', async () => {
    const text = '17/08/2025, 10:00 - Hattie: bread\n17/08/2025, 10:01 - Ewan: and milk\n'
    const made = await person.http.post('/conversations', { source: 'whatsapp', name: 'Shop', text })
    const { id } = made.data.data.conversation
    const { client, call } = await mcpWith(await keyWith('read'))
    const listed = await call('list_conversations', { limit: 1 })
    expect(listed.found).toMatchObject({
      untrusted: true,
      conversations: [{ id, name: 'Shop', messages: 2 }],
    })
    const read = await call('read_conversation', { id, limit: 1 })
    expect(read.found).toMatchObject({ untrusted: true, messages: [{ n: 1, text: 'bread' }], next: 1 })
    const rest = await call('read_conversation', { id, after: 1 })
    expect(rest.found).toMatchObject({ messages: [{ n: 2, text: 'and milk' }], next: null })
    const other = await signUp(system)
    const theirs = await other.http.post('/conversations', { source: 'whatsapp', name: 'Other', text })
    const foreign = await call('read_conversation', { id: theirs.data.data.conversation.id })
    expect([foreign.isError, foreign.found]).toEqual([true, undefined])
    await client.close()
  })

  test('and speaks 2026-07-28, then it lists the tools and reads notes', async () => {
    const client = new ModernClient(
      { name: 'e2e', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const requestInit = { headers: { authorization: `Bearer ${secret}` } }
    await client.connect(new ModernTransport(new URL(`${system.appUrl}/mcp`), { requestInit }))
    expect((await client.listTools()).tools).toHaveLength(6)
    const listed = await client.callTool({ name: 'list_transcripts', arguments: { limit: 1 } })
    expect(listed.structuredContent).toMatchObject({ untrusted: true })
    await client.close()
  })

  test('and it may only read, then it isn’t offered the tool that transcribes', async () => {
    const { client } = await mcpWith(await keyWith('read'))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual([
      'search_transcripts',
      'list_transcripts',
      'get_transcript',
      'list_conversations',
      'read_conversation',
    ])
    await client.close()
  })

  test('and the key is wrong, then the answer is 401', async () => {
    await expect(mcpWith('vox_wrong')).rejects.toMatchObject({ code: 401 })
  })

  test('and it is another vendor’s client, then it lists the tools, sends a file and finds it', async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const client = await createMCPClient({
      transport: { type: 'http', url: `${system.appUrl}/mcp`, headers },
    })
    const tools: Record<string, { execute(args: object, options: object): unknown }> = await client.tools()
    expect(Object.keys(tools).sort()).toEqual([
      'get_transcript',
      'list_conversations',
      'list_transcripts',
      'read_conversation',
      'search_transcripts',
      'transcribe',
    ])
    const call = (name: string, args: object) =>
      tools[name]!.execute(args, { toolCallId: name, messages: [] })
    const base64 = readFileSync(await recordingAs('maker.ogg', '-c:a', 'libopus')).toString('base64')
    const sent = await call('transcribe', { file_name: 'maker.ogg', base64 })
    expect(sent).toMatchObject({ structuredContent: { untrusted: true, source: 'api' } })
    const { id } = (sent as { structuredContent: { id: string } }).structuredContent
    await eventually('its text is found', async () => {
      const found = await call('search_transcripts', { query: 'season light' })
      expect(JSON.stringify(found)).toContain(id)
    })
    await client.close()
  })
})

describe('when a program uses our own client', () => {
  test('then it sends a file once, waits for the text, and gets subtitles', async () => {
    const client = createClient({ url: system.appUrl, key: secret })
    const path = await recordingAs('client.ogg', '-c:a', 'libopus')
    const facts = { name: 'client.ogg', key: 'client-1', title: 'By the client', language: 'en' }
    const sent = await client.upload(await openAsBlob(path), facts)
    const stream = Readable.toWeb(createReadStream(path)) as ReadableStream
    expect((await client.upload(stream, facts)).id).toBe(sent.id)
    const note = await client.ended(sent.id)
    expect(note).toMatchObject({ status: 'completed', text: SAID, title: 'By the client' })
    const subtitles = await client.file('exportTranscription', {
      params: { id: note.id },
      query: { format: 'srt' },
    })
    expect(await subtitles.text()).toContain(' --> ')
    const { transcriptions } = await client.call('transcriptions', { query: { search: 'season', limit: 1 } })
    expect(transcriptions).toHaveLength(1)
  })

  test('and is refused, then the error has status and code', async () => {
    const client = createClient({ url: system.appUrl, key: secret })
    const missing = client.call('transcription', { params: { id: '../stats' } })
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'not_found' })
    const stranger = createClient({ url: system.appUrl, key: 'vox_wrong' })
    await expect(stranger.call('profile')).rejects.toBeInstanceOf(VoxscribeError)
  })
})

test('when the examples of docs/api.md are run, then they work unchanged', async () => {
  const folder = await mkdtemp(join(system.dataDir, 'examples-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await copyFile(await recordingAs('example.ogg', '-c:a', 'libopus', '-b:a', '32k'), join(folder, 'note.ogg'))
  const manual = await readFile(join(ROOT, 'docs/api.md'), 'utf8')
  const examplesIn = (language: string) =>
    [...manual.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code)
  // Left out: the first one, which names the installation, and an event stream and a server, which never end.
  const shell = examplesIn('sh').filter(code => !/^export VOXSCRIBE|--no-buffer/.test(code!))
  const programs = examplesIn('ts').filter(code => !code!.includes('createServer'))
  await writeFile(join(folder, 'example.sh'), ['set -eu', ...shell].join('\n'))
  await writeFile(join(folder, 'example.mts'), programs.join('\n'))
  const env = { ...process.env, VOXSCRIBE: system.appUrl, VOXSCRIBE_KEY: secret }
  for (const [program, script] of [
    ['bash', 'example.sh'],
    [process.execPath, 'example.mts'],
  ] as const) {
    const { stdout } = await run(program, [script], { cwd: folder, env })
    expect({ script, stdout }).toMatchObject({ stdout: expect.stringContaining(SAID) })
    expect(await readFile(join(folder, 'note.srt'), 'utf8')).toContain(' --> ')
  }
})

/** Calls that end the session, never end themselves, or need a body that schemathesis can't generate. */
const NOT_FUZZED = [
  ...['eraseAccount', 'logout', 'refresh', 'endOtherSessions', 'endSession', 'changePassword'],
  ...['transcriptionEvents', 'previewText'],
]

test('when schemathesis sends valid and invalid calls from the OpenAPI description, then none fails', async () => {
  const packages = join(system.dataDir, 'schemathesis')
  await run('pip3', ['install', '--quiet', '--no-compile', '--target', packages, 'schemathesis==4.32.5'])
  const { accessToken } = await signUp(system)
  const bounds = ['--phases', 'fuzzing', '--max-examples', '6', '--generation-deterministic', '--no-shrink']
  const options = {
    ...{ '--origin': system.appUrl, '--header': `Authorization: Bearer ${accessToken}` },
    ...{ '--checks': 'not_a_server_error', '--request-timeout': '10' },
  }
  const excluded = NOT_FUZZED.flatMap(id => ['--exclude-operation-id', id])
  const { stdout } = await run(
    join(packages, 'bin/schemathesis'),
    ['run', join(ROOT, 'docs/openapi.json'), ...bounds, ...Object.entries(options).flat(), ...excluded],
    { cwd: system.dataDir, env: { ...process.env, PYTHONPATH: packages } },
  ).catch(failed => Promise.reject(new Error(failed.stdout || failed.stderr)))
  const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(stdout) ?? []
  expect(Number(generated)).toBeGreaterThan(200)
  expect(passed).toBe(generated)
})
