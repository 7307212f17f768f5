import type { Subscription } from '@voxscribe/contracts/http'
import { minutesLeft } from '../plan/minutes-left.ts'
import { TitledCard } from '../ui/card.tsx'
import { day } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'
import { TextLink } from '../ui/text-link.tsx'

export function MinutesCard({ subscription_minutes, used_minutes, current_period_end }: Subscription) {
  const left = minutesLeft(subscription_minutes, used_minutes)
  return (
    <TitledCard title="Minutes remaining">
      <Meter label="Minutes remaining" unit="minutes" value={left} max={subscription_minutes} />
      <p className="mt-3 text-soft">
        {left === 0 ? 'Nothing left until ' : 'Resets on '}
        <time dateTime={current_period_end}>{day(current_period_end)}</time>.
      </p>
      <TextLink to="/transcription-history" className="mt-4 inline-block">
        View transcription history
      </TextLink>
    </TitledCard>
  )
}
