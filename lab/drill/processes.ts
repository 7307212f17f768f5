import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@voxscribe/e2e/testing/eventually.ts'
import { launch, type Program, running } from '@voxscribe/e2e/testing/system.ts'
import axios from 'axios'

export interface Exit {
  pid: number
  /** Milliseconds since 1970. */
  at: number
  signal: NodeJS.Signals | null
  isAsked: boolean
  /** Ended by SIGTERM, but killed by its own time limit or ours. */
  isLate: boolean
}

export interface Supervised {
  name: string
  untilReady(): Promise<void>
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>
  /** Signals the process; false when it is not running. */
  signal(signal: NodeJS.Signals): boolean
  /** Ends the process or its whole group, and waits until it is back. Returns false if it was not running. */
  restart(signal: NodeJS.Signals, options: { group?: boolean; awayMs: number }): Promise<boolean>
  exits: readonly Exit[]
  end(): Promise<void>
}

/** Restart delay after an unasked exit. */
const AWAY_MS = 1_000
/** Longer than a process's own limit: all start at once, perhaps on a busy machine. */
const END_WITHIN_MS = 12_000

async function answers({ ready }: Program) {
  await axios.get(ready, { timeout: 2_000 })
}

/** Starts a program and restarts it whenever it ends. `isReady` rejects until the program is ready. */
export function supervise(program: Program, logs: string, isReady = answers): Supervised {
  let child: ChildProcess
  let awayMs = AWAY_MS
  let isAsked = false
  let isOver = false
  const exits: Exit[] = []
  let back: Promise<void> = Promise.resolve()

  function start() {
    const output = openSync(join(logs, `${program.name}.log`), 'a')
    child = launch(program, output)
    closeSync(output)
    child.once('exit', (code, signal) => {
      const wasAsked = isAsked || isOver
      const isLate = wasAsked && (code === 1 || (isOver && signal === 'SIGKILL'))
      exits.push({ pid: child.pid!, at: Date.now(), signal, isAsked: wasAsked, isLate })
      if (isOver) return
      back = wait(awayMs).then(() => {
        awayMs = AWAY_MS
        isAsked = false
        if (!isOver) start()
      })
    })
  }
  start()
  const untilReady = () => eventually(`${program.name} is ready`, () => isReady(program))
  return {
    name: program.name,
    untilReady,
    metrics: async () =>
      (await axios.get<string>(program.ready.replace('readyz', 'metrics'), { timeout: 5_000 })).data,
    signal: signal => running(child) && child.kill(signal),
    async restart(signal, { group = false, awayMs: away }) {
      if (!running(child)) return false
      isAsked = true
      awayMs = away
      const ended = once(child, 'exit')
      if (group) process.kill(-child.pid!, signal)
      else child.kill(signal)
      await ended
      await back
      // If it never becomes ready, the final comparison shows that.
      await untilReady().catch(() => {})
      return true
    },
    exits,
    async end() {
      isOver = true
      await back
      if (!running(child)) return
      const ended = once(child, 'exit')
      // A stopped process handles no other signal.
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
      await ended
      clearTimeout(late)
    },
  }
}
