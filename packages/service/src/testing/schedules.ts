import { isDeepStrictEqual } from 'node:util'

/**
 * Returns how many schedules a model test tries: 500, or 2,000 in CI, always the same ones; or `SCHEDULES` of them,
 * from `SEED`, or else different ones each time. `share` divides the number among the tests of a model.
 */
export function schedules(share = 1) {
  const { SCHEDULES, SEED, CI } = process.env
  const numRuns = Math.ceil(Number(SCHEDULES ?? (CI ? 2_000 : 500)) * share)
  if (!SCHEDULES) return { numRuns, seed: 1 }
  return { numRuns, ...(SEED ? { seed: Number(SEED) } : {}) }
}

/**
 * Resolves once all work waits for a timer or the outside world. Ten times faster than a round of the event loop, which
 * each schedule should have once.
 */
export const drained = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))

/** Throws with the facts unless the condition holds. Jest's `expect` takes longer than a whole schedule. */
export function must(holds: boolean, ...facts: unknown[]): asserts holds {
  if (!holds) throw new Error(`This must not be: ${JSON.stringify(facts)}`)
}

export const mustEqual = (value: unknown, wanted: unknown): void =>
  must(isDeepStrictEqual(value, wanted), value, 'instead of', wanted)
