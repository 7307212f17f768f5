import {
  type Documents,
  insertOnce,
  keepRawBody,
  type Logger,
  refusal,
  refuseOtherMethods,
  schemaOf,
  sendProblem,
  timedWebhook,
} from '@voxscribe/service'
import type { Express } from 'express'
import type { Stripe } from 'stripe'
import { z } from 'zod'

/** Stripe's own tolerance: an event signed longer ago, or further in the future, is a replay. */
const TOLERANCE_SECONDS = 300
/** Longer than the three days for which Stripe retries an event. */
const KEEP_SECONDS = 30 * 86_400

const BAD_SIGNATURE = refusal('bad_signature')

/** Stripe also signs notices without the object; we don't subscribe to any. */
const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.looseObject({}) }) })
const NO_OBJECT = refusal('bad_event')

const Receipt = z.object({ _id: z.string(), at: z.date() })
const receiptSchema = schemaOf(Receipt).index({ at: 1 }, { expireAfterSeconds: KEEP_SECONDS })

/** Reads an event that Stripe has just signed. Throws otherwise, also for future times, which the library accepts. */
async function readEvent(body: Buffer, signature: string | undefined, secret: string): Promise<Stripe.Event> {
  const { Stripe } = await import('stripe')
  const event = Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS)
  const signedAt = [...(signature ?? '').matchAll(/(?:^|,)\s*t=(\d+)/g)].map(
    ([, seconds]) => Number(seconds) * 1000,
  )
  if (signedAt.some(at => at > Date.now() + TOLERANCE_SECONDS * 1000)) throw new Error('Signed in the future')
  return event
}

/** Ids of processed events, so that each is processed once. */
export function createStripeReceipts(documents: Documents) {
  const events = documents.model('stripe_events', receiptSchema, {
    owner: null,
    because: 'ids of events only',
  })
  return {
    has: async (id: string) => (await events.exists({ _id: id })) !== null,
    keep: (id: string) => insertOnce(events, { _id: id, at: new Date() }),
  }
}

interface Deps {
  secret: string
  receipts: ReturnType<typeof createStripeReceipts>
  /** Must be idempotent: an event may be redelivered while it is being processed, or after a crash. */
  process(event: Stripe.Event): Promise<void>
  log: Logger
}

/** `POST /webhooks/stripe`: 200 once the event is processed, 400 for a bad signature; otherwise Stripe retries. */
export const mountWebhook =
  ({ secret, receipts, process, log }: Deps) =>
  (app: Express): void => {
    app.post('/webhooks/stripe', timedWebhook('stripe'), keepRawBody, async (request, response) => {
      let event: Stripe.Event
      try {
        event = await readEvent(request.body as Buffer, request.get('stripe-signature'), secret)
      } catch (error) {
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'refused a Stripe webhook',
        )
        return sendProblem(response, BAD_SIGNATURE)
      }
      if (!Event.safeParse(event).success) return sendProblem(response, NO_OBJECT)
      try {
        if (!(await receipts.has(event.id))) await process(event)
        await receipts.keep(event.id)
        response.json({ received: true })
      } catch (error) {
        log.error({ err: error, eventId: event.id, type: event.type }, 'could not process a Stripe event')
        sendProblem(response, refusal('server_error'))
      }
    })
    refuseOtherMethods(app, '/webhooks/stripe', ['POST'])
  }
