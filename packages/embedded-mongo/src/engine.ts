import { openCatalog } from './catalog.ts'
import type { Engine } from './commands/command.ts'
import { runCommand } from './commands/run-command.ts'
import { createCursors } from './cursors.ts'
import { createGroupCommit } from './group-commit.ts'
import { createRecords } from './records.ts'
import { openStorage } from './storage.ts'
import { sweepExpired } from './ttl.ts'
import type { Doc } from './values.ts'

/** Everything but the network: opens the data in a folder (or ':memory:') and answers commands. */
export const openEngine = (path: string) => {
  const storage = openStorage(path)
  const catalog = openCatalog(storage)
  const engine: Engine = {
    storage,
    catalog,
    records: createRecords(storage, catalog),
    cursors: createCursors(),
  }
  const commits = createGroupCommit(storage, catalog.reload)
  return {
    /** Answers a command; a write after its commit. Never rejects: failures are answers. */
    run: (body: Doc) => runCommand(engine, commits, body),
    /** Removes expired documents and forgotten cursors; answers how many documents. */
    sweep: (now: Date) => {
      engine.cursors.expire(now.getTime())
      return commits.run(true, () => sweepExpired(engine, now))
    },
    /** Carries out what waits and closes the file. */
    close: () => {
      commits.flush()
      storage.close()
    },
  }
}
