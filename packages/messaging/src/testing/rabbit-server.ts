import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from 'amqplib'
import { freePorts } from './free-ports.ts'

// Debian's /usr/sbin/rabbitmq-server changes to the user `rabbitmq`; this one runs as its caller.
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'
/** Whether tests on RabbitMQ run. With `CI=true` they do, and fail if it is missing. */
export const hasRabbitServer = existsSync(SERVER) || process.env.CI === 'true'
const CONTROL = '/usr/lib/rabbitmq/bin/rabbitmqctl'
/** For slow or busy machines: a broker that can't start exits by itself. */
const START_WAIT_MS = 180_000
// Kills remaining processes and removes the data once this process has ended in any way, which closes its pipe.
const GUARD = 'cat; kill -s KILL $(cat "$1/pids"); rm -rf "$1" || { sleep 1; rm -rf "$1"; }'

export interface RabbitServer {
  /** `amqp://…` on the loopback interface, the same after a restart. */
  url: string
  stop(): Promise<void>
  /** Stops the broker cleanly and restarts it with its data. */
  restart(): Promise<void>
  /** Stops the broker cleanly and copies its data to a folder, which `startRabbitServer` accepts. */
  copyTo(folder: string): Promise<void>
  /** Kills the broker as a power cut would (SIGKILL). `restart` brings it back. */
  kill(): Promise<void>
  /** Runs a rabbitmqctl command (`stop_app`, `list_queues`) on it and returns the output. */
  control(...command: string[]): Promise<string>
}

/**
 * Starts a RabbitMQ broker for tests, with its data in a temporary folder, or with a copy of an earlier broker's data.
 * Returns null if Debian's rabbitmq-server is not installed; with `CI=true` that is an error.
 */
export async function startRabbitServer(copy?: string): Promise<RabbitServer | null> {
  if (!existsSync(SERVER)) {
    if (process.env.CI === 'true') throw new Error(`${SERVER} is missing: install rabbitmq-server`)
    return null
  }
  const [port, distPort, epmdPort] = (await freePorts(3)) as [number, number, number]
  // The data only works with the same node name and place.
  const [, id = randomBytes(4).toString('hex')] =
    /test-(\w+)@/.exec(copy ? readdirSync(copy).join() : '') ?? []
  const directory = join(tmpdir(), `rabbitmq-${id}`)
  const data = join(directory, 'mnesia')
  mkdirSync(directory, { mode: 0o700 })
  if (copy) cpSync(copy, data, { recursive: true })
  const environment = settings({ directory, id, port, distPort, epmdPort })
  const url = `amqp://127.0.0.1:${port}`
  const epmd = spawn('epmd', ['-port', `${epmdPort}`, '-address', '127.0.0.1'], { stdio: 'ignore' })
  const guard = spawn('sh', ['-c', GUARD, 'sh', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  let server = await start()

  async function start() {
    const child = spawn(SERVER, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    // A negative number means a process group.
    writeFileSync(join(directory, 'pids'), `${epmd.pid} -${child.pid}`)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', text => {
        output = (output + text).slice(-4_000)
      })
    }
    try {
      await untilReachable(url, child)
    } catch (error) {
      await end(child, 'SIGKILL')
      await cleanUp()
      throw new Error(`RabbitMQ did not start: ${(error as Error).message}\n${output}`)
    }
    return child
  }

  let cleaned: Promise<unknown> | undefined
  function cleanUp() {
    cleaned ??= removeAll()
    return cleaned
  }

  async function removeAll() {
    writeFileSync(join(directory, 'pids'), `${epmd.pid}`)
    guard.stdin!.end()
    await once(guard, 'exit')
  }

  return {
    url,
    async stop() {
      await end(server, 'SIGTERM')
      await cleanUp()
    },
    async copyTo(folder) {
      await end(server, 'SIGTERM')
      await cp(data, folder, { recursive: true })
    },
    kill: () => end(server, 'SIGKILL'),
    control: async (...command) =>
      (await promisify(execFile)(CONTROL, ['--quiet', ...command], { env: environment })).stdout,
    async restart() {
      await end(server, 'SIGTERM')
      server = await start()
    },
  }
}

function settings(at: { directory: string; id: string; port: number; distPort: number; epmdPort: number }) {
  const path = (name: string) => join(at.directory, name)
  writeFileSync(path('enabled_plugins'), '[].\n')
  // Tests need less free disk space and memory than a broker demands by default.
  writeFileSync(path('rabbitmq.conf'), 'disk_free_limit.absolute = 1MB\nlog.console = false\n')
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    // Keeps idle schedulers from spinning before they sleep.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none',
    // Makes Erlang replace the script, so that signals and exit codes are its own.
    RUNNING_UNDER_SYSTEMD: 'true',
    HOME: at.directory,
    ERL_EPMD_PORT: `${at.epmdPort}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `test-${at.id}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: `${at.port}`,
    RABBITMQ_DIST_PORT: `${at.distPort}`,
    RABBITMQ_MNESIA_BASE: path('mnesia'),
    RABBITMQ_LOG_BASE: path('log'),
    RABBITMQ_PID_FILE: path('pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path('enabled_plugins'),
    RABBITMQ_CONFIG_FILE: path('rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: path('rabbitmq-env.conf'),
  }
}

async function untilReachable(url: string, server: ChildProcess) {
  const end = performance.now() + START_WAIT_MS
  for (;;) {
    try {
      await (await connect(url, { timeout: 5_000 })).close()
      return
    } catch (error) {
      if (server.exitCode !== null) throw new Error(`it ended with code ${server.exitCode}`)
      if (performance.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}

// The server is a shell with Erlang below it, so signals go to the group.
function signal({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL') {
  try {
    if (pid) process.kill(-pid, name)
  } catch {
    // It has already ended.
  }
}

async function end(server: ChildProcess, name: 'SIGTERM' | 'SIGKILL') {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  signal(server, name)
  await ended
}
