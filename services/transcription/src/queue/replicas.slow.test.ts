import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EventOf, flow, QuotaReserved } from '@voxscribe/contracts/events'
import type { Bus } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { freePorts, type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { openBlobs } from '@voxscribe/service'
import {
  eventually,
  silentLog,
  startTestBackings,
  type TestBackings,
  tokenFor,
} from '@voxscribe/service/testing'
import {
  fakeSphinx,
  interview,
  MODELS,
  QUICK_FFMPEG,
  temporaryFolder,
  tone,
  withRealSpeech,
} from '@voxscribe/speech/testing'
import mongoose from 'mongoose'
import { received } from '../testing.ts'

const NOTES = 16
const AT_ONCE = 4
/** Other tests may stall a process for longer than the lease that cases with dying processes use. */
const NOBODY_DIES = { NOTE_LEASE: '60s' }

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('replicas, each a process, on RabbitMQ (skipped where it is not installed)', () => {
  let folder: string
  let temporary: string
  let backings: TestBackings
  let bus: Bus
  let database: mongoose.Connection
  let sphinx: Awaited<ReturnType<typeof fakeSphinx>>
  let replicas: ChildProcess[] = []
  let completed: EventOf<'TranscriptionCompleted'>[] = []
  let sent: string[] = []

  beforeAll(async () => {
    folder = await temporaryFolder()
    temporary = join(folder, 'tmp')
    await mkdir(temporary)
    // One database for all cases, so that repeats left on the broker by a case meet completed notes.
    backings = await startTestBackings()
    database = await mongoose
      .createConnection(backings.mongoUrl, { dbName: `${backings.env.MONGO_DB_PREFIX}_transcription` })
      .asPromise()
    bus = await connectRabbitBus({ url: rabbit!.url, topology: flow, log: silentLog })
    await bus.subscribe({
      service: 'billing',
      event: flow.MediaNormalised.event,
      handle: async event => {
        const cause = event as EventOf<'MediaNormalised'>
        await twice(QuotaReserved.causedBy(cause, { ...cause.data, remainingSeconds: 1000 }))
      },
    })
    await bus.subscribe({
      service: 'billing',
      event: flow.TranscriptionCompleted.event,
      handle: async event => {
        completed.push(event as EventOf<'TranscriptionCompleted'>)
      },
    })
  })
  afterAll(async () => {
    await bus?.close()
    await database?.close()
    await backings?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    sphinx = await fakeSphinx(folder)
    await rm(join(folder, 'fake-runs'), { force: true })
    completed = []
    sent = []
  })
  afterEach(async () => {
    for (const replica of replicas) replica.kill('SIGKILL')
    await sphinx.release()
    replicas = []
  })

  /** Delivers everything twice, as the worst relay and broker would. */
  const twice = async (event: EventOf<'QuotaReserved' | 'MediaReceived'>) => {
    await Promise.all([bus.publish(event), bus.publish(event)])
  }

  function startReplicas(count: number, given: Record<string, string> = {}) {
    const env = {
      ...process.env,
      ...backings.env,
      RABBITMQ_URL: rabbit!.url,
      DATA_DIR: folder,
      TMPDIR: temporary,
      SPEECH_ENGINE: 'sphinx',
      SPHINX_COMMAND: sphinx.command,
      FFMPEG_PATH: QUICK_FFMPEG,
      TRANSCRIPTION_CONCURRENCY: `${AT_ONCE}`,
      // The other processes wait for it. After a death, no process is left that could take over a living one's note.
      NOTE_LEASE: '6s',
      ...given,
    }
    const main = join(import.meta.dirname, '../main.ts')
    // Each one leads a process group, as in a terminal or under a supervisor.
    const start = () => spawn(process.execPath, [main], { env, stdio: 'ignore', detached: true })
    replicas.push(...Array.from({ length: count }, start))
  }

  /** Receives notes, each with different bytes unless `facts` has their hash. Returns their ids. */
  async function receiveNotes(
    count = NOTES,
    facts: Partial<EventOf<'MediaReceived'>['data']> = {},
  ): Promise<string[]> {
    const path = await tone(join(folder, 'note.ogg'))
    const { size: bytes } = await stat(path)
    const blobs = openBlobs({ DATA_DIR: folder, S3_REGION: 'us-east-1' })
    const ids: string[] = []
    for (let note = 0; note < count; note++) {
      const event = received({ bytes, ...facts })
      ids.push(event.data.mediaId)
      await blobs.putFile(event.data.objectKey, path, bytes)
      await twice(event)
    }
    sent.push(...ids)
    return ids
  }

  /** Lists the files in the processes' temporary folders, without the locks. */
  const soundsLeft = async () =>
    (await readdir(temporary, { recursive: true, withFileTypes: true })).filter(
      entry => entry.isFile() && !entry.name.startsWith('in-use'),
    )

  /** Counts a person's notes that wait for the engine or are in hand. */
  const withEngine = (userId: string) =>
    database.collection('transcriptions').countDocuments({ userId, 'work.step': 'listening' })

  /** Returns this case's completed notes in order, each once: events may be repeated after processes were killed. */
  const done = () =>
    [...new Set(completed.map(({ data }) => data.transcriptionId))].filter(id => sent.includes(id))
  const allCompleted = () => eventually(() => done().length === sent.length)

  test(`when three of them share ${NOTES} notes, then the engine is called ${NOTES} times and no sound is left`, async () => {
    startReplicas(3, NOBODY_DIES)
    await receiveNotes()
    await allCompleted()
    expect(await sphinx.runs()).toBe(NOTES)
    await eventually(async () => (await soundsLeft()).length === 0)
  })

  test('when the same audio comes twenty times to three of them, then the engine is called once', async () => {
    startReplicas(3, NOBODY_DIES)
    await receiveNotes(20, { sha256: 'a'.repeat(64) })
    await allCompleted()
    expect(await sphinx.runs()).toBe(1)
  })

  test("when one person's 20 notes wait for three of them, then another's single note is one of the next three", async () => {
    await sphinx.hold()
    const oneEach = { TRANSCRIPTION_CONCURRENCY: '1', TRANSCRIPTION_SHORT_CONCURRENCY: '1' }
    startReplicas(3, { ...NOBODY_DIES, ...oneEach })
    const many = await receiveNotes(20, { userId: 'many' })
    const begins = (run: number) => eventually(async () => (await sphinx.runs()) === run)
    await begins(3)
    await eventually(async () => (await withEngine('many')) === 20)
    const [single] = await receiveNotes(1, { userId: 'single' })
    await eventually(async () => (await withEngine('single')) === 1)
    // The process of the first call makes the fourth, then that process makes the fifth, and so on. Each of the three
    // may have taken one of the many before it learned of the others' claims, so the single note is among the next
    // three.
    for (const [run, next] of [
      [1, 4],
      [4, 5],
      [5, 6],
      [6, 7],
    ] as const) {
      await sphinx.letPass(run)
      await begins(next)
    }
    await eventually(() => done().length >= 4)
    const [first, ...nextThree] = done()
    expect(many).toContain(first)
    expect(nextThree).toContain(single)
    await sphinx.release()
    await allCompleted()
    expect(await sphinx.runs()).toBe(21)
  })

  test('when a page is open at each of two, then both show how a note goes, also after the broker was away', async () => {
    const ports = await freePorts(2)
    for (const port of ports) startReplicas(1, { ...NOBODY_DIES, PORT: `${port}` })
    const heard = ports.map(() => '')
    const leaving = new AbortController()
    await Promise.all(
      ports.map(async (port, at) => {
        const open = () =>
          fetch(`http://127.0.0.1:${port}/api/transcriptions/events`, {
            headers: { authorization: tokenFor('watching') },
            signal: leaving.signal,
          })
        const { body } = await eventually(() => open().catch(() => null))
        const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
        void (async () => {
          for (;;) {
            const { value, done } = await reader.read()
            if (done) break
            heard[at] += value
          }
        })().catch(() => {})
      }),
    )
    await eventually(() => heard.every(text => text.startsWith(': hello')))
    const shown = (id: string) => heard.every(text => text.includes(`{"id":"${id}","status":"completed"`))
    const [first] = await receiveNotes(1, { userId: 'watching' })
    await eventually(() => shown(first!))
    await rabbit!.restart()
    // Changes are lost until each process has reconnected.
    await eventually(async () => {
      const [id] = await receiveNotes(1, { userId: 'watching' })
      await allCompleted()
      return shown(id!)
    })
    leaving.abort()
  })

  withRealSpeech('voices', () => {
    test('when one of two is killed while it tells voices apart, then the other one does, once', async () => {
      const ports = await freePorts(2)
      const SPEAKER_MODEL = join(MODELS, 'speakers/resemblyzer.onnx')
      // The text is arbitrary, one word per second; only the voices are real.
      await sphinx.says(...Array.from({ length: 60 }, (_, at) => `word${at}`))
      for (const port of ports) startReplicas(1, { MODEL_DIR: MODELS, SPEAKER_MODEL, PORT: `${port}` })
      const path = await interview(folder, 1, 2)
      const { size: bytes } = await stat(path)
      const event = received({ bytes })
      sent.push(event.data.mediaId)
      await openBlobs({ DATA_DIR: folder, S3_REGION: 'us-east-1' }).putFile(event.data.objectKey, path, bytes)
      await twice(event)
      await allCompleted()
      const call = async (port: number, method: string, suffix = '') => {
        const address = `http://127.0.0.1:${port}/api/transcriptions/${event.data.mediaId}${suffix}`
        const answer = await fetch(address, { method, headers: { authorization: tokenFor('u1') } })
        return { status: answer.status, note: (await answer.json()).data?.transcription }
      }
      const before = (await call(ports[0]!, 'GET')).note
      const asked = await Promise.all(ports.map(port => call(port, 'POST', '/speakers')))
      expect(asked.map(({ status }) => status).sort()).toEqual([202, 409])
      const first = asked.findIndex(({ status }) => status === 202)
      replicas[first]!.kill('SIGKILL')
      await once(replicas[first]!, 'exit')
      const left = ports[1 - first]!
      expect((await call(left, 'GET')).note).toMatchObject({ speakers: [], text: before.text })
      const note = await eventually(async () => {
        const read = (await call(left, 'GET')).note
        return read.speakersProgress === null && read
      })
      const { text, version, notices } = before
      expect(note).toMatchObject({ text, version: version + 1, notices })
      expect(note.speakers).toHaveLength(2)
    })
  })

  test('when one of two is killed, then at most the notes in its hands are listened to once more', async () => {
    await sphinx.hold()
    startReplicas(2)
    await receiveNotes()
    await eventually(async () => (await sphinx.runs()) === 2 * AT_ONCE)
    replicas[0]!.kill('SIGKILL')
    await once(replicas[0]!, 'exit')
    await sphinx.release()
    await allCompleted()
    const runs = await sphinx.runs()
    expect(runs).toBeGreaterThan(NOTES)
    expect(runs).toBeLessThanOrEqual(NOTES + AT_ONCE)
  })

  /** Runs ffmpeg, but holds it first. */
  async function heldFfmpeg() {
    const path = (name: string) => join(folder, `ffmpeg-${name}`)
    await writeFile(path('held'), '')
    await writeFile(
      path('slow'),
      `#!/bin/sh
echo $$ >> ${path('pids')}
while [ -e ${path('held')} ]; do sleep 0.02; done
exec ${QUICK_FFMPEG} "$@"
`,
    )
    await chmod(path('slow'), 0o755)
    await rm(path('pids'), { force: true })
    // The shell creates the file before it writes. An empty one reads as 0, and a signal to 0 would end these tests.
    const pid = async () => Number.parseInt(await readFile(path('pids'), 'utf8'), 10) || undefined
    return { command: path('slow'), pid, release: () => rm(path('held')) }
  }
  const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

  test('when a whole process group is told to stop, then ffmpeg’s end is not held against the note', async () => {
    const ffmpeg = await heldFfmpeg()
    startReplicas(1, { FFMPEG_PATH: ffmpeg.command })
    await receiveNotes(1)
    const pid = await eventually(() => ffmpeg.pid())
    const exited = once(replicas[0]!, 'exit')
    process.kill(-replicas[0]!.pid!, 'SIGTERM')
    // A supervisor signals every live process of the service, in any process group.
    spawnSync('kill', ['-TERM', String(pid)])
    await exited
    await eventually(() => !isAlive(pid!))
    await ffmpeg.release()
    startReplicas(1, { FFMPEG_PATH: ffmpeg.command })
    await allCompleted()
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'when a process ends by %s, then ffmpeg and engines end too, and the next one clears up',
    async signal => {
      const ffmpeg = await heldFfmpeg()
      startReplicas(1, { FFMPEG_PATH: ffmpeg.command })
      await receiveNotes(1)
      const pid = await eventually(() => ffmpeg.pid())
      const exited = once(replicas[0]!, 'exit')
      replicas[0]!.kill(signal)
      await eventually(() => !isAlive(pid!))
      await exited

      await ffmpeg.release()
      await sphinx.hold()
      startReplicas(1)
      const engine = await eventually(async () => (await sphinx.pids())[0])
      // Only the new process's folder is left.
      await eventually(async () => (await readdir(temporary)).length === 1)
      replicas[1]!.kill(signal)
      await eventually(() => !isAlive(engine!))
    },
  )
})
