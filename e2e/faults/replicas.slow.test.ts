import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as pass } from 'node:timers/promises'
import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type Line, type RabbitServer, startProxy, startRabbitServer } from '@voxscribe/messaging/testing'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { eventually } from '../testing/eventually.ts'
import { type Person, signUp } from '../testing/person.ts'
import { startProcesses } from '../testing/processes.ts'
import { fileWith, voiceNote } from '../testing/speech.ts'
import type { Env, System } from '../testing/system.ts'

const NOTES = 40
/** Notes that one process works on at a time. */
const AT_ONCE = 2
const AWAY_MS = 20_000
const MEANWHILE = 100

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('when several processes of transcription share the work', () => {
  let mongo: EmbeddedMongo
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let system: System
  let broker: Line
  beforeAll(async () => {
    broker = await startProxy(rabbit!.url)
  })
  afterAll(() => broker?.close())
  afterEach(async () => {
    await system?.remove()
    await engine?.stop()
    await mongo?.stop()
  })

  async function start(transcriptions: number, given: Env = {}) {
    mongo = await startEmbeddedMongo({ path: ':memory:' })
    engine = await startCountingEngine(500)
    const env = { ...engine.settings, TRANSCRIPTION_CONCURRENCY: String(AT_ONCE), ...given }
    system = await startProcesses({ MONGO_URL: mongo.url, RABBITMQ_URL: broker.url }, { env, transcriptions })
    return signUp(system)
  }

  async function startWithNotes(...given: Parameters<typeof start>) {
    const person = await start(...given)
    await sendNotes(person, NOTES)
    return person
  }

  async function sendNotes(person: Person, count: number): Promise<void> {
    const speech = await readFile(await voiceNote())
    // Bytes after the sound make it another file.
    for (let index = 0; index < count; index += 1) {
      const note = fileWith(`note-${index}.ogg`, Buffer.concat([speech, Buffer.from(`${index}`)]))
      await person.sendNote(note, { voice: true })
    }
  }

  test(`three of them, then ${NOTES} notes are ${NOTES} calls of the engine and ${NOTES} answers`, async () => {
    const person = await startWithNotes(3)
    const notes = await person.ended(NOTES)
    expect(notes.map(({ status }) => status)).toEqual(Array(NOTES).fill('completed'))
    expect(await person.replies(NOTES)).toHaveLength(NOTES)
    expect(engine.calls()).toBe(NOTES)
  })

  test('and one is killed, then each note in its hands costs one more call at most', async () => {
    // With two processes, none is left after the kill that could take a note from a living one.
    const person = await startWithNotes(2, { NOTE_LEASE: '6s' })
    const victim = system.process('transcription-2')
    await eventually('the engine is at work', async () => engine.calls() >= 8)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    const notes = await person.ended(NOTES)
    expect(notes.map(({ status }) => status)).toEqual(Array(NOTES).fill('completed'))
    expect(await person.replies(NOTES)).toHaveLength(NOTES)
    expect(engine.calls()).toBeGreaterThanOrEqual(NOTES)
    expect(engine.calls()).toBeLessThanOrEqual(NOTES + AT_ONCE)
  })

  test(`and the broker is away for ${AWAY_MS / 1_000} s while ${MEANWHILE} notes come, then each is one call and one answer`, async () => {
    const person = await start(2, { TRANSCRIPTION_CONCURRENCY: '8' })
    const isBack = pass(AWAY_MS).then(() => broker.comeBack())
    broker.goAway()
    await sendNotes(person, MEANWHILE)
    await isBack
    const notes = await person.ended(MEANWHILE)
    expect(notes.map(({ status }) => status)).toEqual(Array(MEANWHILE).fill('completed'))
    expect(await person.replies(MEANWHILE)).toHaveLength(MEANWHILE)
    expect(engine.calls()).toBe(MEANWHILE)
  })
})
