import type { Subscription } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'
import { Banner } from '../../ui/banner.tsx'
import { useSubscriptionStatus } from './subscription-status.ts'

/** While a renewal could not be charged, Stripe tries again by itself and the plan goes on. */
export function PaymentProblem({ subscription }: { subscription: Subscription | undefined }) {
  const paid = subscription !== undefined && subscription.plan !== 'free'
  const status = useSubscriptionStatus(paid)
  if (!paid || !status.data?.payment_problem) return null
  return (
    <Banner
      tone="warning"
      className="mt-6"
      action={
        <Link to="/subscription-details" className="link">
          See your payments
        </Link>
      }
    >
      Your last payment did not go through. Your plan stays active while it is tried again; please check your
      card.
    </Banner>
  )
}
