import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { eventually } from './testing/eventually.ts'
import { signUp } from './testing/person.ts'
import { startProcesses } from './testing/processes.ts'
import { speechOf } from './testing/speech.ts'
import { ROOT } from './testing/system.ts'

/** Real models, which aren't in the repository: `silero-vad` and `whisper-tiny.en`. */
const MODEL_DIR = join(ROOT, '../shared/models')
const mongo = await startEmbeddedMongo({ path: ':memory:' })
const rabbit = await startRabbitServer()
afterAll(() => Promise.all([rabbit?.stop(), mongo.stop()]))

const withModel = rabbit && existsSync(MODEL_DIR) ? test : test.skip
withModel(
  'when the worker of the local engine is killed twice, then the note is transcribed anyway',
  async () => {
    const system = await startProcesses(
      { MONGO_URL: mongo.url, RABBITMQ_URL: rabbit!.url },
      { env: { SPEECH_ENGINE: 'local', MODEL_DIR } },
    )
    try {
      const person = await signUp(system)
      // The note is one piece, so both kills hit the same task.
      await person.upload(await speechOf(20, 'killed.ogg'))
      const { pid } = system.process('transcription')
      const killed = new Set<number>()
      /** Kills a worker with a loaded model: a guard's child that uses more memory than the detector. */
      async function kill() {
        const table = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' })
        const rows = table.split('\n').map(row => row.trim().split(/\s+/).map(Number))
        const parents = new Map(rows.map(([child, parent]) => [child, parent]))
        const [worker] = rows.find(
          ([child, guard, kilobytes = 0]) =>
            kilobytes > 200_000 && parents.get(guard) === pid && !killed.has(child!),
        )!
        process.kill(worker!, 'SIGKILL')
        killed.add(worker!)
      }
      for (let time = 0; time < 2; time++) await eventually('a worker hears', kill)
      expect(await person.ended(1)).toMatchObject([{ status: 'completed', error: null }])
    } finally {
      await system.remove()
    }
  },
)
