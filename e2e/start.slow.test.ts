import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import axios from 'axios'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { freePorts, newDataDir, ROOT } from './testing/system.ts'

/** Makes the process throw an uncaught error on SIGUSR2. */
const BUG = `--import=data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('A-bug'))})`

/** Maximum modules loaded until one process responds; each takes about half a millisecond, even with cached code. */
const MODULES_MOST = 1_800
/** Loaded at first use: for a payment, a document, a program's call, a mail, a file, voices, a command. */
const LOADED_LATER =
  /node_modules\/(?:stripe|docx|@modelcontextprotocol|file-type|ml-hclust)\/|\/nodemailer\.js$|\/chat-lexicon\.ts$/

/** Returns the youngest descendant of a process. */
async function youngest(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const last = Number(children.trim().split(' ').at(-1))
  return last ? youngest(last) : pid
}

describe('npm start', () => {
  let npm: ChildProcess
  let said: string
  let dataDir: string
  let appUrl: string
  let sandboxUrl: string

  beforeEach(async () => {
    const [port, sandboxPort, managementPort] = await freePorts(3)
    dataDir = await newDataDir()
    appUrl = `http://127.0.0.1:${port}`
    sandboxUrl = `http://127.0.0.1:${sandboxPort}`
    npm = spawn('npm', ['start'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        NODE_OPTIONS: BUG,
        ENV_FILE: '/dev/null',
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: `${port}`,
        SANDBOX_PORT: `${sandboxPort}`,
        MANAGEMENT_PORT: `${managementPort}`,
        DATA_DIR: dataDir,
        MODEL_FETCH: 'off',
      },
    })
    said = ''
    npm.stdout?.setEncoding('utf8').on('data', text => {
      said += text
    })
    await eventually('the app answers', () => axios.get(`${appUrl}/api/config`))
    await axios.get(sandboxUrl)
  })
  afterEach(async () => {
    npm.kill('SIGTERM')
    // A process that a case doesn't stop may still write.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
  })

  const silent = () =>
    eventually('nothing answers any more', async () => {
      for (const url of [appUrl, sandboxUrl]) {
        const answer = await axios.get(url).catch(() => undefined)
        if (answer) throw new Error(`${url} answers`)
      }
    })

  test('when the product crashes, then it restarts, logs that, and has lost nothing', async () => {
    const open = axios.create({ baseURL: `${appUrl}/api` })
    const [email, password] = ['ada@example.com', 'correct horse battery']
    const names = { first_name: 'Ada', last_name: 'Lovelace' }
    const number = { wtp_number: '2125550100', country_id: '840' }
    await open.post('/auth/register', { ...names, ...number, email, password })
    for (const [signal, sentence] of [
      ['SIGKILL', /crashed \(SIGKILL\)\. It starts again now; nothing is lost\./],
      ['SIGUSR2', /crashed \(exit code \d+\)\. It starts again in 1 s; nothing is lost\./],
    ] as const) {
      process.kill(await youngest(npm.pid!), signal)
      await eventually('it is said', async () => sentence.test(said))
      const signIn = () => open.post('/auth/login', { email, password })
      expect((await eventually('she can sign in', signIn)).status).toBe(200)
    }
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await silent()
    expect(said.match(/crashed/g)).toHaveLength(2)
  })

  test('when npm gets a signal to stop, then everything has stopped before npm exits', async () => {
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await silent()
  })

  test('when npm is killed, then everything stops by itself', async () => {
    npm.kill('SIGKILL')
    await silent()
  })
})

test.each([
  [{ HOST: 'nowhere.invalid' }, 'HOST'],
  [{ HOST: '192.0.2.1' }, 'HOST'],
  [{ DATA_DIR: import.meta.filename }, 'DATA_DIR'],
  [{ DATA_DIR: '/proc/voxscribe' }, 'DATA_DIR'],
])('when the start can’t use %j, then it ends and names the setting', async (wrong, name) => {
  const dataDir = await newDataDir()
  const free = { PORT: '0', SANDBOX_PORT: '0', MANAGEMENT_PORT: '0', MODEL_FETCH: 'off' }
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'deploy/local/main.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...free, ...wrong },
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  await rm(dataDir, { recursive: true })
  expect(stderr).toContain(name)
  expect(status).toBe(1)
})

test('when one process starts, then it loads only modules that it needs to respond', async () => {
  const folder = await newDataDir()
  const file = join(folder, 'modules')
  const counting = join(import.meta.dirname, 'testing/count-modules.mjs')
  const system = await startOneProcess({ MODULES_FILE: file, NODE_OPTIONS: `--import ${counting}` })
  try {
    const loaded = (await readFile(file, 'utf8')).trim().split('\n')
    expect(loaded.filter(url => LOADED_LATER.test(url))).toEqual([])
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.length).toBeLessThanOrEqual(MODULES_MOST)
  } finally {
    await system.remove()
    await rm(folder, { recursive: true, force: true })
  }
})
