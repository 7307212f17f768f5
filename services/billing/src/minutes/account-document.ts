import type { WithOutbox } from '@voxscribe/service'
import { Schema } from 'mongoose'
import type { Account, LedgerEntry } from './account.ts'

/** An account as it is stored. */
export interface AccountDocument extends Omit<Account, 'userId' | 'elsewhereSeconds'>, WithOutbox {
  _id: string
  /** Entries that are still to be moved to the ledger: they are one write with the state they explain. */
  ledger: LedgerEntry[]
}

const part = <T>(shape: Record<keyof T, unknown>) => new Schema(shape as never, { _id: false })

/** Made for each connection: the outbox is added to it. */
export function accountSchema(): Schema<AccountDocument> {
  const schema = new Schema<AccountDocument>({
    _id: { type: String, required: true },
    version: Number,
    provisional: Boolean,
    email: String,
    name: String,
    phone: String,
    contactRevision: Number,
    plan: String,
    anchor: Date,
    periodStart: Date,
    periodEnd: Date,
    totalSeconds: Number,
    usedSeconds: Number,
    reservations: [
      part<Account['reservations'][number]>({
        transcriptionId: String,
        seconds: Number,
        attempt: Number,
        phone: String,
        askAt: Date,
      }),
    ],
    numberUses: [part<Account['numberUses'][number]>({ phone: String, seconds: Number, until: Date })],
    customerId: String,
    customerStale: Boolean,
    subscription: part<NonNullable<Account['subscription']>>({
      id: String,
      state: String,
      paymentProblem: Boolean,
      grantedUntil: Date,
      price: Number,
      currency: String,
    }),
    checkout: part<NonNullable<Account['checkout']>>({ sessionId: String, url: String, expiresAt: Date }),
    checkoutRound: Number,
    stripeRevision: Number,
    recheckAt: Date,
    recheckFailures: Number,
    ledger: [
      part<LedgerEntry>({
        id: String,
        kind: String,
        transcriptionId: String,
        attempt: Number,
        seconds: Number,
        at: Date,
      }),
    ],
  })
  schema.index({ plan: 1, periodEnd: 1 })
  schema.index({ recheckAt: 1 }, { sparse: true })
  schema.index({ customerId: 1 }, { sparse: true })
  schema.index({ 'ledger.id': 1 }, { sparse: true })
  schema.index({ 'reservations.askAt': 1 }, { sparse: true })
  schema.index({ 'numberUses.phone': 1 }, { sparse: true })
  return schema
}
