import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { serve } from '@voxscribe/messaging/testing'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recordingAs, SENTENCE_FILE, voiceNote } from './testing/speech.ts'
import { freePorts, ROOT, type System } from './testing/system.ts'

// The calls of the programs in docs/recipes.md.

const run = promisify(execFile)
const SAID = 'It was the season of light.'
let system: System
let engine: Awaited<ReturnType<typeof startCountingEngine>>
let person: Person
let key: string

beforeAll(async () => {
  engine = await startCountingEngine(0, SAID)
  system = await startOneProcess({ ...engine.settings, HOOKS_ALLOW_PRIVATE: 'on' })
  person = await signUp(system)
  key = (await person.http.post('/keys', { name: 'recipes', scopes: ['read', 'write'] })).data.data.secret
})
afterAll(async () => {
  await system?.remove()
  await engine?.stop()
})

const folder = () => mkdtemp(join(system.dataDir, 'recipe-'))

/** Creates a hook for completed notes and returns its secret. */
async function hookTo(url: string): Promise<string> {
  const { status, data } = await person.http.post('/hooks', { url, events: ['transcription.completed'] })
  expect(status).toBe(201)
  return data.data.secret
}

/** Posts a form as a program does. */
async function asked(file: Blob, name: string, fields: Record<string, string>) {
  const form = new FormData()
  form.append('file', file, name)
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  const answer = await fetch(`${system.appUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: form,
  })
  expect(answer.status).toBe(200)
  return answer
}

/** Returns the parameters of a node of n8n's workflow. */
async function nodeOf(name: string) {
  const { nodes } = JSON.parse(await readFile(join(ROOT, 'docs/recipes/n8n.json'), 'utf8'))
  return nodes.find((node: { name: string }) => node.name === name).parameters
}

test('when Obsidian’s script gets a signed text, then it writes it to the vault, and ignores other messages', async () => {
  const vault = await folder()
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const secret = await hookTo(url)
  const script = spawn(process.execPath, [join(ROOT, 'docs/recipes/obsidian.mjs')], {
    env: { ...process.env, VAULT: vault, PORT: String(port), VOXSCRIBE_HOOK_SECRET: secret },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    await eventually('the script refuses what is not signed', async () => {
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
    })
    expect(await readdir(vault)).toEqual([])
    await person.upload(await voiceNote(), { title: '../a/b: “Täglich”? #1' })
    const name = await eventually('the note is in the vault', async () => {
      return (await readdir(vault)).find(file => file.endsWith('.md')) ?? null
    })
    const [note] = (await person.transcriptions()).transcriptions
    expect(name).toBe(
      `${note?.date} ${note?.time.replace(':', ' ')} .. a b “Täglich” 1 ${note?.id.slice(0, 8)}.md`,
    )
    const written = await readFile(join(vault, name), 'utf8')
    expect(written).toMatch(new RegExp(`^---\nid: "${note?.id}"\ndate: .*\n---\n\n${SAID}\n$`, 's'))
  } finally {
    const ended = once(script, 'exit')
    script.kill()
    await ended
  }
})

test('when n8n’s code gets a signed text, then it returns Notion’s fields, and refuses a changed message', async () => {
  const { promise, resolve } = Promise.withResolvers<{ headers: object; body: Buffer }>()
  const receiver = await serve(async (request, response) => {
    resolve({ headers: request.headers, body: await buffer(request) })
    response.end()
  })
  const secret = await hookTo(`${receiver.url}/`)
  await person.upload(await recordingAs('n8n.ogg', '-c:a', 'libopus', '-b:a', '20k'))
  const { headers, body } = await promise
  await receiver.stop()
  const { jsCode } = await nodeOf('Verify')
  // Runs the code as n8n's Code node does.
  const verify = new Function('$input', 'require', jsCode.replace('whsec_…', secret))
  const given = (content: Buffer, sent = headers) =>
    verify(
      { first: () => ({ json: { headers: sent }, binary: { data: { data: content.toString('base64') } } }) },
      createRequire(import.meta.url),
    )
  const [{ json }] = given(body)
  expect(json).toMatchObject({ type: 'transcription.completed', data: { title: 'n8n.ogg', text: SAID } })
  const fields = [...JSON.stringify(await nodeOf('Notion')).matchAll(/\$json\.data\.(\w+)/g)]
  expect(fields.map(([, field]) => json.data[field!])).toEqual(['n8n.ogg', SAID])
  const changed = Buffer.from(String(body).replace('light', 'night'))
  expect(() => given(changed)).toThrow('The signature is wrong')
  expect(() => given(body, { ...headers, 'webhook-timestamp': '1700000000' })).toThrow('signature')
  expect(() => given(body, {})).toThrow('signature')
})

test('when n8n’s HTTP Request sends a recording, then it gets the text', async () => {
  const { method, url, bodyParameters } = await nodeOf('Transcribe')
  expect([method, new URL(url).pathname]).toEqual(['POST', '/v1/audio/transcriptions'])
  const [file, ...fields] = bodyParameters.parameters
  expect(file).toMatchObject({ parameterType: 'formBinaryData', name: 'file' })
  const form = Object.fromEntries(fields.map(({ name, value }: Record<string, string>) => [name, value]))
  expect(await (await asked(await openAsBlob(await voiceNote()), 'note.ogg', form)).json()).toMatchObject({
    text: SAID,
  })
})

test('when Open WebUI sends a recording, then it gets the text', async () => {
  const sound = await openAsBlob(await recordingAs('webui.webm', '-c:a', 'libopus'))
  const answer = await asked(sound, '5c0ffee5.webm', { model: 'voxscribe-1' })
  expect(await answer.json()).toMatchObject({ text: SAID })
})

test('when Home Assistant sends a command, then it gets the text in time', async () => {
  const sound = await openAsBlob(SENTENCE_FILE, { type: 'audio/wav' })
  const fields = { model: 'whisper-1', language: 'en', prompt: '', temperature: '0', response_format: 'json' }
  const answer = await asked(sound, 'whisper_audio.wav', fields)
  expect((await answer.json()).text).toBe(SAID)
})

test('when an iPhone’s shortcut sends a voice note, then it shows the text', async () => {
  const sound = await openAsBlob(await voiceNote('shortcut.ogg'))
  const answer = await asked(sound, 'AUDIO.opus', { model: 'voxscribe-1', response_format: 'text' })
  expect((await answer.text()).trim()).toBe(SAID)
})

test('when the commands for a movie are run, then its subtitles are next to it', async () => {
  const cwd = await folder()
  const picture = ['-f', 'lavfi', '-i', 'color=c=black:s=64x64:r=5']
  const sound = ['-i', SENTENCE_FILE, '-c:a', 'aac', '-shortest']
  await run('ffmpeg', ['-v', 'error', ...picture, ...sound, join(cwd, 'film.mkv')])
  const [, commands] = /^```sh\n(.*?)^```/ms.exec(await readFile(join(ROOT, 'docs/recipes.md'), 'utf8'))!
  const env = { ...process.env, VOXSCRIBE: system.appUrl, VOXSCRIBE_KEY: key }
  await run('bash', ['-euc', commands!], { cwd, env })
  expect(await readFile(join(cwd, 'film.en.srt'), 'utf8')).toMatch(/^1\n00:00:0\d,\d{3} --> .*\nIt was/)
  // Bazarr's call must fail in this test.
  expect((await fetch(`${system.appUrl}/asr?task=transcribe`, { method: 'POST' })).status).toBe(404)
})
