import type { EventOf } from '@voxscribe/contracts/events'
import type { Sounds } from '../audio/sounds.ts'
import { Unworkable } from '../failure.ts'
import { failNote } from '../note/fail-note.ts'
import type { NoteRecord } from '../note/record.ts'
import type { SameAudio } from '../note/same-audio.ts'
import type { Notes } from '../note/store.ts'
import type { Line } from './line.ts'
import { secondsOfBytes } from './line-steps.ts'

interface MeasuringDeps {
  notes: Notes
  sounds: Sounds
  sameAudio: SameAudio
}

/** Measures a note, and only then asks for its minutes. */
export const createMeasuring =
  ({ notes, sounds, sameAudio }: MeasuringDeps) =>
  async (note: NoteRecord, signal: AbortSignal): Promise<void> => {
    try {
      await sameAudio.goOn(note, await sounds.measure(note, signal))
    } catch (error) {
      if (!(error instanceof Unworkable)) throw error
      await failNote(notes, note, error.reason)
    }
  }

/** Stores a new note and puts it in line to be measured, unless the same audio has been transcribed before. */
export function createOnMediaReceived(notes: Notes, line: Line, sameAudio: SameAudio) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    const { mediaId, userId, bytes } = event.data
    const note = await notes.received(event)
    if (note && (await sameAudio.giveText(note))) return
    const attempt = { _id: mediaId, attempt: 1 }
    await line.enter(
      { userId, seconds: secondsOfBytes(bytes) },
      {
        attempt,
        now: () => notes.begin('measuring', attempt),
        wait: turn => notes.waitToMeasure(attempt, turn),
      },
    )
  }
}
