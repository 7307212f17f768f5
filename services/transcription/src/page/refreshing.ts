import { type Blobs, conflict, gone, type RateLimits } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Wanted } from '../note/results.ts'
import type { Notes } from '../note/store.ts'

/** Rules of the product: each refresh costs us an engine, and the person nothing. */
const PER_NOTE = { points: 5, seconds: 86_400 }
export const REFRESHES = { name: 'refresh-person', points: 20, seconds: 3_600 }

export const busy = () => conflict('This note is already being transcribed.', 'already_processing')
const noAudio = () =>
  gone('There is no audio of this note to transcribe again. Please send it once more.', 'no_audio')

/** Counts what a person has transcribed again; throws 429 beyond the limits. */
export function createRepeats(rateLimits: RateLimits) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  const perNote = rateLimits('refresh-note', PER_NOTE, true)
  return {
    async count(userId: string, id: string): Promise<void> {
      await perPerson.count(userId)
      await perNote.count(id).catch(async error => {
        await perPerson.giveBack(userId)
        throw error
      })
    },
    async giveBack(userId: string, id: string): Promise<void> {
      await Promise.all([perPerson.giveBack(userId), perNote.giveBack(id)])
    },
  }
}
export type Repeats = ReturnType<typeof createRepeats>

/**
 * Transcribes a note again; the text of before stays until there is a new one, and billing knows the note: it is not
 * charged again. Throws 409 while it is being transcribed, 410 without audio and 429 beyond the limits.
 */
export function createRefreshing(notes: Notes, blobs: Blobs, repeats: Repeats) {
  return async (note: NoteRecord, wanted: Wanted): Promise<NoteRecord> => {
    if (note.status === 'processing') throw busy()
    if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw noAudio()
    await repeats.count(note.userId, note._id)
    const refreshed = await notes.refreshed(note, wanted)
    if (refreshed) return refreshed
    // Something else was quicker.
    await repeats.giveBack(note.userId, note._id)
    throw busy()
  }
}
