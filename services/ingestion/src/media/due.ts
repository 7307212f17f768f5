import type { Query } from 'mongoose'

const AT_ONCE = 20

/** Processes everything that is due, oldest first. Throws all failures at the end; the next run retries them. */
export async function forAllDue<T>(
  due: () => Query<T[], T>,
  work: (each: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  let found: T[]
  do {
    // Failed items come first again, so they are skipped.
    found = await due().skip(failures.length).limit(AT_ONCE).lean<T[]>()
    const ended = await Promise.allSettled(found.map(async each => work(each)))
    failures.push(...ended.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])))
  } while (found.length === AT_ONCE)
  if (failures.length) throw new AggregateError(failures, 'Some media could not be deleted')
}
