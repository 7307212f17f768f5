import { eventually as passes } from '@voxscribe/messaging/testing'

/** Tries again until the check passes; fails with `what` and its last error when the time is over. */
export async function eventually<T>(what: string, withinMs: number, check: () => Promise<T>): Promise<T> {
  try {
    return await passes(check, withinMs, isFinal)
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const isFinal = (error: unknown) => error instanceof Error && / ended with /.test(error.message)
