import { SERVICES } from '@voxscribe/contracts/events'
import { lastRelease } from '@voxscribe/contracts/testing/last-release'
import { type EmbeddedMongo, startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import axios from 'axios'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { signUp } from '../testing/person.ts'
import { startProcesses } from '../testing/processes.ts'
import type { System } from '../testing/system.ts'
import { sendNotes, tally } from '../testing/tally.ts'

const NOTES = 40

const [rabbit, previous] = [await startRabbitServer(), await lastRelease()]
const side = rabbit && previous ? test : test.skip

let mongo: EmbeddedMongo | undefined
let engine: Awaited<ReturnType<typeof startCountingEngine>> | undefined
let system: System | undefined
afterEach(async () => {
  await system?.remove()
  await engine?.stop()
  await mongo?.stop()
})
afterAll(async () => {
  await rabbit?.stop()
  await previous?.remove()
})

/** Returns the notes whose files this process of ingestion has fetched. */
async function downloadsOf(metricsUrl: string): Promise<number> {
  const { data } = await axios.get<string>(metricsUrl)
  const handled =
    /^bus_message_duration_seconds_count\{[^}]*queue="ingestion\.media-announced"[^}]*\} (\d+)$/m
  return Number(handled.exec(data)?.[1] ?? 0)
}

side(
  `this release beside ${previous?.commit.slice(0, 8) ?? 'the previous one (skipped: git has no history here)'}, one process of each service, over the same database and broker: ${NOTES} notes are one call and one answer each`,
  async () => {
    mongo = await startEmbeddedMongo({ path: ':memory:' })
    engine = await startCountingEngine(500)
    system = await startProcesses(
      { MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url },
      {
        env: { ...engine.settings },
        replicas: Object.fromEntries(SERVICES.map(service => [service, 2])),
        others: { root: previous!.root },
      },
    )
    const people = [await signUp(system), await signUp(system)]
    const sent = await sendNotes(people, NOTES)
    expect(await tally(people, sent, rabbit!)).toEqual({ texts: NOTES, lost: 0, doubled: 0, stuck: 0 })
    expect(engine.calls()).toBe(NOTES)
    for (const url of system.ingestionMetricsUrls) expect(await downloadsOf(url)).toBeGreaterThan(NOTES / 10)
  },
)
