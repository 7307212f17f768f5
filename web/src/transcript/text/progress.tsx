import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { roughly } from '@voxscribe/contracts/wording'
import { useConfig } from '../../api/config.ts'
import { clockTime } from '../../language/clock-time.ts'
import { i18n } from '../../language/i18n.ts'

/** How much of a note in progress has been heard, in words and as a bar, and how long the rest may take. */
export function Progress({ partial, durationSeconds }: TranscriptionDocument) {
  const pace = useConfig().data?.speech?.secondsPerMinute
  if (!durationSeconds) return null
  if (!partial)
    return pace ? (
      <p className="mb-3 text-soft text-sm">
        {i18n.t('Ready in {time}', { time: roughly(i18n, (durationSeconds / 60) * pace) })}
      </p>
    ) : null
  const { seconds, secondsLeft } = partial
  const values = { heard: clockTime(seconds), whole: clockTime(durationSeconds) }
  return (
    <div className="mb-3">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm tabular-nums">
        <span className="font-semibold">{i18n.t('{heard} of {whole}', values)}</span>
        {secondsLeft !== null && (
          <span className="text-soft">{i18n.t('Ready in {time}', { time: roughly(i18n, secondsLeft) })}</span>
        )}
      </p>
      <progress
        aria-label={i18n.t('Transcribed so far')}
        value={seconds}
        max={durationSeconds}
        className="mt-1 block h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width] [&::-webkit-progress-value]:duration-500"
      />
    </div>
  )
}
