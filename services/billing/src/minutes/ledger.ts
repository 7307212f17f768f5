import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { exact, LedgerEntry } from './account.ts'

/** The minutes of one note. */
const NoteLedger = z.object({
  /** Id of the transcription. */
  _id: z.string(),
  userId: z.string(),
  /** In the order in which they came about; none is there twice. */
  entries: z.array(LedgerEntry),
  /** Time of the newest entry. */
  at: z.date(),
})
type NoteLedger = z.infer<typeof NoteLedger>

/** A note's line of the ledger: the seconds it holds or has cost, and those left when that came about. */
export interface LedgerLine
  extends Pick<LedgerEntry, 'transcriptionId' | 'seconds' | 'at' | 'balanceSeconds'> {
  isReserved: boolean
}

const ledgerSchema = schemaOf(NoteLedger).index({ userId: 1, at: -1 })

export type Ledger = ReturnType<typeof createLedger>

/** Keeps an account's entries after the write that made them, in one document a note. */
export function createLedger(documents: Documents) {
  const ledger = documents.model('ledger', ledgerSchema)

  /** Idempotent: an entry that another process has added meanwhile is not added again. */
  async function addToNote(_id: string, userId: string, entries: LedgerEntry[]): Promise<void> {
    if (await insertOnce(ledger, { _id, userId, entries, at: entries.at(-1)!.at })) return
    for (const entry of entries) {
      const unlessKnown = { _id, 'entries.id': { $ne: entry.id } }
      await ledger.updateOne(unlessKnown, { $push: { entries: entry }, $max: { at: entry.at } })
    }
  }

  return {
    async add(userId: string, entries: LedgerEntry[]): Promise<void> {
      const notes = Map.groupBy(entries, ({ transcriptionId }) => transcriptionId)
      await Promise.all([...notes].map(([id, of]) => addToNote(id, userId, of)))
    },
    of: async (transcriptionId: string): Promise<LedgerEntry[]> =>
      (await ledger.findById(transcriptionId).lean<NoteLedger>())?.entries ?? [],
    /** A person's notes, newest first. */
    async page(userId: string, page: number, limit: number): Promise<{ lines: LedgerLine[]; total: number }> {
      const found = ledger
        .find({ userId })
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .lean<NoteLedger[]>()
      const [notes, total] = await Promise.all([found, ledger.countDocuments({ userId })])
      return { lines: notes.map(lineOf), total }
    },
  }
}

function lineOf({ _id: transcriptionId, entries, at }: NoteLedger): LedgerLine {
  const sum = (kind: LedgerEntry['kind']) =>
    entries.reduce((seconds, entry) => (entry.kind === kind ? seconds + entry.seconds : seconds), 0)
  const held = exact(sum('reserved') - sum('settled') - sum('released'))
  const isReserved = held > 0
  const seconds = isReserved ? held : exact(sum('settled') - sum('returned'))
  return { transcriptionId, seconds, at, balanceSeconds: entries.at(-1)?.balanceSeconds ?? 0, isReserved }
}
