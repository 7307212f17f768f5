import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type EventOf, flow, MediaReceived, QuotaReserved } from '@voxscribe/contracts/events'
import { type Bus, connectRabbitBus } from '@voxscribe/messaging'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { openBlobs } from '@voxscribe/service'
import { eventually, silentLog, startTestBackings, type TestBackings } from '@voxscribe/service/testing'
import { fakeSphinx, SOURCE, temporaryFolder, tone } from './testing.ts'

const NOTES = 40
const AT_ONCE = 4

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('replicas, each a process, on RabbitMQ (skipped where it is not installed)', () => {
  let folder: string
  let backings: TestBackings
  let bus: Bus
  let sphinx: Awaited<ReturnType<typeof fakeSphinx>>
  let replicas: ChildProcess[] = []
  let completed: EventOf<'TranscriptionCompleted'>[] = []

  beforeAll(async () => {
    folder = await temporaryFolder()
    bus = await connectRabbitBus({ url: rabbit!.url, topology: flow, log: silentLog })
    // The worst relay and the worst broker: everything comes twice.
    const twice = async (event: EventOf<'QuotaReserved' | 'MediaReceived'>) => {
      await Promise.all([bus.publish(event), bus.publish(event)])
    }
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
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    backings = await startTestBackings()
    sphinx = await fakeSphinx(folder)
    await rm(join(folder, 'fake-runs'), { force: true })
    completed = []
  })
  afterEach(async () => {
    for (const replica of replicas) replica.kill('SIGKILL')
    await sphinx.release()
    await backings.stop()
  })

  function startReplicas(count: number) {
    const env = {
      ...process.env,
      ...backings.env,
      RABBITMQ_URL: rabbit!.url,
      DATA_DIR: folder,
      SPEECH_ENGINE: 'sphinx',
      SPHINX_COMMAND: sphinx.command,
      TRANSCRIPTION_CONCURRENCY: `${AT_ONCE}`,
      NOTE_LEASE: '5s',
    }
    const main = join(import.meta.dirname, 'main.ts')
    replicas = Array.from({ length: count }, () => spawn(process.execPath, [main], { env, stdio: 'ignore' }))
  }

  async function receiveNotes() {
    const path = await tone(join(folder, 'note.ogg'))
    const { size: bytes } = await stat(path)
    const blobs = openBlobs({ DATA_DIR: folder, S3_REGION: 'us-east-1' })
    for (let note = 0; note < NOTES; note++) {
      const mediaId = crypto.randomUUID()
      const objectKey = `media/2026/11/${mediaId}`
      await blobs.putFile(objectKey, path, bytes)
      const event = MediaReceived.create({
        mediaId,
        userId: 'u1',
        objectKey,
        mime: 'audio/ogg',
        bytes,
        sha256: '0'.repeat(64),
        fileName: 'note.ogg',
        language: 'auto',
        source: SOURCE,
      })
      await Promise.all([bus.publish(event), bus.publish(event)])
    }
  }

  const allCompleted = () =>
    eventually(() => new Set(completed.map(({ data }) => data.transcriptionId)).size === NOTES)

  test.each([2, 3])('when %d of them share 40 notes, then the engine is called 40 times', async count => {
    startReplicas(count)
    await receiveNotes()
    await allCompleted()
    expect(await sphinx.runs()).toBe(NOTES)
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
})
