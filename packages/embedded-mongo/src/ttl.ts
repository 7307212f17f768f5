import type { Engine } from './commands/command.ts'
import { scan } from './scan.ts'

/** Removes what TTL indexes say has expired by `now`: the field is a date, or an array of which one has passed. */
export function sweepExpired({ storage, catalog, records }: Engine, now: Date): number {
  let removed = 0
  for (const collection of catalog.all())
    for (const { paths, expireAfterSeconds } of collection.indexes) {
      if (expireAfterSeconds === undefined) continue
      const before = new Date(now.getTime() - expireAfterSeconds * 1000)
      for (const stored of [...scan(storage, collection, { filter: { [paths[0]!]: { $lte: before } } })]) {
        records.remove(collection, stored)
        removed += 1
      }
    }
  return removed
}
