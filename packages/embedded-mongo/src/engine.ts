import { openCatalog } from './catalog.ts'
import type { Engine } from './commands/command.ts'
import { encodedFailure, isWrite, mayTakeLong, runCommand } from './commands/run-command.ts'
import { createCursors } from './cursors.ts'
import { createGroupCommit } from './group-commit.ts'
import { startReader } from './reader.ts'
import { createRecords } from './records.ts'
import { TooLong } from './scan.ts'
import { IN_MEMORY, openStorage, type Storage } from './storage.ts'
import { sweepExpired } from './ttl.ts'
import type { Doc } from './values.ts'
import { encodeReply } from './wire.ts'

/** Documents that one look-up may read beside the writes; to read more it is handed to the readers' thread. */
const PATIENCE = 200

/** Everything but the network: opens the data in a folder (or ':memory:') and answers commands. */
export function openEngine(path: string) {
  const storage = openStorage(path)
  const engine = engineOver(storage)
  // A database in memory belongs to one connection.
  const reader = path === IN_MEMORY ? undefined : startReader(path)
  if (reader) engine.patience = PATIENCE
  const commits = createGroupCommit(storage, engine.catalog.reload)
  return {
    /** Gives the encoded reply to a command; to a write after its commit. Never rejects: failures are replies. */
    run: async (body: Doc): Promise<Uint8Array> => {
      if (reader && mayTakeLong(body)) return reader.run(encodeReply(body))
      try {
        return await commits.run(isWrite(body), () => runCommand(engine, body))
      } catch (error) {
        return reader && error instanceof TooLong ? reader.run(encodeReply(body)) : encodedFailure(error)
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

export function engineOver(storage: Storage): Engine {
  const catalog = openCatalog(storage)
  return { storage, catalog, records: createRecords(storage, catalog), cursors: createCursors() }
}
