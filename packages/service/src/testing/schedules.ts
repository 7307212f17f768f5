/**
 * Returns how many schedules a model test tries: 1,000, in CI 20,000, or `SCHEDULES`. Without `SCHEDULES` a time limit
 * keeps a slow machine from waiting for all of them. `share` reduces the number for tests whose single run is long.
 */
export function schedules(share = 1) {
  const { SCHEDULES, CI } = process.env
  const numRuns = Math.ceil(Number(SCHEDULES ?? (CI ? 20_000 : 1_000)) * share)
  return SCHEDULES ? { numRuns } : { numRuns, interruptAfterTimeLimit: 20_000 }
}
