import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { startCountingEngine } from '../../../e2e/testing/counting-engine.ts'
import { signUp } from '../../../e2e/testing/person.ts'
import { startProcesses } from '../../../e2e/testing/processes.ts'
import { speechOf } from '../../../e2e/testing/speech.ts'
import { MACHINES_FFMPEG } from '../../../e2e/testing/system.ts'
import { sendNote, startGraph } from '../outside.ts'
import type { Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

/** Waiting notes of another person. */
const BEFORE = 20
const ENGINE_MS = 500
/** Time for the engine and for decoding of one note of the other person. */
const JOB_MS = ENGINE_MS + 100

async function openFairness() {
  const bench = await startBench({ engineMs: ENGINE_MS })
  const quick = await signUp(bench.system)
  const one = async () => [await millisecondsOf(() => bench.note(quick.number))]
  await bench.note(quick.number)
  return {
    async ours() {
      const { number } = await bench.personFor(BEFORE)
      const sent = await times(BEFORE, () =>
        sendNote(bench.system.appUrl, number, bench.graph.keep(bench.file)),
      )
      const took = await one()
      await Promise.all(sent.map(bench.graph.answered))
      return took
    },
    plain: one,
    close: bench.close,
  }
}

const IN_LINE = 16
/** Long enough for four processes to wait for it rather than for the two shared cores. */
const SLOW_ENGINE_MS = 2_000
const AT_ONCE = 2

/**
 * Starts the system with `transcriptions` processes of transcription on RabbitMQ. `measure` returns notes per second
 * while all of them are busy: from the last answer of the first batch to the last answer.
 */
export async function startReplicas(transcriptions: number, notes = IN_LINE) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-replicas-'))
  const broker = await startRabbitServer()
  if (!broker) throw new Error('RabbitMQ is not here: install rabbitmq-server')
  const mongo = await startEmbeddedMongo({ path: folder })
  const [graph, engine] = [await startGraph(), await startCountingEngine(SLOW_ENGINE_MS)]
  const env = {
    ...graph.settings,
    ...engine.settings,
    ...MACHINES_FFMPEG,
    TRANSCRIPTION_CONCURRENCY: `${AT_ONCE}`,
    LOG_LEVEL: 'warn',
  }
  const backings = { MONGO_URL: mongo.url, RABBITMQ_URL: broker.url }
  const system = await startProcesses(backings, { env, replicas: { transcription: transcriptions } })
  const { number } = await signUp(system)
  const file = await readFile(await speechOf(3, 'replicas.ogg'))
  const note = async () => graph.answered(await sendNote(system.appUrl, number, graph.keep(file)))
  await note()
  return {
    system,
    async measure() {
      const answeredAt: number[] = []
      await times(notes, async () => {
        await note()
        answeredAt.push(performance.now())
      })
      const first = transcriptions * AT_ONCE
      return [(1000 * (notes - first)) / (answeredAt.at(-1)! - answeredAt[first - 1]!)]
    },
    async close() {
      await system.remove()
      await Promise.all([engine.stop(), graph.stop(), mongo.stop()])
      await broker.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openReplicas() {
  const [one, two] = [await startReplicas(1), await startReplicas(2)]
  return {
    ours: two.measure,
    plain: one.measure,
    async close() {
      await one.close()
      await two.close()
    },
  }
}

export const MANY_NOTES_ROWS: Row[] = [
  {
    name: 'fairness',
    title: `One note behind another person's ${BEFORE}, engine of ${ENGINE_MS} ms`,
    baseline: 'the same note alone',
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { addedAtMost: 1.1 * JOB_MS } }],
    inTheWay:
      "The other person's first two notes take both slots 100 ms before this note is measured, and a running job is not interrupted: 528 ms. Downloads and decoding of the 20 on the same cores add 123 ms to these jobs and 87 ms to this note's own call; a slot changes hands in 29 ms.",
    seconds: 50,
    open: openFairness,
  },
  {
    name: 'replicas',
    title: `Two processes of transcription, engine of ${SLOW_ENGINE_MS / 1000} s`,
    baseline: 'the same system with one, on RabbitMQ',
    figures: [{ name: 'notes', unit: '/s', goal: { ratioAtLeast: 1.9 } }],
    inTheWay: 'Both processes, the other services, the broker and the database share two cores.',
    seconds: 240,
    open: openReplicas,
  },
]
