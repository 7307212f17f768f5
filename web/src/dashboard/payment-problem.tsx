import type { Subscription } from '@voxscribe/contracts/http'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { useSubscriptionStatus } from './subscription-status.ts'

/** A banner while the paid plan's last renewal could not be charged. */
export function PaymentProblem({ subscription }: { subscription: Subscription | undefined }) {
  const paid = subscription !== undefined && subscription.plan !== 'free'
  const status = useSubscriptionStatus(paid)
  if (!paid || !status.data?.payment_problem) return null
  return <PaymentProblemBanner />
}
