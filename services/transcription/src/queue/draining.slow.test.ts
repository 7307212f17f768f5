import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type EventOf, flow, QuotaReserved } from '@voxscribe/contracts/events'
import type { Bus } from '@voxscribe/messaging'
import { connectRabbitBus } from '@voxscribe/messaging/rabbit'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { openBlobs } from '@voxscribe/service'
import { eventually, silentLog, startTestBackings, type TestBackings } from '@voxscribe/service/testing'
import { type Answer, QUICK_FFMPEG, startOpenAiFake, temporaryFolder, tone } from '@voxscribe/speech/testing'
import { received } from '../testing.ts'

const AT_ONCE = 8
const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('a process that is told to stop, beside another (skipped without RabbitMQ)', () => {
  let folder: string
  let backings: TestBackings
  let bus: Bus
  let openAi: Awaited<ReturnType<typeof startOpenAiFake>>
  let replicas: ChildProcess[] = []
  let isHeld = true
  let held: ((answer: Answer) => void)[] = []
  const completed: EventOf<'TranscriptionCompleted'>[] = []

  beforeAll(async () => {
    folder = await temporaryFolder()
    backings = await startTestBackings()
    bus = await connectRabbitBus({ url: rabbit!.url, topology: flow, log: silentLog })
    await bus.subscribe({
      service: 'billing',
      event: flow.MediaNormalised.event,
      handle: async event => {
        const cause = event as EventOf<'MediaNormalised'>
        await bus.publish(QuotaReserved.causedBy(cause, { ...cause.data, remainingSeconds: 9_000 }))
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
    await backings?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    isHeld = true
    held = []
    const heard = { body: { text: 'hello world' } }
    openAi = await startOpenAiFake(() => (isHeld ? new Promise(resolve => held.push(resolve)) : heard))
  })
  afterEach(async () => {
    for (const replica of replicas) replica.kill('SIGKILL')
    replicas = []
    await openAi.stop()
  })

  function start(given: Record<string, string> = {}) {
    const env = {
      ...process.env,
      ...backings.env,
      RABBITMQ_URL: rabbit!.url,
      DATA_DIR: folder,
      FFMPEG_PATH: QUICK_FFMPEG,
      SPEECH_ENGINE: 'openai',
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: openAi.baseUrl,
      TRANSCRIPTION_CONCURRENCY: `${AT_ONCE}`,
      NOTE_LEASE: '60s',
      ...given,
    }
    const main = join(import.meta.dirname, '../main.ts')
    const replica = spawn(process.execPath, [main], { env, stdio: 'ignore' })
    replicas.push(replica)
    return replica
  }

  async function receive(count: number, seconds = 2): Promise<string[]> {
    const path = await tone(join(folder, `note-${seconds}.ogg`), seconds)
    const { size: bytes } = await stat(path)
    const blobs = openBlobs({ DATA_DIR: folder, S3_REGION: 'us-east-1' })
    const ids: string[] = []
    for (let note = 0; note < count; note++) {
      const event = received({ bytes })
      await blobs.putFile(event.data.objectKey, path, bytes)
      await bus.publish(event)
      ids.push(event.data.mediaId)
    }
    return ids
  }
  const keys = () => openAi.received.map(({ headers }) => headers['idempotency-key'])
  const areCompleted = (ids: string[]) =>
    eventually(() => ids.every(id => completed.some(({ data }) => data.transcriptionId === id)))
  function answer() {
    isHeld = false
    for (const resolve of held) resolve({ body: { text: 'hello world' } })
  }

  test('when it has 8 calls in hand, then each ends there, what comes goes to the other, and none is paid twice', async () => {
    const first = start()
    const inHand = await receive(AT_ONCE)
    await eventually(() => held.length === AT_ONCE)
    const exited = once(first, 'exit')
    first.kill('SIGTERM')
    start()
    const later = await receive(3)
    // The other process serves while the first one still waits for its calls.
    await eventually(() => held.length === AT_ONCE + later.length)
    expect(first.exitCode).toBeNull()
    answer()
    expect(await exited).toEqual([0, null])
    await areCompleted([...inHand, ...later])
    expect(keys()).toHaveLength(AT_ONCE + later.length)
    expect(new Set(keys()).size).toBe(AT_ONCE + later.length)
  })

  test('when a long note has parts, then those that are paid are kept, and the other goes on behind them', async () => {
    const first = start()
    const [long = ''] = await receive(1, 600)
    await eventually(() => held.length > 0)
    const begun = held.length
    const exited = once(first, 'exit')
    first.kill('SIGTERM')
    start()
    answer()
    expect(await exited).toEqual([0, null])
    await areCompleted([long])
    expect(keys().length).toBeGreaterThan(begun)
    expect(new Set(keys()).size).toBe(keys().length)
  })

  test('when calls last longer than the time for draining, then their notes go to the other', async () => {
    const first = start({ DRAIN_TIMEOUT: '100ms' })
    const ids = await receive(2)
    await eventually(() => held.length === ids.length)
    const exited = once(first, 'exit')
    first.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    isHeld = false
    start()
    await areCompleted(ids)
    expect(keys()).toHaveLength(2 * ids.length)
  })
})
