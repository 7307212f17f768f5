/** Counts what each person has under way in this process, for queues in which who has the least goes first. */
export function createUnderWay() {
  const counts = new Map<string, number>()
  /** Runs work with how much of the same person's was under way before. */
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
