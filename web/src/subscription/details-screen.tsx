import { useQuery } from '@tanstack/react-query'
import { RECENT_PAYMENTS } from '@voxscribe/contracts/business'
import type { Payment, SubscriptionDetails } from '@voxscribe/contracts/http'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { PlanBadge, PlanChange } from '../plan/plan-change.tsx'
import { call } from '../session/client.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Facts } from '../ui/facts.tsx'
import { day, figure, megabytes, money } from '../ui/figures.ts'
import { LoadError } from '../ui/load-error.tsx'
import { Meter } from '../ui/meter.tsx'
import { Page } from '../ui/page.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { MinutesLedger } from './minutes-ledger.tsx'

const COLUMNS = 'mt-8 gap-6 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]'

export default function DetailsScreen() {
  const details = useQuery({
    queryKey: ['subscription', 'details'],
    queryFn: async ({ signal }) => (await call('subscriptionDetails', { signal })).data,
    refetchOnWindowFocus: 'always',
  })
  return (
    <Page title="Subscription details">
      <LoadError of={[details]} fallback="Failed to load subscription details" />
      {details.isPending && <Skeletons className={COLUMNS} heights={['h-80', 'h-80']} />}
      {details.data && <Details {...details.data} />}
    </Page>
  )
}

const Details = ({ subscription, usageStats, paymentHistory }: SubscriptionDetails) => (
  <>
    {subscription.paymentProblem && <PaymentProblemBanner />}
    <div className={classes('grid', COLUMNS)}>
      <PlanSummary {...subscription} />
      <TitledCard title="Usage statistics" large>
        <Facts
          className="mt-5"
          facts={[
            ['Transcriptions', figure(usageStats.totalTranscriptions)],
            ['Completed', figure(usageStats.completedTranscriptions)],
            ['Failed', figure(usageStats.failedTranscriptions)],
            ['Total file size', megabytes(usageStats.totalFileSize)],
          ]}
        />
        <TextLink to="/transcription-history" className="mt-5 inline-block">
          View transcription history
        </TextLink>
      </TitledCard>
    </div>
    <RecentPayments payments={paymentHistory} />
    <MinutesLedger />
  </>
)

function PlanSummary(subscription: SubscriptionDetails['subscription']) {
  const { plan, status, usedMinutes, minutesLeft, subscriptionMinutes, amount, currency } = subscription
  const { currentPeriodStart, currentPeriodEnd } = subscription
  const paid = plan !== 'free'
  return (
    <TitledCard
      title={paid ? 'Pro plan' : 'Free plan'}
      badge={<PlanBadge plan={plan} status={status} labels={['Active', 'Canceling']} />}
      large
    >
      <Meter unit="minutes left" value={minutesLeft} max={subscriptionMinutes} />
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

const TONES: Record<string, Tone> = {
  paid: 'good',
  refunded: 'warn',
  partially_refunded: 'warn',
  unpaid: 'warn',
  failed: 'bad',
  disputed: 'bad',
}
const readable = (word: string) => word.replaceAll('_', ' ')

const RecentPayments = ({ payments }: { payments: Payment[] }) => (
  <TitledCard title="Recent payments" large className="mt-6">
    {payments.length === 0 ? (
      <p className="mt-3 text-soft">No payments so far.</p>
    ) : (
      <ul className="mt-4 divide-y divide-line border-line border-y">
        {payments.slice(0, RECENT_PAYMENTS).map(payment => (
          <li key={payment.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
            <span>
              <span className="font-semibold tabular-nums">{money(payment.amount, payment.currency)}</span>{' '}
              <span className="text-soft capitalize">{readable(payment.planType)} plan</span>
            </span>
            <span className="flex items-center gap-4">
              <time dateTime={payment.createdAt} className="text-soft tabular-nums">
                {day(payment.createdAt)}
              </time>
              <Badge tone={TONES[payment.paymentStatus] ?? 'neutral'}>
                <span className="capitalize">{readable(payment.paymentStatus)}</span>
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    )}
  </TitledCard>
)
