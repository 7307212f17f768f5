import { type Blobs, refusal } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Repeats } from '../note/repeats.ts'
import type { Wanted } from '../note/results.ts'
import type { Notes } from '../note/store.ts'

/**
 * Transcribes a note again; the previous text stays until there is a new one, and billing knows the note: it is not
 * charged again. Throws 409 while it is being transcribed, 410 without audio and 429 beyond the limits.
 */
export function createRefreshing(notes: Notes, blobs: Blobs, repeats: Repeats) {
  return async (note: NoteRecord, wanted: Wanted): Promise<NoteRecord> => {
    if (note.status === 'processing') throw refusal('already_processing')
    if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw refusal('no_audio')
    await repeats.count(note.userId, note._id)
    const refreshed = await notes.refreshed(note, wanted)
    if (refreshed) return refreshed
    // Something else was quicker.
    await repeats.giveBack(note.userId, note._id)
    throw refusal('already_processing')
  }
}
