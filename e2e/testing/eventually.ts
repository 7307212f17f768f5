import { eventually as passes } from '@voxscribe/messaging/testing'

/** Repeats the check until it neither throws nor returns `false` or `null`; fails with `what` and its last error. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T>,
): Promise<Exclude<T, false | null>> {
  const checked = async () => {
    const found = await check()
    if (found === false || found === null) throw new Error('not so')
    return found as Exclude<T, false | null>
  }
  try {
    return await passes(checked, isFinal)
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const isFinal = (error: unknown) => error instanceof Error && / ended with /.test(error.message)
