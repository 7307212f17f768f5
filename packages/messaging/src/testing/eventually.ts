/** So long that no slow machine fails a test: what hasn't happened by then never will. */
const TIMEOUT_MS = process.env.CI ? 300_000 : 120_000

/** Repeats a check until it passes, and returns its result. A final error is thrown at once, others at the end. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  const end = performance.now() + TIMEOUT_MS
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 80)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end || isFinal(error)) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
}
