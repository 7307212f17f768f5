import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'

/** While a renewal could not be charged, Stripe tries again by itself and the plan goes on. */
export const PaymentProblemBanner = ({ action }: { action?: ReactNode }) => (
  <Banner tone="warning" className="mt-6" action={action}>
    Your last payment did not go through. Your plan stays active while it is tried again; please check your
    card.
  </Banner>
)
