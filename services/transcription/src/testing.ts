import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EventOf,
  MediaReceived,
  MediaRejected,
  QuotaExceeded,
  QuotaReserved,
} from '@voxscribe/contracts/events'
import { type AccessClaims, type Environment, openBlobs, runService } from '@voxscribe/service'
import { eventually, startTestBackings, testBus, tokenFor, withJobs } from '@voxscribe/service/testing'
import { fakeSphinx, QUICK_FFMPEG, temporaryFolder, tone } from '@voxscribe/speech/testing'
import mongoose from 'mongoose'
import { transcriptionService } from './service.ts'

export const SOURCE = { channel: 'whatsapp', address: '16505551234', messageId: 'wamid.IN' } as const

type Received = EventOf<'MediaReceived'>['data']

/** Creates the event for a received file; each file has a different hash. */
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

/** The claims of a token of 15 minutes. */
export const claimsOf = (userId: string): AccessClaims => ({
  userId,
  generation: 0,
  expiresAt: new Date(Date.now() + 900_000),
})

/** Fake response that records what is written. */
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

// biome-ignore lint/suspicious/noExplicitAny: tests look at answers as any client sees them.
type Body = any

/** Retries come soon, and ffmpeg is one that starts at once: the system's loads 200 libraries first. */
const QUICK = { NOTE_RETRY_AFTER: '2ms', FFMPEG_PATH: QUICK_FFMPEG }

/** Starts the service; the test plays all other services. */
export async function startDesk(given: Environment) {
  const backings = await startTestBackings()
  const dataDir = await temporaryFolder()
  let bus = await testBus('transcription')
  const jobs = withJobs(transcriptionService)
  const start = (env: Environment) =>
    runService(jobs.definition, { ...backings.env, ...QUICK, DATA_DIR: dataDir, ...env }, { bus: bus.bus })
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

  /** Stores a file, as ingestion would, and returns its event, which is not published yet. */
  async function store(path: string, facts: Partial<Received> = {}) {
    const { size } = await stat(path)
    const event = received({ bytes: Math.max(1, size), ...facts })
    await blobs.putFile(event.data.objectKey, path, size)
    return event
  }

  /** Stores a file and announces it. */
  async function receive(path: string, facts: Partial<Received> = {}) {
    const event = await store(path, facts)
    // In-process, publishing lasts as long as the handling, so the test does not wait for it.
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
    /** The notes as stored, to imitate a crash. */
    notes: database.collection<{ _id: string }>('transcriptions'),
    /** Runs a job of the service, even if it is not due. */
    runJob: jobs.run,
    stored: (name: string) => database.collection<{ _id: string }>(name),
    call,
    store,
    receive,
    /** Resolves once minutes are asked for. */
    normalised,
    reserve,
    /** Resolves once the note is transcribed. */
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
    /** A note as its page shows it; undefined if there is none. */
    noteOf: async (id: string, userId = 'u1') =>
      (await call('GET', `/transcriptions/${id}`, userId)).body.data?.transcription,
    refresh: (id: string, userId = 'u1', body?: object) =>
      call('POST', `/transcriptions/${id}/refresh`, userId, { body }),
    remove: (id: string, userId = 'u1') => call('DELETE', `/transcriptions/${id}`, userId),
    /** Waits until minutes are asked for, and refuses them, as billing would. */
    async exceed(mediaId: string, attempt = 1) {
      const cause = await normalised(mediaId, attempt)
      const periodEnd = '2026-12-01T00:00:00.000Z'
      await bus.publish(QuotaExceeded.causedBy(cause, { ...cause.data, remainingSeconds: 1, periodEnd }))
    },
    /** Resolves once the note has failed. */
    failed: (mediaId: string) =>
      eventually(() => bus.sent('TranscriptionFailed').find(({ data }) => data.transcriptionId === mediaId)),
    /** Makes a call whose response has no envelope; without a person, it sends no token. */
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

/** Starts the service with a folder, for the cases of a `describe`, or for each case. */
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

/** Starts the service with a fake pocketsphinx, and a voice note, for the cases of a test file. */
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
