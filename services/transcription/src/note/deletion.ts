import { UNDELETE_MINUTES } from '@voxscribe/contracts/limits'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import { deleted } from './events.ts'
import type { Transitions } from './life.ts'
import { type Mine, NoteRecord } from './record.ts'
import type { Shares } from './shares.ts'

/** How long a deletion in the chat can be taken back. */
const UNDO_MS = UNDELETE_MINUTES * 60_000
/** Hidden notes that end at a time. */
const AT_ONCE = 200

interface Withdrawal {
  mayGo?(note: NoteRecord): boolean
  chargeFor?(note: NoteRecord): Promise<number>
}

/** The end of a note: what is left only keeps a repeat from bringing it back. */
export function createDeletion({ notes, insert, take, now, changed }: Transitions, shares: Shares) {
  const tombstone = () => ({ deletedAt: now(), forgetAt: new Date(now().getTime() + REDELIVERED_MS) })

  /** Ends a note that was hidden: what knew of it hears only now that it is deleted. */
  async function endHidden({ hiddenOf: userId, ...note }: NoteRecord): Promise<void> {
    if (!userId) return
    const outbox = { $each: deleted({ ...note, userId }, 0) }
    const hidden = { _id: note._id, hiddenOf: userId }
    const end = { ...tombstone(), work: null }
    await notes.updateOne(hidden, { $set: end, $unset: LEFT_BEHIND, $push: { outbox } })
    await shares.end(note._id)
  }

  return {
    /** Hides a note that is done, which `restored` brings back; returns it as it was, or null for none of this person. */
    async hidden(id: string, userId: string): Promise<NoteRecord | null> {
      const [deletedAt, goneAt] = [now(), new Date(now().getTime() + UNDO_MS)]
      const which = { _id: id, userId, deletedAt: null, status: { $ne: 'processing' as const } }
      const hide = {
        $set: { deletedAt, hiddenOf: userId, goneAt },
        $unset: { userId: 1, firstOf: 1 } as const,
      }
      const note = await notes.findOneAndUpdate(which, hide, { returnDocument: 'before' }).lean()
      if (note) changed({ ...note, deletedAt })
      return note
    },

    /** The note that was hidden last, while it can be brought back. */
    lastHidden: ({ userId: hiddenOf, ...mine }: Mine) =>
      notes
        .findOne({ ...mine, hiddenOf, goneAt: { $gt: now() } }, { _id: 1, attempt: 1 })
        .sort({ deletedAt: -1 })
        .lean(),

    /** Brings a hidden note back; null when it is too late. */
    async restored(id: string, userId: string): Promise<NoteRecord | null> {
      const hidden = { _id: id, hiddenOf: userId, goneAt: { $gt: now() } }
      const show = { $set: { userId, deletedAt: null }, $unset: { hiddenOf: 1, goneAt: 1 } as const }
      const note = await notes.findOneAndUpdate(hidden, show, { returnDocument: 'after' }).lean()
      if (note) changed(note)
      return note
    },

    /** Ends the notes whose deletion can be taken back no more. */
    async endHidden(): Promise<void> {
      const due = await notes
        .find({ goneAt: { $lte: now() } })
        .limit(AT_ONCE)
        .lean()
      for (const note of due) await endHidden(note)
    },

    /** Deletes a person's note and returns it as it was; null for none. `chargeFor`: seconds to charge for it. */
    async deleted(
      id: string,
      userId: string,
      chargeFor: (note: NoteRecord) => Promise<number> = async () => 0,
      mayGo: (note: NoteRecord) => boolean = () => true,
    ): Promise<NoteRecord | null> {
      const note = await notes.findOne({ _id: id, userId, deletedAt: null }).lean()
      if (!note || !mayGo(note)) return null
      const set = tombstone()
      const where = { status: note.status, since: note.since }
      const events = deleted(note, await chargeFor(note))
      const done = await take('deleted', note, set, { where, unset: LEFT_BEHIND, events })
      if (!done) return this.deleted(id, userId, chargeFor, mayGo)
      changed({ ...note, ...set })
      // If this process dies before, the link ends anyway, with its note, and is forgotten when it would have expired.
      await shares.end(id)
      return note
    },

    /** Deletes a note that is not its person's, or was revoked. One that is still to arrive finds its tombstone. */
    async withdrawn(id: string, userId: string, { mayGo, chargeFor }: Withdrawal = {}): Promise<void> {
      if (await this.deleted(id, userId, chargeFor, mayGo)) return
      const hidden = await notes.findOne({ _id: id, hiddenOf: userId }).lean()
      if (hidden && (mayGo?.(hidden) ?? true)) return endHidden(hidden)
      // It may just have arrived.
      if (!(await insert('refused', { _id: id, ...tombstone() })))
        await this.deleted(id, userId, chargeFor, mayGo)
    },
  }
}

/** Fields of a tombstone: without a user, it is in no list and no count. */
const KEPT = [
  '_id',
  'traceId',
  'status',
  'stage',
  'work',
  'attempt',
  'completedAttempt',
  'deletedAt',
  'forgetAt',
]
const LEFT_BEHIND = Object.fromEntries(
  Object.keys(NoteRecord.shape)
    .filter(field => !KEPT.includes(field))
    .map(field => [field, 1 as const]),
)
