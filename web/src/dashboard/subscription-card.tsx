import type { Subscription } from '@voxscribe/contracts/http'
import { DONE, PlanChange } from '../plan/plan-change.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { day, figure } from '../ui/figures.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** Milliseconds: the dashboard's toasts are the short ones (specification, section 9). */
const TOAST_DURATION = 3000

export function SubscriptionCard({ subscription }: { subscription: Subscription | undefined }) {
  return (
    <TitledCard title="Subscription" badge={subscription && <PlanBadge {...subscription} />}>
      {!subscription && <Skeleton className="mt-4 h-24" />}
      {subscription &&
        (subscription.plan === 'free' ? <FreePlan {...subscription} /> : <PaidPlan {...subscription} />)}
    </TitledCard>
  )
}

function PlanBadge({ plan, status }: Subscription) {
  if (plan === 'free') return <Badge>Free Plan</Badge>
  return status === 'active' ? (
    <Badge tone="good">Pro Plan Active</Badge>
  ) : (
    <Badge tone="warn">Pro Plan - Canceling</Badge>
  )
}

const FreePlan = ({ subscription_minutes }: Subscription) => (
  <>
    <p className="mt-2 text-soft">{figure(subscription_minutes)} minutes a month, no card needed.</p>
    <ButtonLink to="/pricing" className="mt-4 w-full">
      Upgrade to Pro
    </ButtonLink>
  </>
)

function PaidPlan({ status, subscription_minutes, current_period_end }: Subscription) {
  const active = status === 'active'
  return (
    <>
      <p className="mt-2 text-soft">
        {figure(subscription_minutes)} minutes a month. {active ? 'Renews on ' : 'Pro features until '}
        <time dateTime={current_period_end}>{day(current_period_end)}</time>.
      </p>
      {!active && <p className="mt-2 text-soft text-sm">{DONE.cancelSubscription}</p>}
      <div className="mt-4 grid gap-3">
        <PlanChange
          active={active}
          cancelLabel="Cancel Subscription"
          question="Cancel your subscription?"
          confirmLabel="Yes, cancel it"
          cancelFailed="Failed to cancel subscription"
          duration={TOAST_DURATION}
        >
          You keep Pro until {day(current_period_end)} and won’t be charged again. After that you’re on the
          free plan.
        </PlanChange>
        <TextLink to="/subscription-details" className="justify-self-start">
          Subscription details
        </TextLink>
      </div>
    </>
  )
}
