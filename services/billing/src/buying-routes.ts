import { api } from '@voxscribe/contracts/http'
import { implement, type RateLimit, type Route, refusal, within } from '@voxscribe/service'
import type { createCheckout } from './plan/checkout.ts'
import type { PlanManagement, Verified } from './plan/manage-plan.ts'
import { presentStatus, presentVerified } from './presenting.ts'

interface Deps {
  checkout: ReturnType<typeof createCheckout>
  plan: PlanManagement
  limits: Record<'checkout' | 'verify' | 'planChange' | 'portal', RateLimit>
  /** Longest time a person waits for all calls to Stripe together. */
  timeoutMs: number
}

/** Routes to buy, verify, cancel, and undo a cancellation. */
export function buyingRoutes({ checkout, plan, limits, timeoutMs }: Deps): Route[] {
  /** Counts the call against its limit, then waits for Stripe. */
  async function limited<T>(limit: keyof Deps['limits'], userId: string, work: () => Promise<T>): Promise<T> {
    await limits[limit].count(userId)
    return within(timeoutMs, work(), tooLate)
  }
  return [
    implement(api.createCheckoutSession, async ({ userId, body, uiLanguage }) => {
      const start = () => checkout.start(userId, body.planType, body.priceId, uiLanguage)
      const { url, sessionId } = await limited('checkout', userId, start)
      return { data: { url, sessionId } }
    }),
    implement(api.verifySession, async ({ userId, body }) => {
      const verified = await limited('verify', userId, () => plan.verify(userId, body.sessionId))
      return { data: presentVerified(verified), message: messageOf(verified) }
    }),
    implement(api.cancelSubscription, async ({ userId }) => ({
      data: presentStatus(await limited('planChange', userId, () => plan.cancel(userId))),
      message:
        'Your subscription has been scheduled for cancellation at the end of the current billing period. You will continue to have access to Pro features until then.',
    })),
    implement(api.reactivateSubscription, async ({ userId }) => ({
      data: presentStatus(await limited('planChange', userId, () => plan.reactivate(userId))),
      message: 'Your subscription has been reactivated successfully!',
    })),
    implement(api.openPortal, async ({ userId, uiLanguage }) => ({
      data: { url: await limited('portal', userId, () => plan.portalUrl(userId, uiLanguage)) },
    })),
  ]
}

/** Ends the wait, but not the work, which is harmless: a repeated call finds it done. */
function tooLate(): never {
  throw refusal('payment_service_unavailable')
}

function messageOf({ session, period }: Verified): string {
  if (period) return 'Payment verified successfully'
  if (session.status === 'expired') return 'Payment was canceled. No charges were made to your account.'
  return 'Payment was not completed. Please try again or contact support.'
}

const BUYING = [
  api.createCheckoutSession,
  api.verifySession,
  api.cancelSubscription,
  api.reactivateSubscription,
  api.openPortal,
] as const

/** Routes for an installation without a Stripe account: the free plan works, and nothing can be bought. */
export const closedRoutes = (): Route[] =>
  BUYING.map(endpoint =>
    implement(endpoint, async () => {
      throw refusal('payments_off')
    }),
  )
