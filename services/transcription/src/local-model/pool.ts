import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { givingWay } from '../audio/giving-way.ts'
import { withoutNetwork } from '../audio/without-network.ts'
import type { Reply, Request, ResultOf, Task } from './protocol.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const STDERR_KEPT = 2_000
/** Memory of a worker, in megabytes: twice what the largest model takes. */
const MOST_MEGABYTES = 6_000
const LIMITED = `ulimit -c 0 2>/dev/null; ulimit -d ${MOST_MEGABYTES * 1_000} 2>/dev/null; exec "$0" "$@"`

interface Options {
  signal: AbortSignal
  /** The worker is killed when it takes longer. */
  limitMs: number
  /** Priority when several wait: the higher begins first; 0 by default. */
  priority?: number
}

/** Child processes in which sherpa-onnx runs: each does one task at a time and keeps the model that it has loaded. */
export interface NativePool {
  size: number
  /** Throws WorkerCrashed when the native code ended its process twice over this task. */
  run<T extends Task>(task: T, options: Options): Promise<ResultOf<T>>
  close(): void
}

export class WorkerCrashed extends Error {
  override name = 'WorkerCrashed'
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

export function createNativePool(size: number, worker = WORKER): NativePool {
  const queue = new PQueue({ concurrency: size })
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let lastId = 0

  function start(): Worker {
    const child = fork(worker, {
      // No secrets, no network, and no signal that is meant for the service: its end ends the worker through the channel.
      env: {},
      detached: true,
      execPath: 'sh',
      execArgv: [
        '-c',
        LIMITED,
        ...givingWay,
        ...withoutNetwork(),
        process.execPath,
        '--disable-warning=ExperimentalWarning',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
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
    if (all.size >= size) idle.shift()?.child.kill('SIGKILL')
    return start()
  }

  async function once<T extends Task>(task: T, options: Options): Promise<ResultOf<T>> {
    options.signal.throwIfAborted()
    const model = task.do === 'recognise' ? task.model.folder : undefined
    const taken = take(model)
    taken.model = model ?? taken.model
    lastId += 1
    const result = await ask(taken, { id: lastId, task }, options)
    idle.push(taken)
    return result as ResultOf<T>
  }

  return {
    size,
    run(task, options) {
      const { signal, priority = 0 } = options
      const work = async () => {
        try {
          return await once(task, options)
        } catch (error) {
          if (!hasBroken(error)) throw error
          return once(task, options)
        }
      }
      return queue.add(work, { priority, signal })
    },
    close() {
      queue.clear()
      for (const { child } of all) child.kill('SIGKILL')
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
      child.kill('SIGKILL')
      leave(() => reject(limit.reason))
    }
    const hear = (reply: Reply) => {
      if (reply.id !== request.id) return
      leave(() => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply.result)))
      if ('error' in reply) child.kill('SIGKILL')
    }
    const ended = (code: number | null, killedBy: string | null) =>
      leave(() =>
        reject(new WorkerCrashed(`The speech worker ended with ${killedBy ?? code}: ${worker.stderr}`)),
      )
    const failed = (error: Error) => leave(() => reject(error))
    limit.addEventListener('abort', kill)
    child.on('message', hear).on('exit', ended).on('error', failed)
    child.send(request, error => error && child.kill('SIGKILL'))
  })
}

/** An idle worker does not keep its parent from ending; one at work does. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const change = isHeld ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  ;(child.stderr as Socket | null)?.[change]()
}
