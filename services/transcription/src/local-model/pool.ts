import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Later } from '@voxscribe/messaging'
import PQueue from 'p-queue'
import { GUARD, guardArguments, STOP } from '../audio/program.ts'
import { workersKilled } from '../metrics.ts'
import type { Reply, Request, ResultOf, Task } from './protocol.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const STDERR_KEPT = 2_000
/** Limit of a worker: nearly twice the memory of the largest model. */
const MOST_MEGABYTES = 8_000
const BOUNDS = { cpuSeconds: 'unlimited', megabytes: MOST_MEGABYTES } as const
/** A kernel that kills a worker has too little memory: for this long one worker fewer runs. */
const FEWER_MS = 10 * 60_000
/** A task whose worker was killed waits; doubled for each further one that is killed, up to the most. */
const KILLED_WAIT_MS = 5_000
const KILLED_MOST_MS = 5 * 60_000
/** The guard's status for a program that SIGKILL ended. */
const KILLED = 137

interface Options {
  signal: AbortSignal
  /** The worker is killed when it takes longer. */
  limitMs: number
  /** Priority when several wait: the higher begins first; 0 by default. */
  priority?: number
}

/** Child processes in which sherpa-onnx runs: each does one task at a time and keeps the model that it has loaded. */
export interface NativePool {
  /** Workers at once, at this moment. */
  readonly size: number
  /**
   * Throws WorkerCrashed when the native code ended its process twice over this task, CannotLoad when it did so, or
   * reported an error, before the model was loaded, and `Later` when the kernel killed the worker: that is never about
   * the task.
   */
  run<T extends Task>(task: T, options: Options): Promise<ResultOf<T>>
  close(): void
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

/** Also out of time: a machine or a container that was paused meanwhile is no fault of the task. */
export const hasBroken = (error: unknown): boolean =>
  error instanceof WorkerCrashed || (error as Error | undefined)?.name === 'TimeoutError'

interface Worker {
  child: ChildProcess
  /** Folder of the model that it has loaded; undefined as long as it has none. */
  model: string | undefined
  stderr: string
}

export function createNativePool(most: number | (() => number), worker = WORKER): NativePool {
  const queue = new PQueue({ concurrency: 1 })
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let lastId = 0
  let fewer = 0
  let killed = 0
  const size = () => Math.max(1, (typeof most === 'number' ? most : most()) - fewer)

  function start(): Worker {
    const [execPath, ...execArgv] = [GUARD, ...guardArguments(process.execPath, BOUNDS)]
    const child = fork(worker, {
      // Nothing of ours, no network, and no signal that is meant for the service.
      env: {},
      execPath,
      execArgv: [...execArgv, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    })
    const started: Worker = { child, model: undefined, stderr: '' }
    child.stderr?.setEncoding('utf8').on('data', text => {
      started.stderr = (started.stderr + text).slice(-STDERR_KEPT)
    })
    const gone = () => {
      all.delete(started)
      const at = idle.indexOf(started)
      if (at >= 0) idle.splice(at, 1)
    }
    child.once('exit', gone).once('error', gone)
    all.add(started)
    return started
  }

  /** An idle worker that has the model already, else one without a model, else a new one in the place of another. */
  function take(model: string | undefined): Worker {
    const fits = (wanted: string | undefined) => idle.findIndex(each => each.model === wanted)
    const at = model ? [fits(model), fits(undefined)].find(found => found >= 0) : idle.length ? 0 : undefined
    const found = at === undefined ? undefined : idle.splice(at, 1)[0]
    if (found) return found
    if (all.size >= size()) idle.shift()?.child.kill(STOP)
    return start()
  }

  async function once<T extends Task>(task: T, options: Options): Promise<ResultOf<T>> {
    options.signal.throwIfAborted()
    const model = task.do === 'recognise' ? task.model.folder : undefined
    const taken = take(model)
    taken.model = model ?? taken.model
    lastId += 1
    const result = await ask(taken, { id: lastId, task }, options)
    killed = 0
    if (all.size > size()) taken.child.kill(STOP)
    else idle.push(taken)
    return result as ResultOf<T>
  }

  /** Runs one worker fewer for a while; the task waits until others are done. */
  function waitForMemory(cause: unknown): Later {
    const wait = Math.min(KILLED_MOST_MS, KILLED_WAIT_MS * 2 ** killed)
    killed += 1
    if (size() > 1) {
      fewer += 1
      setTimeout(() => {
        fewer -= 1
      }, FEWER_MS).unref()
      queue.concurrency = size()
    }
    return new Later('The system killed a speech worker', wait, { cause })
  }

  return {
    get size() {
      return size()
    },
    run(task, options) {
      const { signal, priority = 0 } = options
      const work = async () => {
        try {
          return await once(task, options).catch(error => {
            if (!hasBroken(error) && !(error instanceof CannotLoad)) throw error
            return once(task, options)
          })
        } catch (error) {
          if (!(error instanceof WorkerKilled)) throw error
          workersKilled.inc()
          throw waitForMemory(error)
        }
      }
      queue.concurrency = size()
      return queue.add(work, { priority, signal })
    },
    close() {
      queue.clear()
      for (const { child } of all) child.kill(STOP)
    },
  }
}

/** Gives a worker one task. Whatever ends it early ends the worker, too: nothing else stops native code. */
function ask(worker: Worker, request: Request, { signal, limitMs }: Options): Promise<unknown> {
  const { child } = worker
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limitMs))])
  hold(child, true)
  return new Promise((resolve, reject) => {
    const leave = (settle: () => void) => {
      limit.removeEventListener('abort', kill)
      child.off('message', hear).off('exit', ended).off('error', failed)
      hold(child, false)
      settle()
    }
    const kill = () => {
      child.kill(STOP)
      leave(() => reject(limit.reason))
    }
    let hasLoaded = false
    const hear = (reply: Reply) => {
      if (reply.id !== request.id) return
      if ('loaded' in reply) hasLoaded = true
      else if ('result' in reply) leave(() => resolve(reply.result))
      else {
        leave(() => reject(new (hasLoaded ? Error : CannotLoad)(reply.error)))
        child.kill(STOP)
      }
    }
    const ended = (code: number | null, killedBy: string | null) => {
      const Why = code === KILLED || killedBy ? WorkerKilled : hasLoaded ? WorkerCrashed : CannotLoad
      leave(() => reject(new Why(`The speech worker ended with ${killedBy ?? code}: ${worker.stderr}`)))
    }
    const failed = (error: Error) => leave(() => reject(error))
    limit.addEventListener('abort', kill)
    child.on('message', hear).on('exit', ended).on('error', failed)
    child.send(request, error => error && child.kill(STOP))
  })
}

/** An idle worker does not keep its parent from ending; one at work does. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const change = isHeld ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  for (const pipe of [child.stdin, child.stderr]) (pipe as Socket | null)?.[change]()
}
