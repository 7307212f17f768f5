import { type Documents, insertOnce } from '@voxscribe/service'
import { Schema } from 'mongoose'
import type { LedgerEntry } from './account.ts'

interface LedgerDocument extends Omit<LedgerEntry, 'id'> {
  _id: string
  userId: string
}

export type Ledger = ReturnType<typeof createLedger>

/** Keeps an account's entries after the write that made them; the same entry is never there twice. */
export function createLedger(documents: Documents) {
  const model = documents.model('ledger', ledgerSchema)
  return {
    async add(userId: string, entries: LedgerEntry[]): Promise<void> {
      const rows = entries.map(({ id, ...entry }) => ({ _id: id, userId, ...entry }))
      // Some may have been moved before, by a process that was interrupted.
      await Promise.all(rows.map(row => insertOnce(model, row)))
    },
    async of(transcriptionId: string): Promise<LedgerEntry[]> {
      return (await model.find({ transcriptionId }).lean<LedgerDocument[]>()).map(asEntry)
    },
    /** The entries a person sees, newest first. */
    async page(
      userId: string,
      page: number,
      limit: number,
    ): Promise<{ entries: LedgerEntry[]; total: number }> {
      // An entry of 0 seconds that was "released" only remembers that a note ended.
      const visible = { userId, $or: [{ seconds: { $gt: 0 } }, { kind: 'settled' as const }] }
      const found = model
        .find(visible)
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .lean<LedgerDocument[]>()
      const [documents, total] = await Promise.all([found, model.countDocuments(visible)])
      return { entries: documents.map(asEntry), total }
    },
  }
}

const asEntry = ({ _id, userId: _userId, ...entry }: LedgerDocument): LedgerEntry => ({ id: _id, ...entry })

const ledgerSchema = new Schema<LedgerDocument>({
  _id: { type: String, required: true },
  userId: String,
  kind: String,
  transcriptionId: String,
  attempt: Number,
  seconds: Number,
  at: Date,
})
ledgerSchema.index({ userId: 1, at: -1 })
ledgerSchema.index({ transcriptionId: 1 })
