import type { Storage } from '../store/storage.ts'

/** Queued work with its promise. */
interface Task {
  writes: boolean
  work(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Commits all waiting work once per turn of the event loop, each task in its own savepoint. Reads are answered after
 * the commit, too, so that no reply reports what a crash could still undo.
 */
export function createGroupCommit(storage: Pick<Storage, 'exec' | 'sync'>, onRollback: () => void) {
  let waiting: Task[] = []

  /** Returns the reply to send once the group is committed. */
  function attempt({ writes, work, resolve, reject }: Task): () => void {
    if (writes) storage.exec('SAVEPOINT task')
    try {
      const result = work()
      if (writes) storage.exec('RELEASE task')
      return () => resolve(result)
    } catch (error) {
      if (writes) {
        try {
          storage.exec('ROLLBACK TO task; RELEASE task')
        } catch {
          // On a full disk, SQLite may have ended the whole transaction, which fails the whole group.
          throw error
        }
        onRollback()
      }
      return () => reject(error)
    }
  }

  function flush(): void {
    const tasks = waiting
    waiting = []
    const isWriting = tasks.some(({ writes }) => writes)
    let settle: (() => void)[] = []
    try {
      if (isWriting) storage.exec('BEGIN IMMEDIATE')
      settle = tasks.map(attempt)
      if (isWriting) storage.exec('COMMIT')
    } catch (error) {
      for (const { reject } of tasks) reject(error)
      try {
        storage.exec('ROLLBACK')
      } catch {
        // After a failed commit (a full disk), SQLite may have ended the transaction itself.
      }
      onRollback()
    }
    // A failure ends the process: anything after a gap in the log would be lost in the next power cut.
    if (isWriting) storage.sync()
    for (const resolve of settle) resolve()
  }

  return {
    /** Queues work, in order. The promise settles after the commit that makes the work durable. */
    run<T>(writes: boolean, work: () => T): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ writes, work, resolve: resolve as Task['resolve'], reject })
      if (waiting.length === 1) setImmediate(flush)
      return promise
    },
    /** Runs waiting work now. */
    flush,
  }
}
