import { api } from '@voxscribe/contracts/http'
import { defineService, implement, offerOf, type Parts, type Route } from '@voxscribe/service'
import type { z } from 'zod'
import { buyingRoutes, closedRoutes } from './buying-routes.ts'
import { createErase } from './erase.ts'
import { createHandlers } from './handlers.ts'
import { type Accounts, createAccounts, createLedger } from './minutes/accounts.ts'
import { eachAccount } from './minutes/each-account.ts'
import { createOperatorCalls } from './operators.ts'
import { createCheckout } from './plan/checkout.ts'
import { createPlanManagement } from './plan/manage-plan.ts'
import { createPayments, type Payments } from './plan/payments.ts'
import { createRecheckJob, createUpdateCustomer } from './plan/recheck.ts'
import { createApplyEvent } from './plan/stripe-events.ts'
import { createPurchaseEnded, createSynchronise } from './plan/synchronise.ts'
import { balanceRoute, EXPORTS, exportRoute, readingRoutes } from './routes.ts'
import { billingSettings, priceIdsOf } from './settings.ts'
import { connectStripe } from './stripe/calls.ts'
import { createStripeReceipts, mountWebhook } from './stripe/webhook.ts'

type BillingParts = Parts<z.output<typeof billingSettings>>
/** A person waits for at most this many timeouts of one call (two tries and a half): 10 s by default. */
const TIMEOUTS_PER_REQUEST = 2.5

/** Plans, minutes and payments. `now`: the clock. */
export const billingAt = (now: () => Date) =>
  defineService({
    name: 'billing',
    settings: billingSettings,
    build(parts) {
      const ledger = createLedger(parts.documents)
      const accounts = createAccounts(parts.documents, ledger, now, parts.settings.FREE_MINUTES)
      const payments = createPayments(parts.documents)
      const selling = createSelling(parts, accounts, payments)
      return {
        handlers: createHandlers({ accounts, updateCustomer: selling.updateCustomer }),
        erase: createErase(accounts, selling.stripe),
        routes: [
          ...readingRoutes({ accounts, ledger, payments }),
          balanceRoute({ accounts }),
          exportRoute({ accounts, ledger, payments }, parts.rateLimits('export-person', EXPORTS, true)),
          ...selling.routes,
        ],
        mount: selling.mount,
        admin: createOperatorCalls(accounts),
        // Keeps the minutes correct for inactive users as well.
        jobs: [
          {
            name: 'roll-over-months',
            everyMs: 60_000,
            run: async () => eachAccount(await accounts.monthOver(), accounts.rollOver),
          },
          ...selling.jobs,
        ],
      }
    },
  })

export const billingService = billingAt(() => new Date())

/** Creates the parts that need a Stripe account. */
function createSelling(
  { settings, documents, rateLimits, log, closed }: BillingParts,
  accounts: Accounts,
  payments: Payments,
) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secret } = settings
  const priceIds = priceIdsOf(settings)
  if (!offerOf(settings).plans || !secretKey || !secret || !priceIds.monthly) {
    return {
      routes: [...closedRoutes(), priceRoute('')],
      mount: () => {},
      jobs: [],
      updateCustomer: async () => {},
      stripe: undefined,
    }
  }
  const stripe = connectStripe(
    {
      secretKey,
      priceIds: Object.values(priceIds),
      apiUrl: settings.STRIPE_API_URL,
      timeoutMs: settings.STRIPE_TIMEOUT,
    },
    log,
  )
  const publicUrl = settings.PUBLIC_URL
  const synchronise = createSynchronise({ accounts, payments, stripe, closed })
  const purchaseEnded = createPurchaseEnded(accounts, synchronise)
  const updateCustomer = createUpdateCustomer({ accounts, stripe })
  const selling = { accounts, payments, stripe, synchronise, purchaseEnded, log }
  const plan = createPlanManagement({ ...selling, publicUrl })
  return {
    routes: [
      priceRoute(priceIds.monthly),
      ...buyingRoutes({
        checkout: createCheckout({ ...selling, priceIds, publicUrl }),
        plan,
        limits: {
          checkout: rateLimits('checkout', settings.RATE_LIMIT_CHECKOUT),
          verify: rateLimits('verify', settings.RATE_LIMIT_VERIFY),
          planChange: rateLimits('plan-change', settings.RATE_LIMIT_PLAN_CHANGE),
          portal: rateLimits('portal', settings.RATE_LIMIT_PORTAL),
        },
        timeoutMs: TIMEOUTS_PER_REQUEST * settings.STRIPE_TIMEOUT,
      }),
    ],
    mount: mountWebhook({
      secret,
      receipts: createStripeReceipts(documents),
      process: createApplyEvent(selling),
      log,
    }),
    jobs: [createRecheckJob({ ...selling, updateCustomer, applyBlock: plan.applyBlock })],
    stripe,
    // While Stripe is unavailable, the recheck sends it later.
    updateCustomer: (userId: string) =>
      updateCustomer(userId).catch(err =>
        log.warn({ err, userId }, 'could not update the customer at Stripe'),
      ),
  }
}

/** For the gateway, whose page shows the price. */
const priceRoute = (priceId: string): Route =>
  implement(api.priceOnOffer, async () => ({ data: { priceId } }))
