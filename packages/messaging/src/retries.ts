/** A message overdue by this much was taken by another process, which reports it. */
const OVERDUE_MS = 60_000

export type Retries = ReturnType<typeof createRetries>

/**
 * Tracks failed messages that this process has delayed, for the alert on the oldest. After a restart, a message is
 * missing until it fails again, at most an hour later.
 */
export function createRetries() {
  const waiting = new Map<string, { queue: string; since: number; timer: NodeJS.Timeout }>()

  function remove(queue: string, id: string): void {
    const key = `${queue} ${id}`
    clearTimeout(waiting.get(key)?.timer)
    waiting.delete(key)
  }

  return {
    remove,
    /** `since`: time of the first failure, in milliseconds since 1970. */
    add(queue: string, id: string, since: number, afterMs: number): void {
      remove(queue, id)
      const timer = setTimeout(remove, afterMs + OVERDUE_MS, queue, id).unref()
      waiting.set(`${queue} ${id}`, { queue, since, timer })
    },
    /** Returns seconds since the first failure of the oldest message, by queue. */
    oldest(): Map<string, number> {
      const oldest = new Map<string, number>()
      for (const { queue, since } of waiting.values())
        oldest.set(queue, Math.max(oldest.get(queue) ?? 0, (Date.now() - since) / 1000))
      return oldest
    },
  }
}
