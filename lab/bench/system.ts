import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCountingEngine } from '../../e2e/testing/counting-engine.ts'
import { startOneProcess } from '../../e2e/testing/one-process.ts'
import { type Person, signUp } from '../../e2e/testing/person.ts'
import { speechOf } from '../../e2e/testing/speech.ts'
import { type Env, MACHINES_FFMPEG } from '../../e2e/testing/system.ts'
import { sendNote, startGraph } from './outside.ts'
import { cpuIn } from './processes.ts'

const run = promisify(execFile)
const NOTE_SH = join(import.meta.dirname, 'plain/note.sh')
/** A free account has 30 minutes; what is left over covers rounding. */
const SECONDS_OF_A_PERSON = 1700

/** The system in one process with WhatsApp and an engine of fixed delay outside of it, and the script beside it. */
export async function startBench({ engineMs = 0, noteSeconds = 3, env = {} as Env } = {}) {
  const [graph, engine] = [await startGraph(), await startCountingEngine(engineMs)]
  const system = await startOneProcess({
    ...graph.settings,
    ...engine.settings,
    ...MACHINES_FFMPEG,
    LOG_LEVEL: 'warn',
    ...env,
  })
  const file = await readFile(await speechOf(noteSeconds, `bench-${noteSeconds}.ogg`))
  const engineUrl = engine.settings.OPENAI_BASE_URL
  let person: Person | undefined
  let left = 0

  /** Returns a person with minutes for `notes`; call it before the clock runs. */
  async function personFor(notes: number): Promise<Person> {
    if (!person || left < notes * noteSeconds) {
      person = await signUp(system)
      left = SECONDS_OF_A_PERSON
    }
    left -= notes * noteSeconds
    return person
  }

  return {
    system,
    graph,
    file,
    personFor,
    pid: system.process('voxscribe').pid!,
    /** Sends a note and waits for its answer. */
    async note(number: string): Promise<void> {
      const messageId = await sendNote(system.appUrl, number, graph.keep(file))
      await graph.answered(messageId)
    },
    /** Runs the script for `notes`, `atOnce` in parallel; returns its processor seconds. */
    async plain(notes: number, atOnce = 1): Promise<number> {
      const ids = Array.from({ length: notes }, () => graph.keep(file))
      const line = `printf '%s\\n' ${ids.join(' ')} | xargs -P${atOnce} -n1 sh ${NOTE_SH} ${graph.url} ${engineUrl}`
      const { stdout } = await run('sh', ['-c', `${line}; cat /proc/$$/stat`])
      return cpuIn(stdout)
    },
    async close() {
      await system.remove()
      await engine.stop()
      await graph.stop()
    },
  }
}

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
