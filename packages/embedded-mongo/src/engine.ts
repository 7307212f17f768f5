import { type Engine, engineOver } from './commands/command.ts'
import { isWrite, mayTakeLong, runCommand } from './commands/run-command.ts'
import { failureOf } from './errors.ts'
import { createGroupCommit } from './group-commit.ts'
import { startReader } from './reader.ts'
import { scan, TooLong } from './scan.ts'
import { IN_MEMORY, openStorage } from './storage.ts'
import type { Doc } from './values.ts'
import { encodeReply } from './wire.ts'

/** Documents that one look-up may read beside the writes; to read more it is handed to the readers' thread. */
const PATIENCE = 200

/** Everything but the network: opens the data in a folder (or ':memory:') and answers commands. */
export function openEngine(path: string) {
  const storage = openStorage(path)
  // A database in memory belongs to one connection.
  const reader = path === IN_MEMORY ? undefined : startReader(path)
  const engine = engineOver(storage, reader && PATIENCE)
  const commits = createGroupCommit(storage, engine.catalog.reload)
  return {
    /** Gives the encoded reply to a command; to a write after its commit. Never rejects: failures are replies. */
    run: async (body: Doc): Promise<Uint8Array> => {
      if (reader && mayTakeLong(body)) return reader.run(encodeReply(body))
      try {
        return await commits.run(isWrite(body), () => runCommand(engine, body))
      } catch (error) {
        return reader && error instanceof TooLong
          ? reader.run(encodeReply(body))
          : encodeReply(failureOf(error))
      }
    },
    /** Removes expired documents; gives how many. */
    sweep: (now: Date) => commits.run(true, () => sweepExpired(engine, now)),
    /** Carries out what waits and closes the file. */
    close: async () => {
      await reader?.stop()
      commits.flush()
      storage.close()
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
      for (const stored of [...scan(storage, collection, { filter: { [paths[0]!]: { $lte: before } } })]) {
        records.write(collection, stored, undefined)
        removed += 1
      }
    }
  return removed
}
