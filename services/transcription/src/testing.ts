import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bundled from '@ffmpeg-installer/ffmpeg'
import {
  type EventOf,
  MediaReceived,
  MediaRejected,
  QuotaExceeded,
  QuotaReserved,
} from '@voxscribe/contracts/events'
import { type AccessClaims, type Environment, openBlobs, runService } from '@voxscribe/service'
import { eventually, startTestBackings, testBus, tokenFor } from '@voxscribe/service/testing'
import mongoose from 'mongoose'
import { type Ffmpeg, ffmpegCommand } from './audio/ffmpeg.ts'
import { SAMPLE_RATE } from './audio/levels.ts'
import type { Part } from './engines/engine.ts'
import { transcriptionService } from './service.ts'

const run = promisify(execFile)

export const SOURCE = { channel: 'whatsapp', address: '16505551234', messageId: 'wamid.IN' } as const

type Received = EventOf<'MediaReceived'>['data']

/** The announcement of a file, each with bytes of its own. */
export function received({ mediaId = crypto.randomUUID() as string, ...facts }: Partial<Received> = {}) {
  return MediaReceived.create({
    mediaId,
    userId: 'u1',
    objectKey: `media/2026/11/${mediaId}`,
    mime: 'audio/ogg',
    bytes: 12_000,
    sha256: createHash('sha256').update(mediaId).digest('hex'),
    fileName: 'note.ogg',
    language: 'auto',
    source: SOURCE,
    ...facts,
  })
}

const ffmpegAt =
  (command: string) =>
  (...args: string[]) =>
    run(command, ['-v', 'error', '-nostdin', '-y', ...args])
/** Runs the system's ffmpeg, as a person would who makes a recording. */
export const ffmpeg = ffmpegAt(ffmpegCommand())
/** Starts in a tenth of the time, and knows fewer options. */
const quickFfmpeg = ffmpegAt(bundled.path)

/** Container and codec, as ffmpeg sees them: `ogg opus`. */
export async function fileTypeOf(path: string): Promise<string> {
  const { stderr } = await run(ffmpegCommand(), ['-hide_banner', '-i', path, '-f', 'null', '-'])
  const [, container] = /Input #0, ([\w,]+),/.exec(stderr) ?? []
  const [, codec] = /Audio: (\w+)/.exec(stderr) ?? []
  return `${container} ${codec}`
}

/** Decodes a file's first track that has sound. */
export async function decodeFirst(
  ffmpeg: Pick<Ffmpeg, 'decode'>,
  path: string,
  options: Omit<Parameters<Ffmpeg['decode']>[1], 'signal'>,
) {
  const [first] = await ffmpeg.decode(path, { signal: new AbortController().signal, ...options })
  if (!first) throw new Error(`${path} has no sound`)
  return first
}

/** The claims of a token of 15 minutes. */
export const claimsOf = (userId: string): AccessClaims => ({
  userId,
  generation: 0,
  expiresAt: new Date(Date.now() + 900_000),
})

/** An answer that is written to, without a connection. */
export function responseFake() {
  const written: string[] = []
  const response = new EventEmitter()
  return Object.assign(response, {
    written,
    req: {},
    set: () => {},
    write: (text: string) => written.push(text),
    end: () => response.emit('close'),
    writableLength: 0,
  })
}

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'voxscribe-test-'))

/** A folder that is removed after the cases of a test file. */
export function folderOfTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'voxscribe-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A tone at 16 kHz: of ffmpeg, but for a WAV file, which needs none. */
export async function tone(path: string, seconds = 2): Promise<string> {
  if (path.endsWith('.wav')) await writeFile(path, wavOf(seconds))
  else await quickFfmpeg('-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-ar', '16000', path)
  return path
}

function wavOf(seconds: number): Buffer {
  const samples = Int16Array.from({ length: seconds * SAMPLE_RATE }, (_, at) =>
    Math.round(4_096 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE)),
  )
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(2 * SAMPLE_RATE, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

/**
 * A program in the place of pocketsphinx. It notes each run, waits while it is held, fails while it is broken, and
 * prints what it is told to. Of the shell alone: hundreds of runs in a test file, and each `cat` is a process.
 */
export async function fakeSphinx(folder: string) {
  const command = join(folder, 'fake-sphinx')
  const file = (name: string) => join(folder, `fake-${name}`)
  await writeFile(
    command,
    `#!/bin/sh
echo $$ >> ${file('runs')}
run=0
while read -r _; do run=$((run + 1)); done < ${file('runs')}
while [ -e ${file('held')} ] && [ ! -e ${file('pass')}/$run ]; do sleep 0.05; done
if [ -e ${file('broken')} ]; then echo broken >&2; exit 3; fi
last=$run
if [ -e ${file('last')} ]; then read -r last < ${file('last')}; fi
if [ $run -gt $last ]; then echo broken >&2; exit 3; fi
if [ -e ${file('slow')} ]; then read -r seconds < ${file('slow')}; sleep $seconds; fi
while read -r line; do echo "$line"; done < ${file('output')}
`,
  )
  await chmod(command, 0o755)
  const says = (...words: string[]) =>
    writeFile(file('output'), words.map((word, at) => `${word} ${at}.000 ${at + 1}.000 0.500000\n`).join(''))
  await says('hello', 'world')
  return {
    command,
    says,
    /** Lets no run pass from now on, whatever was let pass before. */
    async hold() {
      await rm(file('pass'), { recursive: true, force: true })
      await mkdir(file('pass'))
      await writeFile(file('held'), '')
    },
    release: () => rm(file('held'), { force: true }),
    /** Releases this run alone; the first is 1. */
    letPass: (run: number) => writeFile(join(file('pass'), `${run}`), ''),
    breakDown: () => writeFile(file('broken'), ''),
    repair: () => Promise.all(['broken', 'last'].map(name => rm(file(name), { force: true }))),
    /** It works so many times, and fails from then on. */
    breakDownAfter: (runs: number) => writeFile(file('last'), `${runs}\n`),
    slowDown: (seconds: number) => writeFile(file('slow'), `${seconds}\n`),
    pids: async () => (await readFile(file('runs'), 'utf8')).trim().split('\n').map(Number),
    runs: async () =>
      existsSync(file('runs')) ? (await readFile(file('runs'), 'utf8')).trim().split('\n').length : 0,
  }
}

/** Input of one call to an engine, for a note of 9 s. */
export const partOf = (facts: Partial<Part>): Part => ({
  samples: 'note.raw',
  pieces: [{ from: 0, to: 3 }],
  gain: 1,
  key: 'key-1',
  folder: tmpdir(),
  noteSeconds: 9,
  ...facts,
})

// biome-ignore lint/suspicious/noExplicitAny: tests look at answers as any client sees them.
type Body = any

/** Failed work is tried again soon, and ffmpeg is the one that starts at once: the system's loads 200 libraries first. */
const QUICK = { NOTE_RETRY_AFTER: '2ms', FFMPEG_PATH: bundled.path }

/** The service at work; the test is all the others. */
export async function startDesk(given: Environment) {
  const backings = await startTestBackings()
  const dataDir = await temporaryFolder()
  let bus = await testBus('transcription')
  const start = (env: Environment) =>
    runService(
      transcriptionService,
      { ...backings.env, ...QUICK, DATA_DIR: dataDir, ...env },
      { bus: bus.bus },
    )
  let service = await start(given)
  const blobs = openBlobs({ DATA_DIR: dataDir, S3_REGION: 'us-east-1' })
  const database = await mongoose
    .createConnection(backings.mongoUrl, { dbName: `${backings.env.MONGO_DB_PREFIX}_transcription` })
    .asPromise()

  const ofNote = <E extends { data: { transcriptionId: string; attempt: number } }>(
    sent: () => E[],
    mediaId: string,
    attempt: number,
  ) =>
    eventually(() => sent().find(({ data }) => data.transcriptionId === mediaId && data.attempt === attempt))
  const normalised = (mediaId: string, attempt = 1) =>
    ofNote(() => bus.sent('MediaNormalised'), mediaId, attempt)
  const completed = (mediaId: string, attempt = 1) =>
    ofNote(() => bus.sent('TranscriptionCompleted'), mediaId, attempt)

  /** Stores a file and announces it, as ingestion would. */
  async function receive(path: string, facts: Partial<Received> = {}) {
    const { size } = await stat(path)
    const event = received({ bytes: Math.max(1, size), ...facts })
    await blobs.putFile(event.data.objectKey, path, size)
    // In-process, publishing lasts as long as the handling: the test goes on meanwhile.
    void bus.publish(event).catch(() => {})
    return event
  }

  /** Waits until minutes are asked for, and reserves them, as billing would. */
  async function reserve(mediaId: string, attempt = 1) {
    const cause = await normalised(mediaId, attempt)
    const remainingSeconds = 1000 - cause.data.seconds
    const reserved = QuotaReserved.causedBy(cause, { ...cause.data, remainingSeconds })
    void bus.publish(reserved).catch(() => {})
    return reserved
  }

  /** Reserves the minutes of an attempt and waits for its text. */
  async function finish(mediaId: string, attempt = 1) {
    const { data: reserved } = await reserve(mediaId, attempt)
    const { data: done } = await completed(mediaId, attempt)
    return { reserved, done }
  }

  async function call(
    method: string,
    path: string,
    userId = 'u1',
    sent?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Body; headers: Headers }> {
    const response = await fetch(`${service.url}/api${path}`, {
      method,
      headers: {
        authorization: tokenFor(userId),
        ...(sent?.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent?.headers,
      },
      ...(sent?.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  return {
    get bus() {
      return bus
    },
    get url() {
      return service.url
    },
    /** The notes as they are stored, to do what a crash would. */
    notes: database.collection<{ _id: string }>('transcriptions'),
    /** Any collection as it is stored. */
    stored: (name: string) => database.collection<{ _id: string }>(name),
    call,
    receive,
    /** Once minutes are asked for. */
    normalised,
    reserve,
    /** Once the note is transcribed. */
    completed,
    finish,
    /** Receives a file and waits for its text. */
    async complete(path: string, facts: Partial<Received> = {}) {
      const event = await receive(path, facts)
      const id = event.data.mediaId
      return { event, id, ...(await finish(id, 1)) }
    },
    /** Announces a file that was refused. */
    async refuse(facts: Partial<EventOf<'MediaRejected'>['data']> = {}) {
      const mediaId = crypto.randomUUID() as string
      const about = { mediaId, userId: 'u1', fileName: 'big.ogg', bytes: 10, source: SOURCE }
      const event = MediaRejected.create({ ...about, reason: { code: 'too_large' }, ...facts })
      await bus.publish(event)
      return event
    },
    /** A note as its page shows it; undefined when there is none. */
    noteOf: async (id: string, userId = 'u1') =>
      (await call('GET', `/transcriptions/${id}`, userId)).body.data?.transcription,
    refresh: (id: string, userId = 'u1', body?: object) =>
      call('POST', `/transcriptions/${id}/refresh`, userId, { body }),
    remove: (id: string, userId = 'u1') => call('DELETE', `/transcriptions/${id}`, userId),
    /** Waits until minutes are asked for, and says that they exceed what is left. */
    async exceed(mediaId: string, attempt = 1) {
      const cause = await normalised(mediaId, attempt)
      const periodEnd = '2026-12-01T00:00:00.000Z'
      await bus.publish(QuotaExceeded.causedBy(cause, { ...cause.data, remainingSeconds: 1, periodEnd }))
    },
    /** Once the note has failed. */
    failed: (mediaId: string) =>
      eventually(() => bus.sent('TranscriptionFailed').find(({ data }) => data.transcriptionId === mediaId)),
    /** A call whose answer is no envelope; without a person, no header. */
    fetch: (path: string, userId?: string, headers: Record<string, string> = {}, body?: object) =>
      fetch(`${service.url}${path}`, {
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
          ...(userId ? { authorization: tokenFor(userId) } : {}),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    removeAudio: (event: EventOf<'MediaReceived'>) => blobs.delete(event.data.objectKey),
    /** Stops the service and its bus, and starts both again on the same data. */
    async restart() {
      await service.stop()
      await bus.close()
      bus = await testBus('transcription')
      service = await start(given)
    },
    async stop() {
      await service.stop()
      await bus.close()
      await database.close()
      await backings.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type Desk = Awaited<ReturnType<typeof startDesk>>

/** The service and a folder, for the cases of a `describe`, or for each case. */
export function deskFor(
  envIn: (folder: string) => Environment | Promise<Environment>,
  { each = false } = {},
) {
  const held = {} as { folder: string; desk: Desk }
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    held.folder = await temporaryFolder()
    held.desk = await startDesk(await envIn(held.folder))
  })
  after(async () => {
    await held.desk.stop()
    await rm(held.folder, { recursive: true, force: true })
  })
  return held
}

/** The service with a program in the place of pocketsphinx, and a voice note, for the cases of a test file. */
export async function deskWithSphinx(env: Environment = {}) {
  const folder = await temporaryFolder()
  const sphinx = await fakeSphinx(folder)
  const desk = await startDesk({ SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command, ...env })
  afterAll(async () => {
    await desk.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, sphinx, desk, note: await tone(join(folder, 'note.wav')) }
}
