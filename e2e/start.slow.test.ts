import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import axios from 'axios'
import { eventually } from './testing/eventually.ts'
import { freePorts, newDataDir, ROOT } from './testing/system.ts'

describe('npm start', () => {
  let npm: ChildProcess
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
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: `${port}`,
        SANDBOX_PORT: `${sandboxPort}`,
        MANAGEMENT_PORT: `${managementPort}`,
        DATA_DIR: dataDir,
        MODEL_FETCH: 'off',
      },
    })
    await eventually('the app answers', () => axios.get(`${appUrl}/api/config`))
    await axios.get(sandboxUrl)
  })
  afterEach(async () => {
    npm.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  })

  const silent = () =>
    eventually('nothing answers any more', async () => {
      for (const url of [appUrl, sandboxUrl]) {
        const answer = await axios.get(url).catch(() => undefined)
        if (answer) throw new Error(`${url} answers`)
      }
    })

  test('when npm is asked to end, then everything has stopped when it has', async () => {
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await silent()
  })

  test('when npm is killed, then everything stops by itself', async () => {
    npm.kill('SIGKILL')
    await silent()
  })
})
