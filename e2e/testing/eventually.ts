/** Tries again until the check passes; fails with its last error when the time is over. */
export async function eventually<T>(what: string, withinMs: number, check: () => Promise<T>): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end || isFinal(error)) {
        throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
      }
      await new Promise(resolve => setTimeout(resolve, 150))
    }
  }
}

const isFinal = (error: unknown) => error instanceof Error && / ended with /.test(error.message)
