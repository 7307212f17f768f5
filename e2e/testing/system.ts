import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import axios from 'axios'
import { eventually } from './eventually.ts'

export { freePorts } from '@voxscribe/messaging/testing'

export const ROOT = resolve(import.meta.dirname, '../..')
/** Milliseconds allowed for a response or an element on a busy machine; what hasn't appeared by then never will. */
export const TIMEOUT_MS = 180_000

/** Reading modules takes half of a start's processor time, so compiled ones are kept for the next start. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/voxscribe')
/** Cases in which PocketSphinx must be at work set the program itself. */
const SPHINX_COMMAND = join(ROOT, 'e2e/testing/sphinx-once.sh')

// Debian's ffmpeg loads 200 libraries, ten times the work of decoding a note. Both are tested where they are called.
export const FFMPEG_PATH = bundled.path

export type Env = Record<string, string | undefined>

/** The media store that the tests are given; without one, files are used. */
export const S3: Env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('S3_')),
)

/** For systems that must use the machine's own ffmpeg. */
export const MACHINES_FFMPEG: Env = { FFMPEG_PATH: undefined }

/** Needed because all test people share one address. */
export const generousLimits: Env = {
  RATE_LIMIT_REGISTER: '1000/1h',
  RATE_LIMIT_LOGIN_ADDRESS: '1000/15m',
  RATE_LIMIT_REFRESH: '1000/1m',
  // A suite on a busy machine takes longer than a token is valid.
  ACCESS_TOKEN_TTL: '2h',
}

/** A running system under test, however it was started. */
export interface System {
  appUrl: string
  sandboxUrl: string
  dataDir: string
  /** Metrics of each process of ingestion. */
  ingestionMetricsUrls: [string, ...string[]]
  /** Ends everything at once, as a power cut would. */
  kill(): Promise<void>
  /** Ends everything as a supervisor does, and waits for it. */
  stop(): Promise<void>
  /** Starts again on the same data and ports. */
  start(): Promise<void>
  /** Returns the running process of that name (`transcription`, `transcription-2`). */
  process(name: string): ChildProcess
  /** Ends the process of that name as a supervisor does, and starts it again. Returns its exit code. */
  restart(name: string): Promise<number | null>
  /** Sends a signal to every process and everything it started, as a terminal or a supervisor does. */
  signalGroups(signal: NodeJS.Signals): Promise<void>
  /** Stops the system and removes the data. */
  remove(): Promise<void>
}

/** A process of the system: its name and environment. */
export interface Program {
  /** One word, unique in the system. */
  name: string
  script: string
  /** Options of Node. */
  options?: string[]
  /** Checkout from which it is started; default: this one. */
  root?: string
  env: Env
  /** Address that answers once this process is ready. */
  ready: string
}

export interface Plan {
  appUrl: string
  sandboxUrl: string
  dataDir: string
  ingestionMetricsUrls: [string, ...string[]]
  programs: Program[]
  /** Programs that call the others, and so are started after them. */
  gateways?: Program[]
}

/** Starts the programs of a plan and returns one handle for them. */
export async function startSystem({ programs, gateways = [], ...plan }: Plan): Promise<System> {
  const children = new Map<string, ChildProcess>()
  const begin = async (program: Program) => {
    const child = launch(program)
    children.set(program.name, child)
    await ready(program, child)
  }
  const start = async () => {
    await Promise.all(programs.map(begin))
    await Promise.all(gateways.map(begin))
  }
  const end = async (signal: NodeJS.Signals, toGroup = false) => {
    const ending = [...children.values()].filter(running)
    children.clear()
    for (const child of ending) toGroup ? process.kill(-child.pid!, signal) : child.kill(signal)
    await Promise.all(ending.map(child => running(child) && once(child, 'exit')))
  }
  await start().catch(async error => {
    await end('SIGKILL')
    throw error
  })
  const processOf = (name: string) => {
    const child = children.get(name)
    if (!child) throw new Error(`No process is called ${name}`)
    return child
  }
  return {
    appUrl: plan.appUrl,
    sandboxUrl: plan.sandboxUrl,
    dataDir: plan.dataDir,
    ingestionMetricsUrls: plan.ingestionMetricsUrls,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signalGroups: signal => end(signal, true),
    process: processOf,
    async restart(name) {
      const child = processOf(name)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      await begin([...programs, ...gateways].find(program => program.name === name)!)
      return code
    },
    remove: async () => {
      await end('SIGTERM')
      await rm(plan.dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the resident megabytes (2^20 bytes) of a process, or a part of them (Linux). */
export const memoryOf = async (pid: number, part: 'VmRSS' | 'RssAnon' = 'VmRSS'): Promise<number> =>
  Number(new RegExp(`${part}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export const running = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Starts a program with its output in `output`, a file descriptor. */
export function launch(
  { script, options = [], root = ROOT, env }: Pick<Program, 'script' | 'options' | 'root' | 'env'>,
  output: number | 'inherit' | 'ignore' = process.env.E2E_OUTPUT ? 'inherit' : 'ignore',
): ChildProcess {
  return spawn(process.execPath, [...options, script], {
    cwd: root,
    // Its own process group, so that a signal can reach all of it.
    detached: true,
    // Only what a program needs, so that the machine's own settings don't leak into a test.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE,
      SPHINX_COMMAND,
      FFMPEG_PATH,
      ...S3,
      ...env,
    },
    stdio: ['ignore', output, typeof output === 'number' ? output : 'inherit'],
  })
}

async function ready(program: Program, child: ChildProcess): Promise<void> {
  await eventually(`${program.script} is ready`, async () => {
    if (!running(child)) throw new Error(`${program.script} ended with ${child.exitCode ?? child.signalCode}`)
    await axios.get(program.ready, { timeout: 2_000 })
  })
}

export const newDataDir = () => mkdtemp(join(tmpdir(), 'voxscribe-e2e-'))
