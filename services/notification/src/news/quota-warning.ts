import type { EventOf } from '@voxscribe/contracts/events'

const PERCENTS = [100, 80] as const
/** Less than this is shown as 0.0 minutes and fits no note. */
const NOTHING_SECONDS = 6

/** The mark that the account has passed: 100, 80 or none. */
export function percentPassed({ usedSeconds, totalSeconds }: EventOf<'QuotaUpdated'>['data']) {
  if (totalSeconds <= 0) return undefined
  return PERCENTS.find(percent =>
    percent === 100
      ? totalSeconds - usedSeconds < NOTHING_SECONDS
      : usedSeconds * 100 >= totalSeconds * percent,
  )
}
