/**
 * Repeats a check until it does not throw, and returns its result. Throws the last error after `withinMs`, or a final one
 * at once.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  withinMs = 60_000,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  const end = performance.now() + withinMs
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 80)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end || isFinal(error)) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
}
