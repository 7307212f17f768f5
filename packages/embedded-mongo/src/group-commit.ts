import type { Storage } from './storage.ts'

/** A piece of work and what becomes of its result. */
type Task<T> = { writes: boolean; work: () => T; done: (result: T) => void; failed: (error: unknown) => void }

export type GroupCommit = {
  /** Queues work; it settles after the commit that makes it durable. Work runs in the order in which it came. */
  run: <T>(writes: boolean, work: () => T) => Promise<T>
  /** Carries out what waits, at once. */
  flush: () => void
}

/**
 * Everything that waits when the event loop comes round is one immediate transaction and one fsync. Each piece of
 * work has a savepoint of its own, so one that fails takes nothing of its neighbours with it. Reads in between are
 * answered after the commit too: nobody is told of what a crash could still undo.
 */
export const createGroupCommit = (storage: Storage, onRollback: () => void): GroupCommit => {
  let waiting: Task<unknown>[] = []

  const attempt = (task: Task<unknown>): (() => void) => {
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

  const flush = () => {
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
        waiting.push({ writes, work, done: resolve as (result: unknown) => void, failed: reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
    flush,
  }
}

/** After a failed commit (a full disk) SQLite may have ended the transaction itself. */
const rollBack = (storage: Storage) => {
  try {
    storage.exec('ROLLBACK')
  } catch {
    // There was none left to roll back.
  }
}
