import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { startCountingEngine } from '../../e2e/testing/counting-engine.ts'
import { signUp } from '../../e2e/testing/person.ts'
import { startProcesses } from '../../e2e/testing/processes.ts'
import { speechOf } from '../../e2e/testing/speech.ts'
import { freePorts } from '../../e2e/testing/system.ts'
import { sendNote, startGraph } from '../outside.ts'
import type { Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

/** So many notes of another person are in line. */
const BEFORE = 20
const ENGINE_MS = 500
/** The engine's time and the reading of the audio, which a note of the other person takes before a turn comes. */
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

/** Sockets are kept open for as many notes as came at once: before and after, these are the same. */
const ROUND = 25
const WARM = 4 * ROUND
const NOTES = 8 * ROUND

/** Bytes of the heap that are in use after a collection, by the debugger's protocol. */
async function heapAt(port: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise(resolve => socket.addEventListener('open', resolve))
  let id = 0
  const call = (method: string, params = {}) =>
    new Promise<{ result: { result: { value: number } } }>(resolve => {
      const mine = ++id
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data))
        if (answer.id === mine) resolve(answer)
      })
      socket.send(JSON.stringify({ id: mine, method, params }))
    })
  await call('HeapProfiler.collectGarbage')
  const { result } = await call('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })
  socket.close()
  return result.result.value
}

async function memoryOfNotes(): Promise<number[]> {
  const [port] = await freePorts(1)
  const bench = await startBench({
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port} --max-semi-space-size=2` },
  })
  try {
    const send = async (notes: number) => {
      for (let sent = 0; sent < notes; sent += ROUND) {
        const { number } = await bench.personFor(ROUND)
        await times(ROUND, () => bench.note(number))
      }
    }
    await send(WARM)
    const before = await heapAt(port!)
    await send(NOTES)
    return [((await heapAt(port!)) - before) / NOTES]
  } finally {
    await bench.close()
  }
}

const IN_LINE = 16
/** Long enough that four processes wait for it, and not for the two cores that all of the system shares. */
const SLOW_ENGINE_MS = 2_000
const AT_ONCE = 2

/**
 * The system with so many processes of transcription; measures the notes a second that they take together while all of
 * them have work: from the answer to the last note of the first ones at once until the last answer.
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
    TRANSCRIPTION_CONCURRENCY: `${AT_ONCE}`,
    LOG_LEVEL: 'warn',
  }
  const backings = { MONGO_URL: mongo.url, RABBITMQ_URL: broker.url }
  const system = await startProcesses(backings, { env, transcriptions })
  const { number } = await signUp(system)
  const file = await readFile(await speechOf(3, 'replicas.ogg'))
  const note = async () => graph.answered(await sendNote(system.appUrl, number, graph.keep(file)))
  await note()
  return {
    system,
    broker,

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

export const manyNotesRows: Row[] = [
  {
    name: 'fairness',
    title: `One note behind another person's ${BEFORE}, engine of ${ENGINE_MS} ms`,
    baseline: 'the same note alone',
    figures: [
      {
        name: 'one note',
        unit: 'ms',
        before: '35 s',
        goal: { addedAtMost: 1.1 * JOB_MS },
        inTheWay:
          "On the timeline of a round of + 767 ms, the other person's first two notes take both slots 100 ms before this note is measured, and a job that runs is not broken off: 528 ms. The downloads and the decoding of the 20 on the same two cores make these jobs begin 123 ms later and its own call and answer take 87 ms longer; a slot changes hands in 29 ms. This note is ready 400 ms before a slot is free: to be earlier in the lines before that one would gain nothing.",
      },
    ],
    seconds: 50,
    open: openFairness,
  },
  {
    name: 'memory',
    title: `Memory that a note leaves behind, over ${NOTES} notes`,
    baseline: 'none',
    figures: [{ name: 'heap after a collection', unit: 'B', before: 'not known', goal: { atMost: 1_000 } }],
    times: 1,
    seconds: 40,
    open: async () => ({ ours: memoryOfNotes, close: async () => {} }),
  },
  {
    name: 'replicas',
    title: `Two processes of transcription, engine of ${SLOW_ENGINE_MS / 1000} s`,
    baseline: 'the same system with one, on RabbitMQ',
    figures: [
      {
        name: 'notes',
        unit: '/s',
        before: 'not known',
        goal: { ratioAtLeast: 1.9 },
        inTheWay: 'Both processes, the other services, the broker and the database share two cores.',
      },
    ],
    seconds: 240,
    open: openReplicas,
  },
]
