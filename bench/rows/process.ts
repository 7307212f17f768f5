import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { freePorts, newDataDir, ROOT } from '../../e2e/testing/system.ts'
import { quantile, type Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

/** Marks of the first start. */
const INSTALLED = ['node_modules/.installed-lockfile', 'web/dist/.built']
const LOGINS = 50
const FILES = 50
const FILE_BYTES = 16_000_000

/** Milliseconds until a program answers; it is ended afterwards. */
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
  // Installing would replace the packages that this runs on.
  if (!INSTALLED.every(stamp => existsSync(join(ROOT, stamp)))) throw new Error('Run `npm start` once before')
  const [port, plainPort, sandboxPort, managementPort] = await freePorts(4)
  const [dataDir, plainDir] = [await newDataDir(), await newDataDir()]
  const mongo = await startEmbeddedMongo({ path: plainDir })
  const env = {
    DATA_DIR: dataDir,
    MODEL_FETCH: 'off',
    SANDBOX_PORT: String(sandboxPort),
    MANAGEMENT_PORT: String(managementPort),
  }
  const ours = () => startTime(['deploy/local/bootstrap.mjs', 'start'], port!, env)
  // The first start makes the data.
  await ours()
  return {
    ours: async () => {
      const took = await ours()
      return [took, took]
    },
    plain: async () => {
      const took = await startTime(['bench/plain/start.ts'], plainPort!, { MONGO_URL: mongo.url })
      return [took, took]
    },
    async close() {
      await mongo.stop()
      for (const folder of [dataDir, plainDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openLogins() {
  const bench = await startBench({ env: { RATE_LIMITS: 'off' } })
  const { open, email, password } = await bench.personFor(1)
  const health = bench.system.ingestionMetricsUrl.replace('/metrics', '/healthz')
  const timesWhile = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    let isOver = false
    const working = work().finally(() => {
      isOver = true
    })
    while (!isOver) times.push(await millisecondsOf(async () => (await fetch(health)).text()))
    await working
    return [quantile(times, 0.5)]
  }
  const login = async () => {
    const { status } = await open.post('/auth/login', { email, password })
    if (status !== 200) throw new Error(`A login was answered with ${status}`)
  }
  return {
    ours: () => timesWhile(() => Promise.all(Array.from({ length: LOGINS }, login))),
    plain: () => timesWhile(() => wait(500)),
    close: bench.close,
  }
}

/** A recording that nothing can be saved on: 16 MB as they are, of a tone. */
async function largeFile(folder: string): Promise<Blob> {
  const header = Buffer.from(
    '524946460000000057415645666d74201000000001000100803e0000007d0000020010006461746100000000',
    'hex',
  )
  header.writeUInt32LE(FILE_BYTES - 8, 4)
  header.writeUInt32LE(FILE_BYTES - header.length, 40)
  const path = join(folder, 'large.wav')
  const samples = Buffer.alloc(FILE_BYTES - header.length)
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE((at * 37) % 8_000, at)
  await writeFile(path, Buffer.concat([header, samples]))
  return new Blob([await readFile(path)], { type: 'audio/wav' })
}

const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The most memory that the process has beyond what it has idle, while so many files come at once. */
async function uploads(): Promise<number[]> {
  const bench = await startBench({ env: { RATE_LIMITS: 'off' } })
  try {
    const { accessToken } = await bench.personFor(1)
    const file = await largeFile(bench.system.dataDir)
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

export const processRows: Row[] = [
  {
    name: 'start',
    title: 'Start, everything installed',
    baseline: '`bench/plain/start.ts`: Express, and mongoose with a connection',
    figures: [
      {
        name: 'until it answers',
        unit: 'ms',
        before: '3400–3900 ms',
        goal: { atMost: 1_200 },
        inTheWay:
          'Loading modules, as below, goes with the machine: on a day when the baseline took 274 ms it was 1,023 ms.',
      },
      {
        name: 'until it answers (stretch)',
        unit: 'ms',
        before: '3400–3900 ms',
        goal: { ratioAtMost: 1.5 },
        inTheWay:
          'Most of it is loading the modules of six services, the sandbox and the database, from the compile cache; the baseline loads two.',
      },
    ],
    seconds: 30,
    open: openStart,
  },
  {
    name: 'logins',
    title: `Health answered during ${LOGINS} logins`,
    baseline: 'the same, idle',
    figures: [
      {
        name: 'p50',
        unit: 'ms',
        before: '17 ms',
        goal: { ratioAtMost: 1.5 },
        inTheWay:
          'Passwords are hashed off the thread, on all cores but one; the rest of a login (validation, sessions, the database) is on the thread that health is answered on.',
      },
    ],
    seconds: 30,
    open: openLogins,
  },
  {
    name: 'uploads',
    title: `${FILES} files of 16 MB at once`,
    baseline: 'the memory of the process when idle',
    figures: [
      {
        name: 'memory beyond idle',
        unit: 'MB',
        before: '49 MB',
        goal: { atMost: 32 },
        inTheWay:
          'Live buffers are about 25 MB: of each file, pieces of 64 kB are at its socket, in the reader of the form and on their way to the disk. The rest is garbage, which V8 frees only when it collects its young generation. `npm start` keeps that at 2 MB; with the default of 16 MB it is + 102 to 145 MB, and 50 MB more when idle.',
      },
      { name: 'files not taken', unit: '', before: '40', goal: { atMost: 0 } },
    ],
    times: 3,
    seconds: 50,
    open: async () => ({ ours: uploads, close: async () => {} }),
  },
]
