import { baseSettings, duration, onOff, origin } from '@voxscribe/service'
import { z } from 'zod'

export const billingSettings = baseSettings
  .extend({
    PUBLIC_URL: origin.default('http://localhost:8080'),
    /** Unset: nothing can be bought; the free plan works all the same. */
    STRIPE_SECRET_KEY: z.string().optional(),
    STRIPE_WEBHOOK_SECRET: z.string().optional(),
    STRIPE_PRICE_ID: z.string().optional(),
    /** Unset: Stripe itself. */
    STRIPE_API_URL: origin.optional(),
    /** Makes the price of the paid plan at the start when there is none; meant for the sandbox. */
    STRIPE_CREATE_PRICE: onOff('off'),
    /** For one call to Stripe; each is tried twice. */
    STRIPE_TIMEOUT: duration('4s'),
  })
  .superRefine((settings, context) => {
    if (!settings.STRIPE_SECRET_KEY) return
    const need = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (!settings.STRIPE_WEBHOOK_SECRET) need('STRIPE_WEBHOOK_SECRET', 'is needed with STRIPE_SECRET_KEY')
    if (!settings.STRIPE_PRICE_ID && !settings.STRIPE_CREATE_PRICE) {
      need('STRIPE_PRICE_ID', 'is needed with STRIPE_SECRET_KEY, unless STRIPE_CREATE_PRICE is on')
    }
  })
