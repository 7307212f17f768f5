import { setTimeout as wait } from 'node:timers/promises'

/** Waits until a time in milliseconds since 1970; doesn't wait if it has passed. */
export const until = (at: number): Promise<void> => wait(Math.max(0, at - Date.now()))

const REPEAT_MS = 1_000

/** Retries every second, as people and providers do; throws the last error after `timeoutMs`. */
export async function persist(
  work: () => Promise<unknown>,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const end = performance.now() + timeoutMs
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await wait(REPEAT_MS)
    }
  }
}
