import { deleteAll } from '@voxscribe/service'
import { deleted } from './events.ts'
import type { Transitions } from './life.ts'
import { NoteRecord } from './record.ts'
import type { Shares } from './shares.ts'

/** Longer than anything could be delivered again. */
const REMEMBERED_MS = 60 * 86_400_000

/** The end of a note: what is left only keeps a repeat from bringing it back. */
export function createDeletion({ notes, insert, take, now, changed }: Transitions, shares: Shares) {
  const tombstone = () => ({ deletedAt: now(), forgetAt: new Date(now().getTime() + REMEMBERED_MS) })
  return {
    /**
     * Returns the note as it was, or null when there is no such note of this person. `chargeFor`: the seconds to charge
     * for one in progress; default: none.
     */
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

    /** Deletes an account's notes without a trace; work on them is broken off, and its result dropped. */
    async forgetOf(userId: string): Promise<void> {
      await shares.forgetOf(userId)
      await deleteAll(notes, { userId })
    },

    /**
     * Deletes a note that turned out to be another person's; of those that its person revoked only what has no text yet
     * (`mayGo`). One that is still to arrive finds its tombstone.
     */
    async withdrawn(id: string, userId: string, mayGo?: (note: NoteRecord) => boolean): Promise<void> {
      if (await this.deleted(id, userId, undefined, mayGo)) return
      // It may just have arrived.
      if (!(await insert('refused', { _id: id, ...tombstone() })))
        await this.deleted(id, userId, undefined, mayGo)
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
