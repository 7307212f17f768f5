import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { LedgerEntry } from './account.ts'

const LedgerDocument = LedgerEntry.omit({ id: true }).extend({ _id: z.string(), userId: z.string() })
type LedgerDocument = z.infer<typeof LedgerDocument>

const ledgerSchema = schemaOf(LedgerDocument).index({ userId: 1, at: -1 }).index({ transcriptionId: 1 })

export type Ledger = ReturnType<typeof createLedger>

/** Keeps an account's entries after the write that made them; the same entry is never there twice. */
export function createLedger(documents: Documents) {
  const ledger = documents.model('ledger', ledgerSchema)
  return {
    async add(userId: string, entries: LedgerEntry[]): Promise<void> {
      const rows = entries.map(({ id, ...entry }) => ({ _id: id, userId, ...entry }))
      // Some may have been moved before, by a process that was interrupted.
      await Promise.all(rows.map(row => insertOnce(ledger, row)))
    },
    async of(transcriptionId: string): Promise<LedgerEntry[]> {
      return (await ledger.find({ transcriptionId }).lean<LedgerDocument[]>()).map(asEntry)
    },
    /** The entries a person sees, newest first. */
    async page(
      userId: string,
      page: number,
      limit: number,
    ): Promise<{ entries: LedgerEntry[]; total: number }> {
      // An entry of 0 seconds that was "released" only remembers that a note ended.
      const visible = { userId, $or: [{ seconds: { $gt: 0 } }, { kind: 'settled' as const }] }
      const found = ledger
        .find(visible)
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .lean<LedgerDocument[]>()
      const [documents, total] = await Promise.all([found, ledger.countDocuments(visible)])
      return { entries: documents.map(asEntry), total }
    },
  }
}

const asEntry = ({ _id, userId: _userId, ...entry }: LedgerDocument): LedgerEntry => ({ id: _id, ...entry })
