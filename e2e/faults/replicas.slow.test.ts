import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import { shiftedClock, startProcesses } from '../testing/processes.ts'
import type { Env, System } from '../testing/system.ts'
import { sendNotes } from '../testing/tally.ts'

const NOTES = 20
/** Notes that one process works on at a time. */
const AT_ONCE = 2
/** Maximum difference of clocks. */
const AHEAD_MS = 5_000
/** Meanwhile, each process looks several times for what is due. */
const SWEPT_MS = 4_000

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? describe : describe.skip
afterAll(() => rabbit?.stop())

onRabbit('when several processes of transcription share the work', () => {
  let mongo: EmbeddedMongo
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let system: System
  afterEach(async () => {
    await system?.remove()
    await engine?.stop()
    await mongo?.stop()
  })

  // Without a death, each note is one call and one answer: two-of-all.slow.test.ts.
  async function start(given: Env, others: Env = {}) {
    mongo = await startEmbeddedMongo({ path: ':memory:' })
    engine = await startCountingEngine(500)
    const concurrency = { TRANSCRIPTION_CONCURRENCY: String(AT_ONCE) }
    const env = { ...engine.settings, ...concurrency, ...given }
    const backings = { MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url }
    const replicas = { transcription: 2 }
    system = await startProcesses(backings, { env, replicas, others: { env: others } })
    return signUp(system)
  }

  test('and one is killed, then each note that it held costs one more call at most', async () => {
    // With two processes, none is left after the kill that could take a note from a living one.
    const person = await start({ NOTE_LEASE: '6s' })
    await sendNotes([person], NOTES)
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

  test('and the clock of one is 5 s ahead, then a deletion by either process can be undone', async () => {
    const person = await start({ SWEEP_EVERY: '1s' }, shiftedClock(AHEAD_MS))
    const answers = []
    for (const note of await sendNotes([person], 2)) answers.push(await person.replyTo({ id: note }))
    const said = async (words: RegExp) =>
      (await person.messages()).filter(({ direction, text }) => direction === 'in' && words.test(text ?? ''))
    for (const { id } of answers) await person.sendText('delete', id)
    await eventually('both are deleted', async () => (await said(/^Deleted/)).length === 2)
    await pass(SWEPT_MS)
    for (const time of [1, 2]) {
      await person.sendText('undo')
      await eventually('it is answered', async () => (await said(/bring back|is back/)).length === time)
    }
    expect((await person.transcriptions()).transcriptions).toHaveLength(2)
  })
})
