import { UNDELETE_MINUTES } from '@voxscribe/contracts/limits'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import { deleted } from './events.ts'
import type { Transitions } from './life.ts'
import { type Mine, NoteRecord } from './record.ts'
import type { Shares } from './shares.ts'

/** How long a deletion in the chat can be undone. */
const UNDO_MS = UNDELETE_MINUTES * 60_000
/** Hidden notes ended in one pass. */
const AT_ONCE = 200

interface Withdrawal {
  mayGo?(note: NoteRecord): boolean
  chargeFor?(note: NoteRecord): Promise<number>
}

/** Deletes notes. What is left of one only keeps a redelivered event from recreating it. */
export function createDeletion({ notes, insert, take, now, changed }: Transitions, shares: Shares) {
  const tombstone = () => ({ deletedAt: now(), forgetAt: new Date(now().getTime() + REDELIVERED_MS) })

  /** Deletes a hidden note for good. Its deletion is published only here. */
  async function endHidden({ hiddenOf: userId, ...note }: NoteRecord): Promise<void> {
    if (!userId) return
    const outbox = { $each: deleted({ ...note, userId }, 0) }
    const hidden = { _id: note._id, hiddenOf: userId }
    const end = { ...tombstone(), work: null }
    await notes.updateOne(hidden, { $set: end, $unset: LEFT_BEHIND, $push: { outbox } })
    await shares.end(note._id)
  }

  return {
    /** Hides a note that is not in progress, until it is restored. Returns it as it was; null if there is none. */
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

    /** Returns the note hidden last, if it can still be restored. */
    lastHidden: ({ userId: hiddenOf, ...mine }: Mine) =>
      notes
        .findOne({ ...mine, hiddenOf, goneAt: { $gt: now() } }, { _id: 1, attempt: 1 })
        .sort({ deletedAt: -1 })
        .lean(),

    /** Restores a hidden note; null if it is too late. */
    async restored(id: string, userId: string): Promise<NoteRecord | null> {
      const hidden = { _id: id, hiddenOf: userId, goneAt: { $gt: now() } }
      const show = { $set: { userId, deletedAt: null }, $unset: { hiddenOf: 1, goneAt: 1 } as const }
      const note = await notes.findOneAndUpdate(hidden, show, { returnDocument: 'after' }).lean()
      if (note) changed(note)
      return note
    },

    /** Deletes the hidden notes that can no longer be restored. */
    async endHidden(): Promise<void> {
      const due = await notes
        .find({ goneAt: { $lte: now() } })
        .limit(AT_ONCE)
        .lean()
      for (const note of due) await endHidden(note)
    },

    /** Deletes a person's note and returns it as it was; null if there is none. `chargeFor`: the seconds to charge. */
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
      // If the process dies before this, the link is dead anyway, like its note, and is deleted when it expires.
      await shares.end(id)
      return note
    },

    /** Deletes a note that is not its person's, or was revoked. If it has yet to arrive, a tombstone keeps it out. */
    async withdrawn(id: string, userId: string, { mayGo, chargeFor }: Withdrawal = {}): Promise<void> {
      if (await this.deleted(id, userId, chargeFor, mayGo)) return
      const hidden = await notes.findOne({ _id: id, hiddenOf: userId }).lean()
      if (hidden && (mayGo?.(hidden) ?? true)) return endHidden(hidden)
      // It may have arrived in the meantime.
      if (!(await insert('refused', { _id: id, ...tombstone() })))
        await this.deleted(id, userId, chargeFor, mayGo)
    },
  }
}

/** Fields that a tombstone keeps; without a user, it is in no list and no count. */
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
