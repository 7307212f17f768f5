import type { Subscription } from '@voxscribe/contracts/http'
import { minutesLeft } from '../plan/minutes-left.ts'
import { TitledCard } from '../ui/card.tsx'
import { day } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** A stored user may lack the subscription until the profile has loaded. */
export const MinutesCard = ({ subscription }: { subscription: Subscription | undefined }) => (
  <TitledCard title="Minutes remaining">
    {subscription ? <Minutes {...subscription} /> : <Skeleton className="mt-4 h-24" />}
    <TextLink to="/transcription-history" className="mt-4 inline-block">
      View transcription history
    </TextLink>
  </TitledCard>
)

function Minutes({ subscription_minutes: total, used_minutes: used, current_period_end }: Subscription) {
  const left = minutesLeft(total, used)
  return (
    <>
      <Meter label="Minutes remaining" unit="minutes" value={left} max={total} />
      <p className="mt-3 text-soft">
        {left === 0 ? 'Nothing left until ' : 'Resets on '}
        <time dateTime={current_period_end}>{day(current_period_end)}</time>.
      </p>
    </>
  )
}
