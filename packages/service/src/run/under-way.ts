/** Counts each person's work under way in this process, for queues that prefer people with the least. */
export function createUnderWay() {
  const counts = new Map<string, number>()
  /** Runs work, passing the number of the person's pieces of work that were already under way. */
  return async function counted<T>(userId: string, work: (before: number) => Promise<T>): Promise<T> {
    const before = counts.get(userId) ?? 0
    counts.set(userId, before + 1)
    try {
      return await work(before)
    } finally {
      const left = (counts.get(userId) ?? 1) - 1
      if (left) counts.set(userId, left)
      else counts.delete(userId)
    }
  }
}
