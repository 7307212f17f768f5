import { existsSync } from 'node:fs'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import {
  fakeSphinx,
  ffmpeg,
  ffmpegCommand,
  fileTypeOf,
  openAiError,
  startOpenAiFake,
  temporaryFolder,
  tone,
} from '@voxscribe/speech/testing'
import { type Desk, startDesk } from '../testing.ts'

type Fake = Awaited<ReturnType<typeof startOpenAiFake>>
const TEXT = { body: { text: 'Hello there.' } }
const OPUS = { mime: 'audio/ogg; codecs=opus' }

let folder: string
let fake: Fake
let desk: Desk
let ffmpegRuns: () => Promise<number>
let foldersUsed: () => Promise<string[]>

beforeEach(async () => {
  folder = await temporaryFolder()
})
async function start(answers: Parameters<typeof startOpenAiFake>, env = {}) {
  fake = await startOpenAiFake(...answers)
  const [command, runs] = [join(folder, 'counted-ffmpeg'), join(folder, 'runs')]
  await writeFile(command, `#!/bin/sh\necho "$@" >> ${runs}\nexec ${ffmpegCommand()} "$@"\n`)
  await chmod(command, 0o755)
  ffmpegRuns = async () => (await readFile(runs, 'utf8')).trim().split('\n').length
  foldersUsed = async () => (await readFile(runs, 'utf8')).match(/\S*\/voxscribe-note-[^/\s]+/g) ?? []
  desk = await startDesk({
    SPEECH_ENGINE: 'openai',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: fake.baseUrl,
    FFMPEG_PATH: command,
    ...env,
  })
}
afterEach(async () => {
  await desk.stop()
  await fake.stop()
  await rm(folder, { recursive: true, force: true })
})

const voiceNote = (name = 'note.ogg') => tone(join(folder, name), 2)

const transcribed = async (path: string, facts = OPUS) => (await desk.complete(path, facts)).done

const sentFiles = () => fake.received.map(({ form }) => form.get('file') as File)

test('when a provider takes Opus, then it gets a voice note unchanged, and ffmpeg runs once', async () => {
  await start([TEXT])
  const note = await voiceNote()
  const { text, transcriptionId: _id } = await transcribed(note)
  expect(text).toBe('Hello there.')
  // Two seconds, by the price per minute.
  const engineCost = expect.closeTo((2 / 60) * 0.0045, 6)
  expect(await desk.notes.findOne({ _id })).toMatchObject({ engineCost })
  const [file] = sentFiles()
  expect([file?.name, file?.type]).toEqual(['note.ogg', 'audio/ogg'])
  expect(Buffer.from(await file!.arrayBuffer())).toEqual(await readFile(note))
  expect(await ffmpegRuns()).toBe(1)
})

test('when the provider refuses the file as it came, then it gets one that we have encoded', async () => {
  await start([openAiError(400, 'invalid_file'), TEXT])
  expect((await transcribed(await voiceNote())).text).toBe('Hello there.')
  const keys = fake.received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
  const sent = join(folder, 'sent')
  await writeFile(sent, Buffer.from(await sentFiles()[1]!.arrayBuffer()))
  expect(await fileTypeOf(sent)).toBe('ogg opus')
})

test('when the key is refused, then the file is not sent a second time', async () => {
  await start([openAiError(401, 'invalid_api_key')])
  const { data } = await desk.receive(await voiceNote(), OPUS)
  await desk.reserve(data.mediaId)
  await desk.failed(data.mediaId)
  expect(fake.received).toHaveLength(1)
})

test('when the provider asks to wait, then only the notes that need it do', async () => {
  const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
  const closed = { ...openAiError(429, 'rate_limit_exceeded', 'requests'), headers: { 'retry-after': '600' } }
  await start([TEXT, closed], { SPEECH_ENGINE: 'auto', SPHINX_COMMAND })
  const { transcriptionId: id } = await transcribed(await voiceNote())
  const reserved = async (path: string) => {
    const { data } = await desk.receive(path, OPUS)
    await desk.reserve(data.mediaId)
    return data.mediaId
  }
  await reserved(await voiceNote())
  await eventually(() => fake.received.length === 2)
  const needsIt = await reserved(await voiceNote())
  const silence = join(folder, 'silence.ogg')
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '3', '-c:a', 'libopus', silence)
  await desk.completed(await reserved(silence))
  await desk.refresh(id, 'u1', { engine: 'sphinx' })
  expect((await desk.finish(id, 2)).done.text).toBe('hello world')
  expect(await desk.notes.findOne({ _id: needsIt })).toMatchObject({ work: { tries: 0, lease: null } })
  expect(fake.received).toHaveLength(2)
})

test.each([[''], ['…'], [' ♪ ']])(
  'when the provider answers “%s” for loud sound, then the next engine is asked, and all know why',
  async text => {
    const { command: SPHINX_COMMAND } = await fakeSphinx(folder)
    await start([{ body: { text } }], { SPEECH_ENGINE: 'auto', SPHINX_COMMAND, MODEL_DIR: '/nowhere' })
    const { text: heard, seconds, transcriptionId } = await transcribed(await voiceNote())
    expect([heard, seconds]).toEqual(['hello world', 2])
    const { engine, passedOver } = await desk.noteOf(transcriptionId)
    expect([engine.name, passedOver[0]]).toEqual(['sphinx', { name: 'openai', reason: 'no_speech' }])
  },
)

test('when the next engine fails at first, then the one that heard nothing is not paid twice', async () => {
  const sphinx = await fakeSphinx(folder)
  await sphinx.breakDown()
  await start([{ body: { text: '' } }], {
    SPEECH_ENGINE: 'auto',
    SPHINX_COMMAND: sphinx.command,
    MODEL_DIR: '/nowhere',
  })
  const { data } = await desk.receive(await voiceNote(), OPUS)
  await desk.reserve(data.mediaId)
  await eventually(async () => (await sphinx.runs()) > 0)
  await sphinx.repair()
  expect((await desk.completed(data.mediaId)).data.text).toBe('hello world')
  expect(fake.received).toHaveLength(1)
})

test('when not every server reads a file, then it is encoded from the stored samples', async () => {
  await start([TEXT])
  await transcribed(await voiceNote('note.wav'), { mime: 'audio/wav' })
  expect(await ffmpegRuns()).toBe(2)
})

test('when a note is deleted before anybody listens to it, then its sound goes with it', async () => {
  await start([TEXT])
  const { data } = await desk.receive(await voiceNote(), OPUS)
  await desk.normalised(data.mediaId)
  const [samples] = await foldersUsed()
  expect(existsSync(samples!)).toBe(true)
  await desk.remove(data.mediaId)
  await eventually(() => !existsSync(samples!))
})
