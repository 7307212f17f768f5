import { useQuery } from '@tanstack/react-query'
import type { Subscription } from '@voxscribe/contracts/http'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { call } from '../session/client.ts'

/** A banner while the paid plan's last renewal could not be charged. */
export function PaymentProblem({ subscription }: { subscription: Subscription | undefined }) {
  const paid = subscription !== undefined && subscription.plan !== 'free'
  const status = useQuery({
    queryKey: ['subscription', 'status'],
    queryFn: async ({ signal }) => (await call('subscriptionStatus', { signal })).data,
    enabled: paid,
    refetchOnWindowFocus: 'always',
  })
  if (!paid || !status.data?.payment_problem) return null
  return <PaymentProblemBanner />
}
