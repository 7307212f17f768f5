import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { givingWay } from './giving-way.ts'
import { withoutNetwork } from './without-network.ts'

const STDERR_KEPT = 4_000
/** Memory for a file that somebody sent, in megabytes: five times as much as a 4K video needs. */
const MOST_MEGABYTES = 500
/** A shell that knows no such limit, or has a lower one, goes on. */
const limitsOf = ({ cpuSeconds }: Bounds) => `{
ulimit -c 0
ulimit -d ${MOST_MEGABYTES * 1_000}
ulimit -S -t ${cpuSeconds}
ulimit -H -t ${cpuSeconds + 1}
} 2>/dev/null`
/**
 * Runs the program until it ends, or until our end of the pipe on its standard input closes: that is, at the latest,
 * when this process is gone, however it went.
 */
const GUARDED = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
program=$!
(read -r _ <&3; kill -9 0) >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait $program
code=$?
kill $guard
[ $code = 0 ] || times >&2
exit $code
`

/** A program ended with an error. */
export class ProgramError extends Error {
  override name = 'ProgramError'
  readonly stderr: string
  /** Null when a signal ended it, or when it could not be run: that says nothing about what it was given. */
  readonly code: number | null
  constructor(command: string, code: number | null, stderr: string) {
    super(`${command} ended with ${code ?? 'a signal'}: ${stderr}`)
    this.code = code
    this.stderr = stderr
  }
}

/** How little a program gets that reads what somebody sent: nothing of our environment, either. */
export interface Bounds {
  cpuSeconds: number
}

export interface Program {
  stdout: Readable
  /** Resolves when it ends well; rejects with ProgramError, or with the signal's reason. */
  ended: Promise<void>
}

/**
 * Runs a program in a process group of its own, so that a signal to ours (Ctrl-C in a terminal, a supervisor's stop)
 * does not reach it: we alone end it, with SIGKILL, when the signal says so. Without `bounds` it is trusted.
 */
export function runProgram(command: string, args: string[], signal: AbortSignal, bounds?: Bounds): Program {
  const line = [...(bounds ? [...givingWay, ...withoutNetwork()] : []), command, ...args]
  const child = spawn('sh', ['-c', (bounds ? limitsOf(bounds) : '') + GUARDED, ...line], {
    detached: true,
    ...(bounds && { env: {} }),
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  const kill = () => {
    // A negative number is a process group.
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  if (signal.aborted) kill()
  else signal.addEventListener('abort', kill)
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (signal.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else reject(endOf(command, code, stderr, bounds))
    })
  }).finally(() => signal.removeEventListener('abort', kill))
  return { stdout: child.stdout, ended }
}

/** A shell's code when the processor time was used up, which says something about what the program was given. */
export const OUT_OF_TIME = 152
/** Two lines of `times`: user and system time of the shell, and of what it has run. */
const TIMES = /\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/
/** The limit counts in ticks, `times` exactly: on a busy machine they are far apart. */
const MOST_OF_THE_TIME = 0.75

/** Programs that catch the signal of a limit end with a code of their own: the time that they took tells. */
function endOf(command: string, code: number | null, stderr: string, bounds?: Bounds): ProgramError {
  const [minutes = 0, seconds = 0, ofSystem = 0, secondsOfSystem = 0] =
    TIMES.exec(stderr)?.slice(1).map(Number) ?? []
  const taken = (minutes + ofSystem) * 60 + seconds + secondsOfSystem
  const said = stderr.replace(TIMES, '').trim()
  const isOutOfTime = code === OUT_OF_TIME || (bounds && taken >= bounds.cpuSeconds * MOST_OF_THE_TIME)
  if (isOutOfTime) return new ProgramError(command, OUT_OF_TIME, said)
  return new ProgramError(command, isByProgram(code, said) ? code : null, said)
}

/** A shell's codes: 126 and 127, it could not be run; 129 to 159, a signal ended it. */
const isByProgram = (code: number | null, stderr: string): boolean =>
  code !== null &&
  code !== 126 &&
  code !== 127 &&
  !(code > 128 && code < 160) &&
  !stderr.startsWith('unshare:')
