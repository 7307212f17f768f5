const AT_ONCE = 20

/**
 * Works on all that is due, some at a time. `due` returns the oldest first and skips as many as have failed, which come
 * first again. Throws all failures at the end; the next run tries them again.
 */
export async function forAllDue<T>(
  due: (skip: number, limit: number) => PromiseLike<T[]>,
  work: (each: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  let found: T[]
  do {
    found = await due(failures.length, AT_ONCE)
    const ended = await Promise.allSettled(found.map(async each => work(each)))
    failures.push(...ended.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])))
  } while (found.length === AT_ONCE)
  if (failures.length) throw new AggregateError(failures, 'Some media could not be deleted')
}
