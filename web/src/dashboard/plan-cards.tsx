import type { Subscription } from '@voxscribe/contracts/http'
import { DONE, PlanBadge, PlanChange } from '../plan/plan-change.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { day, figure } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'
import { TextLink } from '../ui/text-link.tsx'

export function MinutesCard({ subscription_minutes, used_minutes, current_period_end }: Subscription) {
  const left = Math.max(0, subscription_minutes - used_minutes)
  return (
    <TitledCard title="Minutes remaining">
      <Meter unit="minutes" value={left} max={subscription_minutes} />
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

/** Milliseconds: the dashboard's toasts are the short ones (specification, section 9). */
const TOAST_DURATION = 3000
const LABELS: [string, string] = ['Pro Plan Active', 'Pro Plan - Canceling']

export function SubscriptionCard(plan: Subscription) {
  const { status, subscription_minutes, current_period_end } = plan
  const isFree = plan.plan === 'free'
  return (
    <TitledCard title="Subscription" badge={<PlanBadge {...plan} labels={LABELS} />}>
      <p className="mt-2 text-soft">
        {figure(subscription_minutes)} minutes a month
        {isFree ? ', no card needed.' : status === 'active' ? '. Renews on ' : '. Pro features until '}
        {!isFree && (
          <>
            <time dateTime={current_period_end}>{day(current_period_end)}</time>.
          </>
        )}
      </p>
      {isFree ? (
        <ButtonLink to="/pricing" className="mt-4 w-full">
          Upgrade to Pro
        </ButtonLink>
      ) : (
        <div className="mt-4 grid gap-3">
          {status !== 'active' && <p className="text-soft text-sm">{DONE.cancelSubscription}</p>}
          <PlanChange called="cancel" status={status} until={current_period_end} duration={TOAST_DURATION} />
          <TextLink to="/subscription-details" className="justify-self-start">
            Subscription details
          </TextLink>
        </div>
      )}
    </TitledCard>
  )
}
