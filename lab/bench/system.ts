import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCountingEngine } from '../../e2e/testing/counting-engine.ts'
import { startOneProcess } from '../../e2e/testing/one-process.ts'
import { type Person, signUp } from '../../e2e/testing/person.ts'
import { speechOf } from '../../e2e/testing/speech.ts'
import { type Env, MACHINES_FFMPEG } from '../../e2e/testing/system.ts'
import { sendNote, startGraph } from './outside.ts'

/** A free account has 30 minutes; the rest covers rounding. */
const SECONDS_OF_A_PERSON = 1700

/** Starts a program in `plain/` that prints its port, and returns its address. */
export async function startPlain(name: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'plain', name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${Number(port)}`, pid: child.pid!, stop: () => child.kill() }
}

/**
 * Starts the system in one process, with WhatsApp and an engine of fixed delay outside of it, and the plain program,
 * which converts a note to Opus for the engine or sends it unchanged.
 */
export async function startBench({
  engineMs = 0,
  noteSeconds = 3,
  env = {} as Env,
  form = 'opus' as 'opus' | 'as-is',
} = {}) {
  const [graph, engine] = [await startGraph(), await startCountingEngine(engineMs)]
  const system = await startOneProcess({
    ...graph.settings,
    ...engine.settings,
    ...MACHINES_FFMPEG,
    LOG_LEVEL: 'warn',
    ...env,
  })
  const file = await readFile(await speechOf(noteSeconds, `bench-${noteSeconds}.ogg`))
  const plain = await startPlain(
    'note.ts',
    graph.url,
    engine.settings.OPENAI_BASE_URL,
    graph.settings.WHATSAPP_APP_SECRET,
    form,
  )
  let person: Person | undefined
  let left = 0

  /** Returns a person with minutes for `notes`. Call it before the clock runs. */
  async function personFor(notes: number): Promise<Person> {
    if (!person || left < notes * noteSeconds) {
      person = await signUp(system)
      left = SECONDS_OF_A_PERSON
    }
    left -= notes * noteSeconds
    return person
  }

  async function noteTo(appUrl: string, number: string): Promise<void> {
    await graph.answered(await sendNote(appUrl, number, graph.keep(file)))
  }

  return {
    system,
    graph,
    file,
    personFor,
    pid: system.process('voxscribe').pid!,
    plainPid: plain.pid,
    /** Sends a note and waits for its answer. */
    note: (number: string) => noteTo(system.appUrl, number),
    /** Sends a note to the plain program and waits for its answer. */
    plainNote: () => noteTo(plain.url, '15550100'),
    async close() {
      plain.stop()
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
