import type { Storage } from './storage.ts'

/** A piece of work and what becomes of its result. */
interface Task {
  writes: boolean
  work(): unknown
  done(result: unknown): void
  failed(error: unknown): void
}

export interface GroupCommit {
  /** Queues work; it settles after the commit that makes it durable. Work runs in the order in which it came. */
  run<T>(writes: boolean, work: () => T): Promise<T>
  /** Carries out what waits, at once. */
  flush(): void
}

/**
 * Everything that waits when the event loop comes round is one immediate transaction and one fsync. Each piece of
 * work has a savepoint of its own, so one that fails takes nothing of its neighbours with it. Reads in between are
 * answered after the commit too: nobody is told of what a crash could still undo.
 */
export function createGroupCommit(storage: Storage, onRollback: () => void): GroupCommit {
  let waiting: Task[] = []

  function attempt(task: Task): () => void {
    if (task.writes) storage.exec('SAVEPOINT task')
    try {
      const result = task.work()
      if (task.writes) storage.exec('RELEASE task')
      return () => task.done(result)
    } catch (error) {
      if (task.writes) {
        storage.exec('ROLLBACK TO task; RELEASE task')
        onRollback()
      }
      return () => task.failed(error)
    }
  }

  function flush(): void {
    const tasks = waiting
    waiting = []
    if (!tasks.some(({ writes }) => writes)) {
      for (const task of tasks) attempt(task)()
      return
    }
    try {
      storage.exec('BEGIN IMMEDIATE')
      const settle = tasks.map(attempt)
      storage.exec('COMMIT')
      for (const tell of settle) tell()
    } catch (error) {
      rollBack(storage)
      onRollback()
      for (const task of tasks) task.failed(error)
    }
  }

  return {
    run: (writes, work) =>
      new Promise((resolve, reject) => {
        waiting.push({ writes, work, done: resolve as Task['done'], failed: reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
    flush,
  }
}

/** After a failed commit (a full disk) SQLite may have ended the transaction itself. */
function rollBack(storage: Storage): void {
  try {
    storage.exec('ROLLBACK')
  } catch {
    // There was none left to roll back.
  }
}
