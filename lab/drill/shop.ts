import { Agent } from 'node:http'
import axios from 'axios'
import type { ShopRoute } from './plan.ts'

/** A subscription as Stripe's stand-in shows it. */
export interface StripeSubscription {
  id: string
  customer: string
  status: string
  cancel_at: number | null
  metadata: { user_id?: string }
}
interface StripeInvoice {
  id: string
  status: string
}
export interface SentMail {
  /** ISO time. */
  at: string
  subject: string
  headers: { name: string; value: string }[]
}

const MANY = 1_000_000
/** Fault switches of the stand-ins: name, on, off. */
const SWITCHES = {
  'stripe hang': ['stripe', { hang: MANY }, { hang: 0 }],
  'stripe 429': ['stripe', { rateLimited: MANY }, { rateLimited: 0 }],
  'stripe 500': ['stripe', { error: MANY }, { error: 0 }],
  'stripe lost': ['stripe', { lost: MANY }, { lost: 0 }],
  'mail refuse': ['mail', { down: true }, { down: false }],
} satisfies Record<ShopRoute, [string, object, object]>

/** Opens the stand-ins for Stripe and the mail server: their ledgers, payments and the passing of months. */
export function openShop(url: string, secretKey: string) {
  const client = axios.create({
    baseURL: url,
    headers: { authorization: `Bearer ${secretKey}` },
    // The other side may close a reused connection just then.
    httpAgent: new Agent({ keepAlive: false }),
  })
  const get = async (path: string) => (await client.get(path)).data
  return {
    pay: (sessionId: string) => client.post(`/api/stripe/checkout/${sessionId}/pay`, {}),
    /** Ends a subscription's month, which is paid or declined, or ends the subscription if it was canceled. */
    advance: (id: string, outcome: 'paid' | 'declined') =>
      client.post(`/api/stripe/subscriptions/${id}/advance`, { outcome }),
    subscriptionsOf: async (userId: string): Promise<StripeSubscription[]> =>
      (await get('/api/stripe/subscriptions')).subscriptions.filter(
        ({ metadata }: StripeSubscription) => metadata.user_id === userId,
      ),
    paidBy: async (customer: string): Promise<StripeInvoice[]> =>
      (await get(`/v1/invoices?customer=${customer}&limit=100`)).data.filter(
        ({ status }: StripeInvoice) => status === 'paid',
      ),
    mailsTo: async (address: string): Promise<SentMail[]> =>
      (await get(`/api/mail?to=${encodeURIComponent(address)}`)).mails,
    /** Sends the newest webhooks once more. */
    async repeatWebhooks(): Promise<void> {
      for (const { id } of (await get('/api/stripe/webhooks')).deliveries)
        await client.post(`/api/stripe/webhooks/${id}/resend`)
    },
    async misbehave(route: ShopRoute): Promise<void> {
      const [name, on] = SWITCHES[route]
      await client.post(`/api/${name}/faults`, on)
    },
    async behave(route: ShopRoute): Promise<void> {
      const [name, , off] = SWITCHES[route]
      await client.post(`/api/${name}/faults`, off)
    },
  }
}
