import { reason, SAME_AS } from '@voxscribe/contracts/reasons'
import type { Logger } from '@voxscribe/service'
import { titleOf } from './listing.ts'
import type { NoteRecord } from './record.ts'
import type { Notes } from './store.ts'

// The same audio is recognised once for a person. Only one of their notes with the same bytes can ask for minutes, by a
// unique key that it keeps until it fails or is deleted. The others wait for it, or have its text at once.

interface Deps {
  notes: Notes
  /** Whether notes in this language have to wait for an engine. */
  mustWait(language: string): boolean
  log: Logger
}

export type SameAudio = ReturnType<typeof createSameAudio>

export function createSameAudio({ notes, mustWait, log }: Deps) {
  /** Returns a note of the same audio that has a text, else one that is being recognised; null for none. */
  const firstLike = (note: NoteRecord) =>
    note.sha256
      ? notes.model
          .findOne({ ...othersLike(note), $or: FIRST })
          .sort({ status: 1, createdAt: 1 })
          .lean()
      : null

  /** Completes a note with the text of an earlier one; false when there is none. */
  async function giveText(note: NoteRecord, like: NoteRecord | null): Promise<boolean> {
    if (like?.status !== 'completed') return false
    await notes.completedAs(note, like, sameAs(like))
    return true
  }

  /** False when the note has to wait for another one. */
  async function tryToGoOn(note: NoteRecord): Promise<boolean> {
    if (!note.isSilent) {
      const like = await firstLike(note)
      if (await giveText(note, like)) return true
      if (like) return false
      if (mustWait(note.language)) {
        await notes.waitForEngine(note, reason('waiting_for_engine'))
        return true
      }
    }
    return notes.askForMinutes(note)
  }

  /** A measured note asks for its minutes, or waits for what it lacks. */
  async function goOn(note: NoteRecord): Promise<void> {
    if (await tryToGoOn(note)) return
    const waiting = await notes.waitForSame(note)
    // The other one may have ended before this one was seen to wait.
    if (waiting) await tryToGoOn(waiting)
  }

  async function goOnAll(where: Partial<Pick<NoteRecord, 'userId' | 'sha256' | 'stage'>>): Promise<void> {
    const waiting = notes.model.find({ status: 'processing', ...where }).sort({ since: 1 })
    for await (const note of waiting.lean().cursor()) await goOn(note)
  }

  return {
    giveText: async (note: NoteRecord) => giveText(note, await firstLike(note)),
    goOn,

    /** Resumes the notes that waited for one that has ended. */
    async changed({ userId, sha256, status, deletedAt }: NoteRecord): Promise<void> {
      if (!sha256 || (status === 'processing' && !deletedAt)) return
      // The job comes back to them.
      await goOnAll({ userId, sha256, stage: 'waiting-for-same' }).catch(err =>
        log.warn({ err }, 'could not wake notes of the same audio'),
      )
    },

    /**
     * Resumes notes that were not woken because the process that should have done so died, and those that wait for an
     * engine once there is one. Waiting notes hold no minutes.
     */
    async resume(): Promise<void> {
      await goOnAll({ stage: 'waiting-for-same' })
      if (!mustWait('auto')) await goOnAll({ stage: 'waiting-for-engine' })
    },
  }
}

/** States of a note that others with the same bytes wait for. By name, those with a text come first. */
const FIRST = [
  { status: 'completed' },
  { status: 'processing', stage: { $in: ['reserving', 'recognising'] } },
] as const satisfies Partial<Record<keyof NoteRecord, unknown>>[]

/** Notes of the same person with the same bytes. */
const othersLike = ({ _id, userId, sha256 }: NoteRecord) => ({
  userId,
  sha256,
  _id: { $ne: _id },
  deletedAt: null,
})

/** Instead of its own notices, which the person has been given with it. */
const sameAs = (first: NoteRecord) =>
  reason(SAME_AS, { title: titleOf(first), day: first.createdAt.toISOString().slice(0, 10) })
