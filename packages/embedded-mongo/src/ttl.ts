import type { Engine } from './commands/command.ts'
import { scan } from './scan.ts'
import type { Doc } from './values.ts'

/** Removes what TTL indexes say has expired by `now`: the field is a date, or an array whose first date counts. */
export const sweepExpired = ({ storage, catalog, records }: Engine, now: Date): number => {
  let removed = 0
  for (const collection of catalog.all())
    for (const { paths, expireAfterSeconds, partial } of collection.indexes) {
      if (expireAfterSeconds === undefined) continue
      const expired: Doc = { [paths[0]!]: { $lte: new Date(now.getTime() - expireAfterSeconds * 1000) } }
      const filter: Doc = partial ? { $and: [expired, partial] } : expired
      for (const stored of [...scan(storage, collection, { filter })]) {
        records.remove(collection, stored)
        removed += 1
      }
    }
  return removed
}
