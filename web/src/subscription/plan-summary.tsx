import type { SubscriptionDetails } from '@voxscribe/contracts/http'
import { PlanChange } from '../plan/plan-change.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { Facts } from '../ui/facts.tsx'
import { day, figure, money } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'

type Plan = SubscriptionDetails['subscription']

export function PlanSummary(subscription: Plan) {
  const { plan, status, minutesLeft, subscriptionMinutes } = subscription
  const paid = plan !== 'free'
  return (
    <TitledCard
      title={paid ? 'Pro plan' : 'Free plan'}
      badge={<StatusBadge paid={paid} status={status} />}
      large
    >
      <Meter label="Minutes left" unit="minutes left" value={minutesLeft} max={subscriptionMinutes} />
      <Facts className="mt-6" facts={factsOf(subscription)} />
      <div className="mt-6 flex flex-wrap items-center gap-3">
        {paid && (
          <PlanChange
            active={status === 'active'}
            cancelLabel="Downgrade to Free"
            question="Downgrade to the free plan?"
            confirmLabel="Yes, downgrade"
            cancelFailed="Failed to downgrade subscription"
          >
            You keep Pro until {day(subscription.currentPeriodEnd)} and won’t be charged again. From then on
            you have the free plan’s minutes.
          </PlanChange>
        )}
        <ButtonLink to="/pricing" variant={paid ? 'quiet' : 'primary'}>
          {paid ? 'Change plan' : 'Upgrade to Pro'}
        </ButtonLink>
      </div>
    </TitledCard>
  )
}

function StatusBadge({ paid, status }: { paid: boolean; status: Plan['status'] }) {
  if (!paid) return <Badge>Free Plan</Badge>
  return status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Canceling</Badge>
}

function factsOf(subscription: Plan): [string, string][] {
  const { plan, status, amount, currency, interval, currentPeriodStart, currentPeriodEnd } = subscription
  const { usedMinutes, subscriptionMinutes } = subscription
  return [
    ['Minutes used', `${figure(usedMinutes)} of ${figure(subscriptionMinutes)}`],
    ['Amount', amount === 0 ? 'Free' : money(amount, currency)],
    ['Billing cycle', interval === 'month' ? 'Monthly' : interval],
    [
      plan !== 'free' && status !== 'active' ? 'Last period' : 'Current period',
      `${day(currentPeriodStart)} to ${day(currentPeriodEnd)}`,
    ],
    ['Plan type', plan === 'free' ? 'Free' : 'Pro, monthly'],
  ]
}
