/**
 * Runs work for the same key one after another within this process, so that it need not be tried again. Several
 * processes are kept apart by the account's version.
 */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    return mine.finally(() => {
      if (last.get(key) === mine) last.delete(key)
    })
  }
}

/** Coalesces concurrent calls: callers that arrive while a call for the same key is queued share its result. */
export function createSharedTurns<T>() {
  const inTurn = createTurns()
  const queued = new Map<string, Promise<T>>()
  return function inSharedTurn(key: string, work: () => Promise<T>): Promise<T> {
    const shared = queued.get(key)
    if (shared) return shared
    const mine = inTurn(key, () => {
      queued.delete(key)
      return work()
    })
    queued.set(key, mine)
    return mine
  }
}
