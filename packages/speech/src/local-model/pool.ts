import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { statfsSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import type { Span } from '../audio/levels.ts'
import { GUARD, guardArguments, STOP } from '../audio/program.ts'
import { NotNow } from '../errors.ts'
import type { Metrics } from '../host.ts'
import type { Reply, ResultOf, Task } from './protocol.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const STDERR_KEPT = 2_000
/** Memory limit of a worker: nearly twice the memory of the largest model. */
const MEGABYTES_MAX = 8_000
/** One heap for glibc's threads retains less memory. */
const ENVIRONMENT = 'MALLOC_ARENA_MAX=1'
const BOUNDS = { cpuSeconds: 'unlimited', megabytes: MEGABYTES_MAX } as const
/** Milliseconds for which one worker fewer runs after a worker was killed for memory. */
const FEWER_MS = 10 * 60_000
/** Delay of a task whose worker was killed; doubles with each further kill, up to the maximum. */
const KILLED_WAIT_MS = 5_000
const KILLED_MOST_MS = 5 * 60_000
/** The guard's status for a program that SIGKILL ended. */
const KILLED = 137

interface Options {
  signal: AbortSignal
  /** Milliseconds until the worker is killed. */
  limitMs: number
  /** The highest priority in the queue starts first; default: 0. */
  priority?: number
  /** Receives spans of speech while a task runs; a second worker finds the same spans again. */
  onFound?: (spans: Span[]) => void
}

export class WorkerCrashed extends Error {
  override name = 'WorkerCrashed'
}
export class CannotLoad extends Error {
  override name = 'CannotLoad'
}
class WorkerKilled extends Error {
  override name = 'WorkerKilled'
}

/** Whether to retry: after a crash, or a timeout, because the machine or the container may have been paused. */
export const hasBroken = (error: unknown): boolean =>
  error instanceof WorkerCrashed || (error as Error | undefined)?.name === 'TimeoutError'

interface Worker {
  child: ChildProcess
  /** Folder of its loaded model. */
  model: string | undefined
  isBusy: boolean
  stderr: string
}

/** Child processes that run sherpa-onnx. Each does one task at a time and keeps its model loaded. */
export function createNativePool(most: number | (() => number), metrics?: Metrics, worker = WORKER) {
  const queue = new PQueue({ concurrency: 1 })
  const workers = new Set<Worker>()
  let fewer = 0
  let killed = 0
  const size = () => Math.max(1, (typeof most === 'number' ? most : most()) - fewer)

  function start(): Worker {
    const [execPath, ...guarded] = [GUARD, ...guardArguments('/usr/bin/env', BOUNDS)]
    const child = fork(worker, {
      // No access to our environment, the network, or the service's signals.
      env: {},
      execPath,
      execArgv: [...guarded, ENVIRONMENT, process.execPath, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    })
    const started: Worker = { child, model: undefined, isBusy: false, stderr: '' }
    child.stderr?.setEncoding('utf8').on('data', text => {
      started.stderr = (started.stderr + text).slice(-STDERR_KEPT)
    })
    const removeWorker = () => workers.delete(started)
    child.once('exit', removeWorker).on('error', removeWorker)
    workers.add(started)
    return started
  }

  /** Returns an idle worker with the model, else without one, else a new worker, which may replace an idle one. */
  function take(model: string | undefined): Worker {
    const idle = [...workers].filter(({ isBusy }) => !isBusy)
    const fits = (wanted: string | undefined) => idle.find(each => each.model === wanted)
    const found = model ? (fits(model) ?? fits(undefined)) : idle[0]
    if (!found && idle[0] && workers.size >= size()) stop(idle[0])
    return found ?? start()
  }

  function stop(worker: Worker): void {
    workers.delete(worker)
    worker.child.kill(STOP)
  }

  async function once<T extends Task>(task: T, options: Options): Promise<ResultOf<T>> {
    options.signal.throwIfAborted()
    const model = task.do === 'recognise' ? task.model.folder : undefined
    const taken = take(model)
    taken.model = model ?? taken.model
    taken.isBusy = true
    try {
      const result = await ask(taken, task, options)
      killed = 0
      taken.isBusy = false
      if (workers.size > size()) stop(taken)
      return result as ResultOf<T>
    } catch (error) {
      // Nothing else stops native code.
      stop(taken)
      throw error
    }
  }

  /** Reduces the workers by one for a while, and returns the task's delay. */
  function waitForMemory(cause: WorkerKilled): NotNow {
    metrics?.workersKilled.inc()
    const wait = Math.min(KILLED_MOST_MS, KILLED_WAIT_MS * 2 ** killed)
    killed += 1
    if (size() > 1) {
      fewer += 1
      setTimeout(() => {
        fewer -= 1
      }, FEWER_MS).unref()
      queue.concurrency = size()
    }
    return new NotNow('The system killed a speech worker', wait, { cause })
  }

  return {
    /** The current limit of workers. */
    get size() {
      return size()
    },
    /** Runs a task. Throws WorkerCrashed or CannotLoad after two tries, `NotNow` if the kernel killed the worker. */
    run<T extends Task>(task: T, options: Options): Promise<ResultOf<T>> {
      const { signal, priority = 0 } = options
      const work = () =>
        once(task, options)
          .catch(error => {
            if (!hasBroken(error) && !(error instanceof CannotLoad)) throw error
            return once(task, options)
          })
          .catch(error => {
            throw error instanceof WorkerKilled ? waitForMemory(error) : error
          })
      queue.concurrency = size()
      return queue.add(work, { priority, signal })
    },
    close() {
      queue.clear()
      for (const worker of workers) stop(worker)
    },
  }
}

export type NativePool = ReturnType<typeof createNativePool>

/** Sends a worker one task and returns the result. */
async function ask(worker: Worker, task: Task, { signal, limitMs, onFound }: Options): Promise<unknown> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limitMs))])
  const { child } = worker
  let hasLoaded = false
  child.send(task, error => error && child.kill(STOP))
  const replies: AsyncIterable<Reply[]> = on(child, 'message', { signal: limit, close: ['exit'] })
  try {
    for await (const [reply] of replies) {
      if (!reply || 'loaded' in reply) hasLoaded = true
      else if ('found' in reply) onFound?.(reply.found)
      else if ('result' in reply) return reply.result
      else throw new (hasLoaded ? Error : CannotLoad)(reply.error)
    }
  } catch (error) {
    limit.throwIfAborted()
    throw error
  }
  const { exitCode, signalCode } = child
  const Why = exitCode === KILLED || signalCode ? WorkerKilled : hasLoaded ? WorkerCrashed : CannotLoad
  throw new Why(`The speech worker ended with ${signalCode ?? exitCode}: ${worker.stderr}`)
}

/** Megabytes of the service itself while ffmpeg runs. */
const SERVICE_MEGABYTES = 400
/** Type of an in-memory file system in Linux's statfs. */
const TMPFS = 0x01021994

interface Machine {
  /** Cores, or the container's CPU limit. */
  cores: number
  megabytes: number
}

/** The machine's resources within the container's limits (cgroup v2 and v1). A `/tmp` in memory counts as used. */
export function thisMachine(): Machine {
  const { type, blocks, bsize } = statfsSync(tmpdir())
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const temporary = type === TMPFS && limit < totalmem() ? blocks * bsize : 0
  return {
    cores: availableParallelism(),
    megabytes: (Math.min(totalmem(), limit) - temporary) / 1e6,
  }
}

/** Returns how many workers of this size fit on the machine, at least one. */
export const workersFor = (megabytes: number, { cores, megabytes: all }: Machine): number =>
  Math.max(1, Math.min(cores, Math.floor((all - SERVICE_MEGABYTES) / megabytes)))

/** Returns the megabytes that workers of this size leave of the machine; negative: one of them lacks so many. */
export const megabytesLeft = (megabytes: number, machine: Machine): number =>
  Math.floor(machine.megabytes - SERVICE_MEGABYTES - workersFor(megabytes, machine) * megabytes)
