import { type Engine, engineOver } from '../commands/command.ts'
import { isWrite, runCommand } from '../commands/run-command.ts'
import { scan } from '../query/scan.ts'
import { failureOf } from '../store/errors.ts'
import { diskFull, isDiskFull, openReserve, type ReserveOptions } from '../store/reserve.ts'
import { IN_MEMORY, openStorage } from '../store/storage.ts'
import type { Doc } from '../store/values.ts'
import { encodeReply } from '../store/values.ts'
import { createGroupCommit } from './group-commit.ts'

/** Opens the data in a folder (or ':memory:') and answers commands: everything but the network. */
export function openEngine(path: string, reserved?: ReserveOptions) {
  const storage = openStorage(path)
  const reserve = reserved && path !== IN_MEMORY ? openReserve(path, reserved) : undefined
  const engine = engineOver(storage)
  const commits = createGroupCommit(storage, engine.catalog.reload)
  let scrubbedAt = Number.NEGATIVE_INFINITY
  return {
    /** Returns the encoded reply; for a write, after its commit. Never rejects: failures are replies. */
    run: async (body: Doc): Promise<Uint8Array> => {
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
    /** Reserves space for the next full disk as soon as there is some. */
    refillReserve: () => reserve?.refill(),
    /** Removes expired documents and returns their number. */
    sweep: (now: Date) => commits.run(true, () => sweepExpired(engine, now)),
    /** Copies the log into the data file. */
    emptyLog: () => commits.run(false, () => storage.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    /**
     * Rewrites the file and empties the log, no sooner than `restMs` after the last request and `everyMs` after the
     * last run: deleted documents leave traces that `PRAGMA secure_delete` does not erase. Every command waits
     * meanwhile.
     */
    scrub(restMs: number, everyMs = 0): void {
      const now = performance.now()
      const { scrubAskedAt = Number.POSITIVE_INFINITY } = engine
      if (now - scrubAskedAt < restMs || now - scrubbedAt < everyMs) return
      scrubbedAt = now
      storage.exec('VACUUM')
      storage.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      engine.scrubAskedAt = undefined
    },
    /** Runs waiting commands, then closes the file. */
    close: () => {
      commits.flush()
      storage.close()
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
