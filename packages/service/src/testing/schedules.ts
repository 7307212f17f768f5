/**
 * How many schedules a model test tries: 20,000 in CI, `SCHEDULES` by hand. Else a time limit keeps a slow machine from
 * waiting for all of them. `share`: of tests whose single run is long.
 */
export function schedules(share = 1) {
  const { SCHEDULES, CI } = process.env
  const numRuns = Math.ceil(Number(SCHEDULES ?? (CI ? 20_000 : 1_000)) * share)
  return SCHEDULES ? { numRuns } : { numRuns, interruptAfterTimeLimit: 20_000 }
}
