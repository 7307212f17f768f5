import { reason } from '@voxscribe/contracts/reasons'
import type { Logger } from '@voxscribe/service'
import { notesEnded } from '../metrics.ts'
import { NO_ENGINE, NO_SPEECH } from '../reasons.ts'
import type { NoteRecord } from './record.ts'
import type { Length } from './results.ts'
import type { Notes } from './store.ts'
import { titleOf } from './title.ts'

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
  /** Completes a note with the text of an earlier one; false when there is none. */
  async function giveText(note: NoteRecord): Promise<boolean> {
    if (!note.sha256) return false
    const first = await notes.model
      .findOne({ ...othersLike(note), status: 'completed' })
      .sort({ createdAt: 1 })
      .lean()
    if (!first) return false
    const notices = first.text ? [sameAs(first)] : [NO_SPEECH]
    if (await notes.completedAs(note, first, notices)) notesEnded.inc({ outcome: 'same' })
    return true
  }

  /** Whether another note has begun to be recognised, for the first time or again. */
  const isUnderWay = (note: NoteRecord) =>
    notes.model.exists({
      ...othersLike(note),
      status: 'processing',
      stage: { $in: ['reserving', 'recognising'] },
    })

  /** False when the note has to wait for another one. */
  async function tryToGoOn(note: NoteRecord, length: Length): Promise<boolean> {
    if (!length.isSilent) {
      if (await giveText(note)) return true
      if (note.sha256 && (await isUnderWay(note))) return false
      if (mustWait(note.language)) {
        await notes.waitForEngine(note, NO_ENGINE, length)
        return true
      }
    }
    return notes.askForMinutes(note, length)
  }

  /** A measured note asks for its minutes, or waits for what it lacks. */
  async function goOn(note: NoteRecord, length: Length): Promise<void> {
    if (await tryToGoOn(note, length)) return
    const waiting = await notes.waitForSame(note, length)
    // The other one may have ended before this one was seen to wait.
    if (waiting) await tryToGoOn(waiting, length)
  }

  async function goOnAll(same: Partial<Pick<NoteRecord, 'userId' | 'sha256'>>): Promise<void> {
    const waiting = notes.model.find({ ...same, status: 'processing', stage: 'waiting-for-same' })
    for await (const note of waiting.lean().cursor()) await goOn(note, lengthOf(note))
  }

  return {
    giveText,
    goOn,

    /** Resumes the notes that waited for one that has ended. */
    async changed({ userId, sha256, status, deletedAt }: NoteRecord): Promise<void> {
      if (!sha256 || (status === 'processing' && !deletedAt)) return
      // The job comes back to them.
      await goOnAll({ userId, sha256 }).catch(err =>
        log.warn({ err }, 'could not wake notes of the same audio'),
      )
    },

    /** Resumes notes that were not woken because the process that should have done so died. */
    resume: () => goOnAll({}),
  }
}

/** Notes of the same person with the same bytes. */
const othersLike = ({ _id, userId, sha256 }: NoteRecord) => ({
  userId,
  sha256,
  _id: { $ne: _id },
  deletedAt: null,
})

/** Instead of its own notices, which the person has been given with it. */
const sameAs = (first: NoteRecord) =>
  reason('same_as', { title: titleOf(first), day: first.createdAt.toISOString().slice(0, 10) })

/** The length of a note that was measured before. */
export const lengthOf = ({ durationSeconds, isSilent, levels, spoken }: NoteRecord): Length => ({
  durationSeconds: durationSeconds ?? 0,
  isSilent,
  levels: levels ?? [],
  spoken: spoken ?? null,
})
