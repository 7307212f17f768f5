/**
 * Lets work for the same key happen one after another within this process, so that it does not have to be tried
 * again. What keeps several processes apart is the account's version.
 */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    return mine.finally(() => {
      if (last.get(key) === mine) last.delete(key)
    })
  }
}
