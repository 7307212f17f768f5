import { useQuery } from '@tanstack/react-query'
import type { SubscriptionDetails } from '@voxscribe/contracts/http'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { call } from '../session/client.ts'
import { LoadError } from '../ui/load-error.tsx'
import { Page } from '../ui/page.tsx'
import { SaysLoading, Skeleton } from '../ui/skeleton.tsx'
import { MinutesLedger } from './minutes-ledger.tsx'
import { PlanSummary } from './plan-summary.tsx'
import { RecentPayments } from './recent-payments.tsx'
import { UsageStatistics } from './usage-statistics.tsx'

export default function DetailsScreen() {
  const details = useQuery({
    queryKey: ['subscription', 'details'],
    queryFn: async ({ signal }) => (await call('subscriptionDetails', { signal })).data,
    refetchOnWindowFocus: 'always',
  })
  return (
    <Page title="Subscription details">
      <LoadError of={[details]} fallback="Failed to load subscription details" />
      {details.isPending && <DetailsSkeleton />}
      {details.data && <Details {...details.data} />}
    </Page>
  )
}

const Details = ({ subscription, usageStats, paymentHistory }: SubscriptionDetails) => (
  <>
    {subscription.paymentProblem && <PaymentProblemBanner />}
    <div className="mt-8 grid gap-6 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
      <PlanSummary {...subscription} />
      <UsageStatistics {...usageStats} />
    </div>
    <RecentPayments payments={paymentHistory} />
    <MinutesLedger />
  </>
)

const DetailsSkeleton = () => (
  <div className="mt-8 grid gap-6 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
    <SaysLoading />
    <Skeleton className="h-80" />
    <Skeleton className="h-80" />
  </div>
)
