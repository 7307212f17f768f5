import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import axios from 'axios'
import { eventually } from '../testing/eventually.ts'
import { launch, type Program, running } from '../testing/system.ts'

/** An end of a process. */
export interface Exit {
  pid: number
  /** Milliseconds since 1970. */
  at: number
  signal: NodeJS.Signals | null
  isAsked: boolean
  /** It was asked by SIGTERM, and was cut off: by its own limit, or by ours. */
  isLate: boolean
}

export interface Supervised {
  name: string
  untilReady(): Promise<void>
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>
  /** Signals the process; false when it is not running. */
  signal(signal: NodeJS.Signals): boolean
  /** Ends the process, or all of its group, and waits until it is back; false when it was not running. */
  restart(signal: NodeJS.Signals, options: { group?: boolean; awayMs: number }): Promise<boolean>
  exits: readonly Exit[]
  /** Ends it for good. */
  end(): Promise<void>
}

/** By itself a process comes back after this time, as with any supervisor. */
const AWAY_MS = 1_000
/** All start at once, maybe on a machine that has other things to do. */
const START_WITHIN_MS = 180_000
const END_WITHIN_MS = 12_000

async function answers({ ready }: Program) {
  await axios.get(ready, { timeout: 2_000 })
}

/** Starts a program and starts it again whenever it has ended. `isReady` rejects as long as it is not. */
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
  const untilReady = () => eventually(`${program.name} is ready`, START_WITHIN_MS, () => isReady(program))
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
      // One that is not ready by now may yet be, or is missed at the end.
      await untilReady().catch(() => {})
      return true
    },
    exits,
    async end() {
      isOver = true
      await back
      if (!running(child)) return
      const ended = once(child, 'exit')
      // One that is stopped hears nothing else.
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
      await ended
      clearTimeout(late)
    },
  }
}
