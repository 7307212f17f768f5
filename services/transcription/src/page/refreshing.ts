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

/**
 * Transcribes a note again; the text of before stays until there is a new one, and billing knows the note: it is not
 * charged again. Throws 409 while it is being transcribed, 410 without audio and 429 beyond the limits.
 */
export function createRefreshing(notes: Notes, blobs: Blobs, rateLimits: RateLimits) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  const perNote = rateLimits('refresh-note', PER_NOTE, true)
  return async (note: NoteRecord, wanted: Wanted): Promise<NoteRecord> => {
    if (note.status === 'processing') throw busy()
    if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw noAudio()
    await perPerson.count(note.userId)
    const refuse = async (error: unknown): Promise<never> => {
      await perPerson.giveBack(note.userId)
      throw error
    }
    await perNote.count(note._id).catch(refuse)
    const refreshed = await notes.refreshed(note, wanted)
    // Something else was quicker.
    if (!refreshed) {
      await perNote.giveBack(note._id)
      return refuse(busy())
    }
    return refreshed
  }
}
