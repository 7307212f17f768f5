import { reason, SAME_AS } from '@voxscribe/contracts/reasons'
import { type Logger, Problem } from '@voxscribe/service'
import type { QueryFilter } from 'mongoose'
import { titled } from './listing.ts'
import type { NoteRecord } from './record.ts'
import type { Repeats } from './repeats.ts'
import type { Notes } from './store.ts'

// The same audio is recognized once per person. A unique key lets only one of their notes with the same bytes ask for
// minutes, until it fails or is deleted. The others wait for it or get its text at once. A note asked for in another
// language is recognized again, free, as a repeat of the first, if that has a text.

interface Deps {
  notes: Notes
  repeats: Repeats
  /** Whether notes in this language have to wait for an engine. */
  mustWait(language: string): boolean
  log: Logger
}

export type SameAudio = ReturnType<typeof createSameAudio>

export function createSameAudio({ notes, repeats, mustWait, log }: Deps) {
  const find = (note: Facts, first: QueryFilter<NoteRecord>[]) =>
    notes.model
      .findOne({ ...sameBytes(note), $or: first })
      .sort({ status: 1, createdAt: 1 })
      .lean()

  /** Returns a note of the same audio: one with a usable text, else one in progress, else one in another language. */
  async function findMatch(note: Facts): Promise<NoteRecord | null> {
    if (!note.sha256) return null
    const { language } = note
    const match = await find(note, [WITH_TEXT, AT_WORK])
    if (!isInAnotherLanguage(note, match)) return match
    const better = [{ ...WITH_TEXT, language }, { ...WITH_TEXT, spokenLanguage: language }, AT_WORK]
    const other = hasText(match) ? match : await find(note, [{ ...WITH_TEXT, text: { $ne: '' } }])
    return (await find(note, better)) ?? other ?? match
  }

  /** Completes a note with the text of an earlier one; false if there is no such text. */
  async function copyText(note: NoteRecord, match: NoteRecord | null): Promise<boolean> {
    if (match?.status !== 'completed' || isInAnotherLanguage(note, match)) return false
    await notes.completeFrom(note, match, sameAs(match))
    return true
  }

  /** Has a note recognized again in its language, within the limits; false if it has to wait for another one. */
  async function advanceAsRepeat(note: NoteRecord, { _id, sameAs }: NoteRecord): Promise<boolean> {
    const first = sameAs ?? _id
    const repeat = { ...note, sameAs: first }
    try {
      await repeats.count(note.userId, first)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await notes.failed(repeat, reason('too_many_repeats'))
      return true
    }
    if (await notes.askForMinutes(repeat)) return true
    await repeats.giveBack(note.userId, first)
    return false
  }

  /** Takes a measured note's next step; false if it has to wait for another note. */
  async function tryAdvance(note: NoteRecord): Promise<boolean> {
    if (note.isSilent) return notes.askForMinutes(note)
    const match = await findMatch(note)
    if (await copyText(note, match)) return true
    if (match?.status === 'processing') return false
    if (mustWait(note.language)) {
      await notes.waitForEngine(note, reason('waiting_for_engine'))
      return true
    }
    if (match && hasText(match)) return advanceAsRepeat(note, match)
    // A first note without speech was free, so this one is charged for its text.
    return notes.askForMinutes(note, Boolean(match))
  }

  /** Has a measured note get a text, ask for its minutes, or wait. */
  async function advance(note: NoteRecord): Promise<void> {
    if (await tryAdvance(note)) return
    const isWaiting = note.stage === 'waiting-for-same'
    const waiting = isWaiting ? note : await notes.waitForSame(note)
    for (let tried = 0; waiting && tried < TRIES; tried++) {
      const match = await findMatch(waiting)
      // If that one ends after this read, it wakes this note.
      if (match?.status === 'processing') return
      if (await tryAdvance(waiting)) return
    }
  }

  async function advanceAll(where: Partial<Pick<NoteRecord, 'userId' | 'sha256' | 'stage'>>): Promise<void> {
    const waiting = notes.model.find({ status: 'processing', ...where }).sort({ since: 1 })
    for await (const note of waiting.lean().cursor()) await advance(note)
  }

  return {
    findMatch,
    copyText,
    advance,

    /** Resumes the notes that waited for one that has ended. */
    async changed({ userId, sha256, status, deletedAt }: NoteRecord): Promise<void> {
      if (!sha256 || (status === 'processing' && !deletedAt)) return
      // The job `resume-waiting` resumes them later.
      await advanceAll({ userId, sha256, stage: 'waiting-for-same' }).catch(err =>
        log.warn({ err }, 'could not wake notes of the same audio'),
      )
    },

    /** Resumes notes that a dead process did not wake and, once there is an engine, those that wait for one. */
    async resume(): Promise<void> {
      await advanceAll({ stage: 'waiting-for-same' })
      if (!mustWait('auto')) await advanceAll({ stage: 'waiting-for-engine' })
    },
  }
}

/** How often a note looks for the one that it waits for, before it is left to the job. */
const TRIES = 3

type Facts = Pick<NoteRecord, '_id' | 'userId' | 'sha256' | 'language'>

/** States of a note that others with the same bytes wait for. Sorted by name, those with a text come first. */
const WITH_TEXT = { status: 'completed' } as const
const AT_WORK = {
  status: 'processing',
  stage: { $in: ['reserving', 'recognising'] },
} as const satisfies QueryFilter<NoteRecord>

/** Whether a text is in another language than the note asks for. Silence has no language. */
const isInAnotherLanguage = ({ language }: Pick<NoteRecord, 'language'>, match: NoteRecord | null): boolean =>
  match?.status === 'completed' &&
  !match.isSilent &&
  !['auto', match.language, match.spokenLanguage].includes(language)

/** Whether speech was recognized in a note, even if the person has deleted the text since. */
const hasText = (note: NoteRecord | null): boolean => Boolean((note?.original ?? note)?.text)

/** Notes of the same person with the same bytes. */
const sameBytes = ({ _id, userId, sha256 }: Facts) => ({
  userId,
  sha256,
  _id: { $ne: _id },
  deletedAt: null,
})

/** Replaces the first note's own notices, which the person has already received. */
function sameAs(first: NoteRecord) {
  const at = first.createdAt.toISOString()
  return reason(SAME_AS, { ...titled(first), day: at.slice(0, 10), at })
}
