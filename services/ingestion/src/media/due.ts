import type { Query } from 'mongoose'

const AT_ONCE = 20

/** Works on all that is due, oldest first. Throws all failures at the end; the next run tries them again. */
export async function forAllDue<T>(
  due: () => Query<T[], T>,
  work: (each: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  let found: T[]
  do {
    // Those that have failed come first again.
    found = await due().skip(failures.length).limit(AT_ONCE).lean<T[]>()
    const ended = await Promise.allSettled(found.map(async each => work(each)))
    failures.push(...ended.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])))
  } while (found.length === AT_ONCE)
  if (failures.length) throw new AggregateError(failures, 'Some media could not be deleted')
}
