import { type Engine, engineOver } from './commands/command.ts'
import { isWrite, mayTakeLong, runCommand } from './commands/run-command.ts'
import { failureOf } from './errors.ts'
import { createGroupCommit } from './group-commit.ts'
import { scan } from './scan.ts'
import { IN_MEMORY, openStorage } from './storage.ts'
import { startThread } from './thread.ts'
import type { Doc } from './values.ts'
import { encodeReply } from './wire.ts'

/** Everything but the network: opens the data in a folder (or ':memory:') and answers commands. */
export function openEngine(path: string) {
  const storage = openStorage(path)
  const engine = engineOver(storage)
  // A database in memory belongs to one connection.
  const reader = path === IN_MEMORY ? undefined : startReader(path)
  const commits = createGroupCommit(storage, engine.catalog.reload)
  return {
    /** Gives the encoded reply to a command; to a write after its commit. Never rejects: failures are replies. */
    run: async (body: Doc): Promise<Uint8Array> => {
      if (reader && mayTakeLong(body)) return reader.run(encodeReply(body))
      try {
        return await commits.run(isWrite(body), () => runCommand(engine, body))
      } catch (error) {
        return encodeReply(failureOf(error))
      }
    },
    /** Removes expired documents; gives how many. */
    sweep: (now: Date) => commits.run(true, () => sweepExpired(engine, now)),
    /** Puts what the log holds into the data. */
    emptyLog: () => commits.run(false, () => storage.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    /** Carries out what waits and closes the file. */
    close: async () => {
      await reader?.stop()
      commits.flush()
      storage.close()
    },
  }
}

/** Starts the thread that reads on its own connection, so that a long read never holds up a write. */
function startReader(path: string) {
  const { worker, stop } = startThread(new URL('./reader-thread.ts', import.meta.url), { path })
  // The thread answers in the order in which it is asked.
  const waiting: ((reply: Uint8Array) => void)[] = []
  worker.on('message', (reply: Uint8Array) => waiting.shift()!(reply))
  return {
    stop,
    /** Gives the encoded reply to an encoded command that only reads. */
    run(body: Uint8Array): Promise<Uint8Array> {
      worker.postMessage(body)
      return new Promise(resolve => waiting.push(resolve))
    },
  }
}

/** Removes what TTL indexes say has expired by `now`: the field is a date, or an array of which one has passed. */
function sweepExpired({ storage, catalog, records }: Engine, now: Date): number {
  let removed = 0
  for (const collection of catalog.all())
    for (const { paths, expireAfterSeconds } of collection.indexes) {
      if (expireAfterSeconds === undefined) continue
      const before = new Date(now.getTime() - expireAfterSeconds * 1000)
      const expired = [...scan(storage, collection, { filter: { [paths[0]!]: { $lte: before } } })]
      for (const stored of expired) records.write(collection, stored, undefined)
      removed += expired.length
    }
  return removed
}
