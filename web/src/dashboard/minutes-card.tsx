import type { Subscription } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'
import { minutesLeft } from '../plan/minutes-left.ts'
import { Card } from '../ui/card.tsx'
import { day, figure } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Stored users of an older version may lack the subscription until the profile has loaded. */
export function MinutesCard({ subscription }: { subscription: Subscription | undefined }) {
  return (
    <Card aria-labelledby="minutes-heading">
      <h2 id="minutes-heading" className="text-lg">
        Minutes remaining
      </h2>
      {subscription ? <Minutes {...subscription} /> : <Skeleton className="mt-4 h-24" />}
      <Link to="/transcription-history" className="link mt-4 inline-block">
        View transcription history
      </Link>
    </Card>
  )
}

function Minutes({ subscription_minutes: total, used_minutes: used, current_period_end }: Subscription) {
  const left = minutesLeft(total, used)
  return (
    <>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="font-display font-semibold text-5xl tabular-nums tracking-tight">
          {figure(left)}
        </span>
        <span className="text-soft">of {figure(total)} minutes</span>
      </p>
      <Meter label="Minutes remaining" value={left} max={total} />
      <p className="mt-3 text-soft">
        {left === 0 ? 'Nothing left until ' : 'Resets on '}
        <time dateTime={current_period_end}>{day(current_period_end)}</time>.
      </p>
    </>
  )
}
