import { type Blobs, gone, type RateLimits, rateLimited } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Wanted } from '../note/results.ts'
import type { Notes } from '../note/store.ts'

/** Rules of the product: each refresh costs us an engine, and the person nothing. */
const PER_NOTE = { points: 5, ms: 86_400_000 }
export const REFRESHES = { name: 'refresh-person', points: 20, seconds: 3_600 }

const noAudio = () =>
  gone('There is no audio of this note to transcribe again. Please send it once more.', 'no_audio')

interface Deps {
  notes: Notes
  blobs: Blobs
  rateLimits: RateLimits
  now(): Date
}

/**
 * Transcribes a note again; the text of before stays until there is a new one, and billing knows the note: it is not
 * charged again. Null when something else was quicker. Throws 410 without audio and 429 beyond the limits.
 */
export function createRefreshing({ notes, blobs, rateLimits, now }: Deps) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  return async (note: NoteRecord, wanted: Wanted): Promise<NoteRecord | null> => {
    if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw noAudio()
    const at = now()
    const since = at.getTime() - PER_NOTE.ms
    const recent = note.refreshedAt.filter(time => time.getTime() > since)
    const [oldest] = recent
    if (oldest && recent.length >= PER_NOTE.points) {
      throw rateLimited(Math.ceil((oldest.getTime() - since) / 1000))
    }
    await perPerson.count(note.userId)
    // The attempt guards it: of two at once, one finds the other's.
    return notes.refreshed(note, wanted, [...recent, at])
  }
}
