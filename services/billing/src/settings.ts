import { type PaidPlan, priceOf } from '@voxscribe/contracts/plans'
import { baseSettings, duration, offerOf, offerSettings, origin, publicUrl, rate } from '@voxscribe/service'
import { z } from 'zod'

export const billingSettings = baseSettings
  .extend({
    PUBLIC_URL: publicUrl,
    ...offerSettings,
    STRIPE_SECRET_KEY: z
      .string()
      .optional()
      .describe('Stripe’s secret key; unset: nothing can be bought, the free plan still works'),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .startsWith('whsec_', 'must be the signing secret of the endpoint, which begins with whsec_')
      .optional()
      .describe('Signing secret of the webhook endpoint `<PUBLIC_URL>/webhooks/stripe`'),
    STRIPE_PRICE_ID: z
      .string()
      .optional()
      .describe(`The price of the paid plan at Stripe: ${priceOf('monthly')}, recurring`),
    STRIPE_API_URL: origin
      .optional()
      .describe('Origin of Stripe’s API; unset: Stripe itself (under `npm start` without a key: sandbox)'),
    STRIPE_TIMEOUT: duration('4s').describe('Time limit of one call to Stripe; each is tried twice'),
    RATE_LIMIT_CHECKOUT: rate('30/1h').describe('Purchases started per account'),
    RATE_LIMIT_VERIFY: rate('60/1h').describe('Payments verified per account'),
    RATE_LIMIT_PLAN_CHANGE: rate('30/1h').describe('Cancellations made or undone per account'),
    RATE_LIMIT_PORTAL: rate('30/1h').describe('Visits to Stripe’s page for cards per account'),
  })
  .superRefine((settings, context) => {
    if (!settings.STRIPE_SECRET_KEY || !offerOf(settings).plans) return
    const need = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (!settings.STRIPE_WEBHOOK_SECRET) need('STRIPE_WEBHOOK_SECRET', 'is needed with STRIPE_SECRET_KEY')
    if (!settings.STRIPE_PRICE_ID) need('STRIPE_PRICE_ID', 'is needed with STRIPE_SECRET_KEY')
  })

/** Returns Stripe's price id for each plan on sale. */
export const priceIdsOf = (
  settings: Pick<z.output<typeof billingSettings>, 'STRIPE_PRICE_ID'>,
): Record<PaidPlan, string> => ({ monthly: settings.STRIPE_PRICE_ID ?? '' })
