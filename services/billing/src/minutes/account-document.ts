import { type Lease, schemaOf, type WithOutbox } from '@voxscribe/service'
import { z } from 'zod'
import { Account, LedgerEntry } from './account.ts'

/** An account as it is stored. */
const Stored = Account.omit({ userId: true, elsewhereSeconds: true }).extend({
  _id: z.string(),
  /** Entries that are still to be moved to the ledger: they are one write with the state they explain. */
  ledger: z.array(LedgerEntry),
  /** The process that asks Stripe about the account. */
  recheckLease: z.custom<Lease>().nullish(),
})
export type AccountDocument = z.infer<typeof Stored> & WithOutbox

/** Made for each connection: the outbox is added to it. */
export const accountSchema = () =>
  schemaOf(Stored)
    .index({ plan: 1, periodEnd: 1 })
    .index({ recheckAt: 1 }, { sparse: true })
    .index({ customerId: 1 }, { sparse: true })
    .index({ 'ledger.id': 1 }, { sparse: true })
    .index({ 'numberUses.phone': 1 }, { sparse: true })
