import { type Engine, engineOver } from '../commands/command.ts'
import { isWrite, mayTakeLong, runCommand } from '../commands/run-command.ts'
import { scan } from '../query/scan.ts'
import { failureOf } from '../store/errors.ts'
import { diskFull, isDiskFull, openReserve, type ReserveOptions } from '../store/reserve.ts'
import { IN_MEMORY, openStorage } from '../store/storage.ts'
import type { Doc } from '../store/values.ts'
import { encodeReply } from '../store/values.ts'
import { createGroupCommit } from './group-commit.ts'
import { startThread } from './thread.ts'

/** Everything but the network: opens the data in a folder (or ':memory:') and answers commands. */
export function openEngine(path: string, reserved?: ReserveOptions) {
  const storage = openStorage(path)
  const reserve = reserved && path !== IN_MEMORY ? openReserve(path, reserved) : undefined
  const engine = engineOver(storage)
  // A database in memory belongs to one connection.
  const reader = path === IN_MEMORY ? undefined : startReader(path)
  const commits = createGroupCommit(storage, engine.catalog.reload)
  let scrubbedAt = Number.NEGATIVE_INFINITY
  /** Whether the log may hold pages older than the last scrubbing. */
  let isLogOld = false
  return {
    /** Returns the encoded reply; for a write, after its commit. Never rejects: failures are replies. */
    run: async (body: Doc): Promise<Uint8Array> => {
      if (reader && mayTakeLong(body)) return reader.run(encodeReply(body))
      const attempt = () => commits.run(isWrite(body), () => runCommand(engine, body))
      try {
        if (reserve?.refuses(body)) throw diskFull()
        return await attempt().catch(error => {
          if (!isDiskFull(error)) throw error
          reserve?.giveUp()
          if (!reserve || reserve.refuses(body)) throw diskFull()
          return attempt()
        })
      } catch (error) {
        return encodeReply(failureOf(isDiskFull(error) ? diskFull() : error))
      }
    },
    /** Keeps room for the next full disk, as soon as there is some. */
    refillReserve: () => reserve?.refill(),
    /** Removes expired documents and returns their number. */
    sweep: (now: Date) => commits.run(true, () => sweepExpired(engine, now)),
    /** Copies the log into the data file. */
    emptyLog: () => commits.run(false, () => storage.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    /**
     * Rewrites the file, `restMs` after the last request and `everyMs` after the last time, and empties the log: deleted
     * documents leave traces that `PRAGMA secure_delete` does not erase. Meanwhile every command waits.
     */
    scrub(restMs: number, everyMs = 0): void {
      const now = performance.now()
      const { scrubAskedAt = Number.POSITIVE_INFINITY } = engine
      if (now - scrubAskedAt >= restMs && now - scrubbedAt >= everyMs) {
        scrubbedAt = now
        storage.exec('VACUUM')
        engine.scrubAskedAt = undefined
        isLogOld = true
      }
      // A reader keeps the log.
      if (isLogOld) isLogOld = storage.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0
    },
    /** Runs waiting commands, then closes the file. */
    close: async () => {
      await reader?.stop()
      commits.flush()
      storage.close()
    },
  }
}

/** Starts a thread that reads on its own connection, so that long reads do not delay writes. */
function startReader(path: string) {
  const { worker, stop } = startThread(new URL('./reader-thread.ts', import.meta.url), { path })
  // The thread answers in the order in which it is asked.
  const waiting: ((reply: Uint8Array) => void)[] = []
  worker.on('message', (reply: Uint8Array) => waiting.shift()!(reply))
  return {
    stop,
    /** Returns the encoded reply to an encoded read command. */
    run(body: Uint8Array): Promise<Uint8Array> {
      worker.postMessage(body)
      return new Promise(resolve => waiting.push(resolve))
    },
  }
}

/** Removes documents that TTL indexes expire by `now`: the field is a past date, or an array with one. */
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
