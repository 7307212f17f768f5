import { isDeepStrictEqual } from 'node:util'

/** Keeps a machine that is far too slow from never coming to an end. */
const FUSE_MS = 60_000

/**
 * Returns how many schedules a model test tries: 1,000, in CI 20,000, always the same ones; or `SCHEDULES`, others each
 * time. `share` divides the number among the tests of a model.
 */
export function schedules(share = 1) {
  const { SCHEDULES, CI } = process.env
  const numRuns = Math.ceil(Number(SCHEDULES ?? (CI ? 20_000 : 1_000)) * share)
  return SCHEDULES ? { numRuns } : { numRuns, seed: 1, interruptAfterTimeLimit: FUSE_MS }
}

/** Throws with the facts unless it holds. Jest's `expect` takes longer than a whole schedule. */
export function must(holds: boolean, ...facts: unknown[]): asserts holds {
  if (!holds) throw new Error(`This must not be: ${JSON.stringify(facts)}`)
}

export const mustEqual = (value: unknown, wanted: unknown): void =>
  must(isDeepStrictEqual(value, wanted), value, 'instead of', wanted)
