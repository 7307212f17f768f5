import type { Payment } from '@voxscribe/contracts/http'
import { PAID_PLANS, type PaidPlan } from '@voxscribe/contracts/plans'
import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { type Page, pageOf } from '../paging.ts'
import { amountOf, type Invoice, InvoiceFacts } from '../stripe/facts.ts'

const PaymentDocument = InvoiceFacts.extend({
  _id: z.string(),
  userId: z.string(),
  /** End of the paid period; null if Stripe names none. */
  periodEnd: z.date().nullable(),
  /** The refunded amount, in the smallest unit. */
  refunded: z.number(),
  /** Stripe's status of a dispute; null without one. */
  dispute: z.string().nullable(),
  /** Unset: monthly. */
  plan: z.enum(PAID_PLANS).optional(),
  /** The account's `stripeRevision` when this was read; an older reading never overwrites a newer one. */
  revision: z.number(),
})
type PaymentDocument = z.infer<typeof PaymentDocument>

const paymentSchema = schemaOf(PaymentDocument).index({ userId: 1, at: -1 }).index({ paymentIntents: 1 })

/** A payment that was refunded or disputed. */
export interface RecordedPayment extends Pick<PaymentDocument, 'userId' | 'subscriptionId' | 'periodEnd'> {
  /** The whole amount was refunded, or the payer won a dispute. */
  isReversed: boolean
}

export type Payments = ReturnType<typeof createPayments>

export function createPayments(documents: Documents) {
  const payments = documents.model('payments', paymentSchema, { owner: 'userId' })

  async function recorded(paymentIntent: string): Promise<RecordedPayment | null> {
    const found = await payments.findOne({ paymentIntents: paymentIntent }).lean<PaymentDocument>()
    return found && { ...found, isReversed: found.dispute === 'lost' || isRefunded(found) }
  }

  return {
    async record(userId: string, revision: number, plan: PaidPlan, invoices: Invoice[]): Promise<void> {
      for (const { id, period, ...invoice } of invoices) {
        const payment = { userId, revision, plan, periodEnd: period?.end ?? null, ...invoice }
        await keepNewest(payments, 'revision', { _id: id, ...payment }, { refunded: 0, dispute: null })
      }
    },
    /** Returns the ids of those invoices that are already recorded as paid. */
    async recordedAsPaid(invoices: Invoice[]): Promise<Set<string>> {
      const which = { _id: { $in: invoices.map(({ id }) => id) }, status: 'paid' }
      return new Set((await payments.find(which, { _id: 1 }).lean()).map(({ _id }) => _id))
    },
    /** Returns null if no such payment is recorded. The refunded amount never decreases. */
    async refunded(paymentIntent: string, amount: number): Promise<RecordedPayment | null> {
      await payments.updateOne({ paymentIntents: paymentIntent }, { $max: { refunded: amount } })
      return recorded(paymentIntent)
    },
    /** Returns null if no such payment is recorded. A decided dispute stays decided. */
    async disputed(paymentIntent: string, status: string): Promise<RecordedPayment | null> {
      const decided = status === 'won' || status === 'lost'
      await payments.updateOne(
        { paymentIntents: paymentIntent, ...(decided ? {} : { dispute: { $nin: ['won', 'lost'] } }) },
        { $set: { dispute: status } },
      )
      return recorded(paymentIntent)
    },
    /** A page of a person's payments, newest first. */
    async page(userId: string, page: Page) {
      const { found, pagination } = await pageOf(payments, { userId }, page)
      return { payments: found.map(presentPayment), pagination }
    },
  }
}

const isRefunded = ({ refunded, amount }: PaymentDocument) => refunded > 0 && refunded >= amount

const presentPayment = (payment: PaymentDocument): Payment => ({
  id: payment._id,
  currency: payment.currency,
  amount: amountOf(payment.amount, payment.currency),
  planType: payment.plan ?? 'monthly',
  createdAt: payment.at.toISOString(),
  paymentStatus: paymentStatus(payment),
})

/** Returns one status for a payment: a dispute takes precedence over a refund, and both over the invoice. */
function paymentStatus(payment: PaymentDocument): string {
  const { status, attempted, refunded, dispute } = payment
  if (dispute && dispute !== 'won' && !dispute.startsWith('warning_')) return 'disputed'
  if (refunded > 0) return isRefunded(payment) ? 'refunded' : 'partially_refunded'
  if (status === 'paid') return 'paid'
  if (status === 'void') return 'canceled'
  return attempted || status === 'uncollectible' ? 'failed' : 'unpaid'
}
