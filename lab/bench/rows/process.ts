import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { freePorts, memoryOf, newDataDir, ROOT } from '../../../e2e/testing/system.ts'
import type { Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

/** Files that the first start creates. */
const INSTALLED = ['node_modules/.installed-lockfile', 'web/dist/.built']
const FILES = 50
const FILE_BYTES = 16_000_000

/** Returns milliseconds until a program responds, then ends it. */
async function startTime(args: string[], port: number, env: NodeJS.ProcessEnv): Promise<number> {
  let child: ChildProcess | undefined
  const took = await millisecondsOf(async () => {
    child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...env },
    })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${port}/api/config`).catch(() => undefined)
      if (answer?.ok) return
      await wait(2)
    }
  })
  child?.kill('SIGTERM')
  if (child?.exitCode === null) await once(child, 'exit')
  return took
}

async function openStart() {
  // A first start would replace the packages that this process uses.
  if (!INSTALLED.every(stamp => existsSync(join(ROOT, stamp)))) throw new Error('Run `npm start` once before')
  const [port, plainPort, sandboxPort, managementPort] = await freePorts(4)
  const [dataDir, plainDir] = [await newDataDir(), await newDataDir()]
  const mongo = await startEmbeddedMongo({ path: plainDir })
  const env = {
    DATA_DIR: dataDir,
    ENV_FILE: '/dev/null',
    MODEL_FETCH: 'off',
    SANDBOX_PORT: String(sandboxPort),
    MANAGEMENT_PORT: String(managementPort),
  }
  const ours = async () => [await startTime(['deploy/local/bootstrap.mjs', 'start'], port!, env)]
  // The first start creates the data.
  await ours()
  return {
    ours,
    plain: async () => [await startTime(['lab/bench/plain/start.ts'], plainPort!, { MONGO_URL: mongo.url })],
    async close() {
      await mongo.stop()
      for (const folder of [dataDir, plainDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a WAV file of 16 MB. */
function largeFile(): Blob {
  const header = Buffer.from(
    '524946460000000057415645666d74201000000001000100803e0000007d0000020010006461746100000000',
    'hex',
  )
  header.writeUInt32LE(FILE_BYTES - 8, 4)
  header.writeUInt32LE(FILE_BYTES - header.length, 40)
  const samples = Int16Array.from({ length: (FILE_BYTES - header.length) / 2 }, (_, at) => (at * 74) % 8_000)
  return new Blob([header, samples], { type: 'audio/wav' })
}

/** Returns the process's peak memory above idle while files are uploaded at once, and how many uploads it refused. */
async function uploads(): Promise<number[]> {
  const bench = await startBench({ env: { RATE_LIMITS: 'off' } })
  try {
    const { accessToken } = await bench.personFor(1)
    const file = largeFile()
    const idle = await memoryOf(bench.pid)
    let most = idle
    const looking = setInterval(async () => {
      most = Math.max(most, await memoryOf(bench.pid))
    }, 20)
    const upload = async () => {
      const body = new FormData()
      body.append('file', file, 'large.wav')
      const headers = { authorization: `Bearer ${accessToken}` }
      const answer = await fetch(`${bench.system.appUrl}/api/transcriptions`, {
        method: 'POST',
        headers,
        body,
      })
      await answer.text()
      return answer.status === 201
    }
    const answered = await Promise.all(Array.from({ length: FILES }, upload))
    clearInterval(looking)
    return [most - idle, answered.filter(isTaken => !isTaken).length]
  } finally {
    await bench.close()
  }
}

const BURST = 100
const NOTES = 1_000
const AT_ONCE = 8

/** Returns the process's memory before any note, after a burst of notes, and after many more. */
async function memoryByNotes(): Promise<number[]> {
  const bench = await startBench({ env: { RATE_LIMITS: 'off' } })
  const notes = async (count: number) => {
    const { number } = await bench.personFor(count)
    await Promise.all(Array.from({ length: count }, () => bench.note(number)))
  }
  try {
    const idle = await memoryOf(bench.pid)
    await notes(BURST)
    const afterBurst = await memoryOf(bench.pid)
    for (let done = BURST; done < NOTES; done += AT_ONCE) await notes(AT_ONCE)
    return [idle, afterBurst, await memoryOf(bench.pid)]
  } finally {
    await bench.close()
  }
}

export const PROCESS_ROWS: Row[] = [
  {
    name: 'start',
    title: 'Start, everything installed',
    baseline: '`lab/bench/plain/start.ts`: Express, and mongoose with a connection',
    figures: [{ name: 'first response', unit: 'ms', goal: { atMost: 1_500 } }],
    inTheWay:
      'Two thirds of its 0.9 s of processor time is finding, linking and running some 1,700 modules of six services and the sandbox; what they compile to comes from a cache. The largest are mongoose, zod, Express and axios, which loads Node’s fetch with itself (40 ms). Five connections to the database take 0.1 s.',
    seconds: 30,
    open: openStart,
  },
  {
    name: 'memory',
    title: 'Memory of one process',
    baseline: 'none',
    figures: [
      { name: 'idle', unit: 'MB', goal: { atMost: 230 } },
      { name: `after ${BURST} notes at once`, unit: 'MB', goal: { atMost: 300 } },
      { name: `after ${NOTES} notes`, unit: 'MB', goal: { atMost: 300 } },
    ],
    times: 1,
    seconds: 200,
    open: async () => ({ ours: memoryByNotes, close: async () => {} }),
  },
  {
    name: 'uploads',
    title: `${FILES} files of 16 MB at once`,
    baseline: 'the memory of the idle process',
    figures: [
      { name: 'memory beyond idle', unit: 'MB', goal: { atMost: 32 } },
      { name: 'refused files', unit: '', goal: { atMost: 0 } },
    ],
    times: 3,
    seconds: 50,
    open: async () => ({ ours: uploads, close: async () => {} }),
  },
]
