import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { type Page, pageOf } from '../paging.ts'
import { NoteMinutes } from './account.ts'

/** A note's line: what it holds or has cost, and what was left in the account when that came about. */
export const LedgerLine = NoteMinutes.extend({
  userId: z.string(),
  /** Held while the note is under way. */
  heldSeconds: z.number(),
  /** Of a note that has ended, those not used yet; of one under way, those that nothing holds. */
  balanceSeconds: z.number(),
  /** The account's version after the step: an older line never overwrites a newer one. */
  version: z.number(),
})
export type LedgerLine = z.infer<typeof LedgerLine>

const ledgerSchema = schemaOf(LedgerLine).index({ userId: 1, at: -1 })

export type Ledger = ReturnType<typeof createLedger>

/** Keeps the lines of an account's notes, after the write that made them. */
export function createLedger(documents: Documents) {
  const ledger = documents.model('ledger', ledgerSchema)
  return {
    /** Idempotent. */
    keep: (line: LedgerLine) => keepNewest(ledger, 'version', line),
    line: (transcriptionId: string) => ledger.findById(transcriptionId).lean<LedgerLine>(),
    /** A page of a person's lines, newest first. `newest`: one that is not kept here yet, or only as it was before. */
    page: (userId: string, page: Page, newest: LedgerLine | null) =>
      pageOf(ledger, { userId, _id: { $ne: newest?._id ?? '' } }, page, newest ? [newest] : []),
  }
}
