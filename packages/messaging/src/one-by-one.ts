/** Runs work for the same key in sequence within this process, whether or not earlier work failed. */
export function createOneByOne() {
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
