import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { onPath } from '../on-path.ts'

/** The script that runs ffmpeg, the speech workers and PocketSphinx; see its comments. */
export const GUARD = fileURLToPath(new URL('guard.sh', import.meta.url))
/** Signal that kills the program that a guard runs. */
export const STOP = 'SIGUSR1'

const STDERR_KEPT = 4_000
/** Memory for decoding an upload: five times what a 4K video needs. */
const MEGABYTES_MAX = 500

/** Limits of a program that reads an upload. */
export interface Bounds {
  cpuSeconds: number | 'unlimited'
  megabytes?: number
}

/** Returns the guard's arguments before the program and the program's own. Without bounds, the program is trusted. */
export const guardArguments = (
  command: string,
  bounds?: Bounds,
  input: 'lifeline' | 'input' = 'lifeline',
) => [
  `${bounds?.cpuSeconds ?? 'trusted'}`,
  `${bounds?.megabytes ?? MEGABYTES_MAX}`,
  input,
  ...(bounds ? withoutNetwork() : []),
  command,
]

/** Uses a user namespace, so that root isn't required. */
const NO_NETWORK = ['--map-root-user', '--net', '--']
let found: string[] | undefined

/** Returns the prefix of a command that runs without network access; [] if this machine doesn't allow that. */
export function withoutNetwork(): string[] {
  const unshare = onPath('unshare')
  const works = () => unshare && spawnSync(unshare, [...NO_NETWORK, 'sh', '-c', ':']).status === 0
  found ??= unshare && works() ? [unshare, ...NO_NETWORK] : []
  return found
}

export class ProgramError extends Error {
  override name = 'ProgramError'
  readonly stderr: string
  /** Null if a signal ended it or it couldn't start, so that its input isn't at fault. */
  readonly code: number | null
  constructor(command: string, code: number | null, stderr: string) {
    super(`${command} ended with ${code ?? 'a signal'}: ${stderr}`)
    this.code = code
    this.stderr = stderr
  }
}

interface Running {
  signal: AbortSignal
  /** Default: the program is trusted. */
  bounds?: Bounds | undefined
  input?: AsyncIterable<Buffer> | undefined
}

/** Runs a program under the guard and yields its output. Throws ProgramError, its input's error or the signal's. */
export async function* outputOf(
  command: string,
  args: string[],
  { signal, bounds, input }: Running,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const child = spawn(GUARD, [...guardArguments(command, bounds, input && 'input'), ...args])
  const ended = once(child, 'close')
  // Without a process there are no streams.
  if (child.pid === undefined) await ended
  const inputDone = input && pipeline(input, child.stdin)
  for (const each of [ended, inputDone]) each?.catch(() => {})
  const kill = () => child.kill(STOP)
  signal.addEventListener('abort', kill)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr = (stderr + chunk).slice(-STDERR_KEPT)
  })
  try {
    yield* child.stdout
    const [status] = await ended
    signal.throwIfAborted()
    if (status !== 0) throw endOf(command, status, stderr, bounds)
    await inputDone
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** Limit on a program's text output in bytes: an engine writes 1 MB for a note of hours. */
const TEXT_BYTES_MAX = 50_000_000

/** Returns the output of a program. Throws, which ends the program, if it exceeds `most` bytes. */
export async function bytesOf(output: AsyncIterable<Buffer>, most = TEXT_BYTES_MAX): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of output) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) throw new Error(`A program wrote more than ${most} bytes`)
  }
  return Buffer.concat(chunks)
}

/** Runs a program under the guard and returns its output. Throws like `outputOf`, and if the output is too long. */
export const runProgram = async (command: string, args: string[], signal: AbortSignal, bounds?: Bounds) =>
  `${await bytesOf(outputOf(command, args, { signal, bounds }))}`

/** The guard's status when the processor time is used up, which is the fault of the program's input. */
export const OUT_OF_TIME = 152
/** Two lines of `times`: user and system time of the guard, and of the program. */
const TIMES = /(?<!\d)\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n?$/
/** Share of the limit from which it counts as reached: the limit counts in ticks, and differs on a busy machine. */
const MOST_OF_THE_TIME = 0.75

/** Interprets the guard's status. Programs that catch the limit's signal are recognized by the time they used. */
function endOf(command: string, status: number | null, stderr: string, bounds?: Bounds): ProgramError {
  const [minutes = 0, seconds = 0, ofSystem = 0, secondsOfSystem = 0] =
    TIMES.exec(stderr)?.slice(1).map(Number) ?? []
  const taken = (minutes + ofSystem) * 60 + seconds + secondsOfSystem
  const output = stderr.replace(TIMES, '').trim()
  const most = Number(bounds?.cpuSeconds ?? Number.NaN)
  if (status === OUT_OF_TIME || taken >= most * MOST_OF_THE_TIME)
    return new ProgramError(command, OUT_OF_TIME, output)
  return new ProgramError(command, isByProgram(status, output) ? status : null, output)
}

/** Whether the program itself set the status. The guard's: 126 and 127, not started; 129 to 159, ended by a signal. */
const isByProgram = (status: number | null, stderr: string): boolean =>
  status !== null &&
  status !== 126 &&
  status !== 127 &&
  !(status > 128 && status < 160) &&
  !stderr.startsWith('unshare:')
