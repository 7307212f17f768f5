import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope } from '@voxscribe/contracts/events'
import { SANDBOX_PRICE_ID, startSandbox } from '@voxscribe/sandbox'
import { eventually, forAll, silentLog, startAlone, tokenFor } from '@voxscribe/service/testing'
import { Stripe } from 'stripe'
import { billingAt } from '../service.ts'
import { openCallGate, openWebhookGate } from './gates.ts'

const WEBHOOK_SECRET = 'whsec_of_the_test'

export interface Answer {
  status: number
  requestId: string | null
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  body: any
}

let users = 0
export const newUser = () => `user-${++users}`

export type Shop = Awaited<ReturnType<typeof openShop>>

/** Billing with a Stripe stand-in behind a gate that can inject faults, and webhooks that can be held back. */
export async function openShop(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'billing-'))
  const webhooks = await openWebhookGate()
  const stripe = { secretKey: 'sk_test_billing', webhookSecret: WEBHOOK_SECRET }
  const sandbox = await startSandbox({ port: 0, dataDir, appUrl: webhooks.url, log: silentLog, stripe })
  const calls = await openCallGate(() => String(sandbox.stripeUrl))
  const clock = { ahead: 0 }
  const alone = await startAlone(
    billingAt(() => new Date(Date.now() + clock.ahead)),
    {
      PUBLIC_URL: 'https://voxscribe.example',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: calls.url,
      STRIPE_PRICE_ID: SANDBOX_PRICE_ID,
      ...settings,
    },
  )
  const { others: bus, stored, url } = alone
  const answered = async (response: Response): Promise<Answer> => ({
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    headers: response.headers,
    body: await response.json(),
  })
  const get = async (userId: string, path: string) =>
    answered(await fetch(`${url}/api/stripe/${path}`, { headers: { authorization: tokenFor(userId) } }))
  const post = async (userId: string, path: string, body?: object, language = 'en') =>
    answered(
      await fetch(`${url}/api/stripe/${path}`, {
        method: 'POST',
        headers: {
          authorization: tokenFor(userId),
          'accept-language': language,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )

  const statusOf = async (userId: string) => (await get(userId, 'subscription-status')).body.data

  const buy = (userId: string, language?: string) =>
    post(userId, 'create-checkout-session', { planType: 'monthly' }, language)
  /** Starts a purchase, by default for a new user; it isn't paid yet. */
  async function started(userId = newUser()) {
    const { sessionId }: { sessionId: string } = (await buy(userId)).body.data
    return { userId, sessionId }
  }
  const act = async (path: string, body: object = {}): Promise<Answer> =>
    answered(
      await fetch(`${sandbox.stripeUrl}/api/stripe/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )

  return {
    ...alone,
    bus,
    /** Sends a note's length, and returns billing's reply. */
    async measure(event: Envelope) {
      await bus.publish(event)
      return eventually(() =>
        [...bus.sent('QuotaReserved'), ...bus.sent('QuotaExceeded')].find(
          ({ causeId }) => causeId === event.id,
        ),
      )
    },
    /** Sends a note's end, and waits until it's charged. */
    async charge(event: Envelope<{ transcriptionId: string }>) {
      await bus.publish(event)
      const { transcriptionId: _id } = event.data
      const isCharged = { charged: { $ne: null } }
      const ofAccount = { 'line._id': _id, 'line.charged': { $ne: null } }
      await eventually(
        async () =>
          (await stored('accounts').findOne(ofAccount)) ??
          (await stored('ledger').findOne({ _id, ...isCharged })),
      )
    },
    /** Waits until the user has these minutes. */
    becomes: (userId: string, used_minutes: number, remaining_minutes: number) =>
      eventually(async () => {
        expect(await statusOf(userId)).toMatchObject({ used_minutes, remaining_minutes })
        return true
      }),
    calls,
    /** The metrics as Prometheus reads them. */
    metrics: async () => (await fetch(`${alone.managementUrl}/metrics`)).text(),
    /** Milliseconds by which billing's clock is ahead. */
    clock,
    webhooks,
    get,
    post,
    buy,
    started,
    /** A purchase that is paid at Stripe, but unknown to billing. */
    async paid() {
      const purchase = await started()
      await act(`checkout/${purchase.sessionId}/pay`)
      return purchase
    },
    verify: (userId: string, sessionId: string) => post(userId, 'verify-session', { sessionId }),
    /** The user's plan and minutes. */
    statusOf,
    /** The published changes of the user's plan. */
    changesOf: (userId: string) =>
      bus.sent('SubscriptionChanged').flatMap(({ data }) => (data.userId === userId ? [data.change] : [])),
    /** Acts as a payer, a bank or the passage of time at the stand-in. */
    act,
    sandboxUrl: String(sandbox.stripeUrl),
    /** A client of the stand-in that bypasses the gate. */
    atStripe: stripeAt(String(sandbox.stripeUrl), stripe.secretKey),
    /** Delivers an event as Stripe does, by default with a current signature. */
    deliver: async (body: string, signature?: string | null): Promise<Answer> => {
      const signed = signature === undefined ? sign(body) : signature
      return answered(
        await fetch(`${url}/webhooks/stripe`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(signed === null ? {} : { 'stripe-signature': signed }),
          },
          body,
        }),
      )
    },
    async stop() {
      await alone.stop()
      await calls.close()
      await sandbox.stop()
      await webhooks.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A `Stripe-Signature` header. */
export const sign = (payload: string, { at = Date.now(), secret = WEBHOOK_SECRET } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })

function stripeAt(url: string, secretKey: string) {
  const { hostname, port } = new URL(url)
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
}

/** One shop for all cases of a file; each case starts at the present time, with a healthy Stripe. */
export function shopForAll(settings?: Parameters<typeof openShop>[0]): Shop {
  const shop = forAll(() => openShop(settings))
  beforeEach(() => {
    shop.clock.ahead = 0
    shop.calls.fate = () => 'pass'
    shop.calls.calls.length = 0
  })
  return shop
}
