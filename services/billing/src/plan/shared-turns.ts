import { createTurns } from '@voxscribe/service'

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
