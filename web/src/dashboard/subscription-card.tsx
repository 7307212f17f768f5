import type { Subscription } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'
import { PlanChange } from '../plan/plan-change.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { day, figure } from '../ui/figures.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** Milliseconds: the dashboard's toasts are the short ones (specification, section 9). */
const TOAST_DURATION = 3000

export function SubscriptionCard({ subscription }: { subscription: Subscription | undefined }) {
  return (
    <Card aria-labelledby="subscription-heading">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="subscription-heading" className="text-lg">
          Subscription
        </h2>
        {subscription && <PlanBadge {...subscription} />}
      </div>
      {!subscription && <Skeleton className="mt-4 h-24" />}
      {subscription &&
        (subscription.plan === 'free' ? <FreePlan {...subscription} /> : <PaidPlan {...subscription} />)}
    </Card>
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
        <Link to="/subscription-details" className="link justify-self-start">
          Subscription details
        </Link>
      </div>
    </>
  )
}
