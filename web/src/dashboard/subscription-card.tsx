import type { Subscription } from '@voxscribe/contracts/http'
import { DONE, PlanBadge, PlanChange } from '../plan/plan-change.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { day, figure } from '../ui/figures.ts'
import { TextLink } from '../ui/text-link.tsx'

/** Milliseconds: the dashboard's toasts are the short ones (specification, section 9). */
const TOAST_DURATION = 3000
const LABELS: [string, string] = ['Pro Plan Active', 'Pro Plan - Canceling']

export const SubscriptionCard = (plan: Subscription) => (
  <TitledCard title="Subscription" badge={<PlanBadge {...plan} labels={LABELS} />}>
    {plan.plan === 'free' ? <FreePlan {...plan} /> : <PaidPlan {...plan} />}
  </TitledCard>
)

const FreePlan = ({ subscription_minutes }: Subscription) => (
  <>
    <p className="mt-2 text-soft">{figure(subscription_minutes)} minutes a month, no card needed.</p>
    <ButtonLink to="/pricing" className="mt-4 w-full">
      Upgrade to Pro
    </ButtonLink>
  </>
)

const PaidPlan = ({ status, subscription_minutes, current_period_end }: Subscription) => (
  <>
    <p className="mt-2 text-soft">
      {figure(subscription_minutes)} minutes a month.{' '}
      {status === 'active' ? 'Renews on ' : 'Pro features until '}
      <time dateTime={current_period_end}>{day(current_period_end)}</time>.
    </p>
    {status !== 'active' && <p className="mt-2 text-soft text-sm">{DONE.cancelSubscription}</p>}
    <div className="mt-4 grid gap-3">
      <PlanChange called="cancel" status={status} until={current_period_end} duration={TOAST_DURATION} />
      <TextLink to="/subscription-details" className="justify-self-start">
        Subscription details
      </TextLink>
    </div>
  </>
)
