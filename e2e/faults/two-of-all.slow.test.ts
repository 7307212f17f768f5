import { setTimeout as pass } from 'node:timers/promises'
import { SERVICES } from '@voxscribe/contracts/events'
import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import { shiftedClock, startProcesses } from '../testing/processes.ts'
import { repeatEvents } from '../testing/repeated-events.ts'
import type { System } from '../testing/system.ts'
import { sendNotes, tally } from '../testing/tally.ts'

/** Notes sent while the broker is away, and while processes are restarted. */
const [NOTES, LATER] = [80, 20]
/** Concurrent calls of one process to the engine. */
const AT_ONCE = 8
const LONG_CALL_MS = 2_000
const AWAY_MS = 60_000
const AHEAD_MS = 5_000

const rabbit: RabbitServer | null = await startRabbitServer()
const onRabbit = rabbit ? test : test.skip

let mongo: EmbeddedMongo | undefined
let engine: Awaited<ReturnType<typeof startCountingEngine>> | undefined
let system: System | undefined
afterEach(async () => {
  await system?.remove()
  await engine?.stop()
  await mongo?.stop()
  await rabbit?.stop()
})

onRabbit(
  `two processes of each service, one of them 5 s ahead: ${NOTES} notes come while the broker is killed and ${AWAY_MS / 1_000} s away, others while each process is stopped and started, webhooks and events come twice: each note is one call, one charge and one answer`,
  async () => {
    mongo = await startEmbeddedMongo({ path: ':memory:' })
    engine = await startCountingEngine(LONG_CALL_MS)
    system = await startProcesses(
      { MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url },
      {
        env: { ...engine.settings, TRANSCRIPTION_CONCURRENCY: String(AT_ONCE) },
        replicas: Object.fromEntries(SERVICES.map(service => [service, 2])),
        others: { env: shiftedClock(AHEAD_MS) },
      },
    )
    const people = [await signUp(system), await signUp(system), await signUp(system), await signUp(system)]

    // From now on, its queue exists.
    await repeatEvents(rabbit!.url)
    const release = engine.hold()
    await rabbit!.kill()
    const isLongEnough = pass(AWAY_MS)
    const sent = await sendNotes(people, NOTES)
    await isLongEnough
    await rabbit!.restart()
    const repeated = await repeatEvents(rabbit!.url)

    // Neither process takes more than its share, so together they hold all notes when the first is stopped.
    await eventually('calls are in hand', async () => engine!.calls() === 2 * AT_ONCE)
    const later = sendNotes(people, LATER, 2)
    const stopped = system.restart('transcription')
    await pass(1_000)
    release()
    expect(await stopped).toBe(0)
    for (const name of SERVICES.flatMap(service => [`${service}-2`, service])) {
      if (name !== 'transcription') expect([name, await system.restart(name)]).toEqual([name, 0])
    }
    sent.push(...(await later))

    const all = NOTES + LATER
    expect(await tally(people, sent, rabbit!)).toEqual({ texts: all, lost: 0, doubled: 0, stuck: 0 })
    expect(engine.calls()).toBe(all)
    // Half of the events of each note: announced, received, normalized, reserved, completed and answered.
    expect(repeated.copies()).toBeGreaterThanOrEqual(3 * all)
    await repeated.stop()
  },
)
