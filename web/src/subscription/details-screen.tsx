import { useQuery } from '@tanstack/react-query'
import type { SubscriptionDetails } from '@voxscribe/contracts/http'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { call } from '../session/client.ts'
import { TitledCard } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Facts } from '../ui/facts.tsx'
import { figure, megabytes } from '../ui/figures.ts'
import { LoadError } from '../ui/load-error.tsx'
import { Page } from '../ui/page.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { MinutesLedger } from './minutes-ledger.tsx'
import { PlanSummary } from './plan-summary.tsx'
import { RecentPayments } from './recent-payments.tsx'

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
