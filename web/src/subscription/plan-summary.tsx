import type { SubscriptionDetails } from '@voxscribe/contracts/http'
import { PlanBadge, PlanChange } from '../plan/plan-change.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { Facts } from '../ui/facts.tsx'
import { day, figure, money } from '../ui/figures.ts'
import { Meter } from '../ui/meter.tsx'

export function PlanSummary(subscription: SubscriptionDetails['subscription']) {
  const { plan, status, usedMinutes, minutesLeft, subscriptionMinutes, amount, currency } = subscription
  const { currentPeriodStart, currentPeriodEnd } = subscription
  const paid = plan !== 'free'
  return (
    <TitledCard
      title={paid ? 'Pro plan' : 'Free plan'}
      badge={<PlanBadge plan={plan} status={status} labels={['Active', 'Canceling']} />}
      large
    >
      <Meter label="Minutes left" unit="minutes left" value={minutesLeft} max={subscriptionMinutes} />
      <Facts
        className="mt-6"
        facts={[
          ['Minutes used', `${figure(usedMinutes)} of ${figure(subscriptionMinutes)}`],
          ['Amount', amount === 0 ? 'Free' : money(amount, currency)],
          ['Billing cycle', 'Monthly'],
          [
            paid && status !== 'active' ? 'Last period' : 'Current period',
            `${day(currentPeriodStart)} to ${day(currentPeriodEnd)}`,
          ],
          ['Plan type', paid ? 'Pro, monthly' : 'Free'],
        ]}
      />
      <div className="mt-6 flex flex-wrap items-center gap-3">
        {paid && <PlanChange called="downgrade" status={status} until={currentPeriodEnd} />}
        <ButtonLink to="/pricing" variant={paid ? 'quiet' : 'primary'}>
          {paid ? 'Change plan' : 'Upgrade to Pro'}
        </ButtonLink>
      </div>
    </TitledCard>
  )
}
