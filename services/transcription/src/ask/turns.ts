/** Returns a function that does work one after another for each key. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    const end = turn
      .catch(() => {})
      .finally(() => {
        if (last.get(key) === end) last.delete(key)
      })
    last.set(key, end)
    return turn
  }
}
