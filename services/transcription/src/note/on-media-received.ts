import type { EventOf } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Detector } from '../audio/detector.ts'
import type { DiskBudget } from '../audio/disk-budget.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { measure } from '../audio/measure.ts'
import type { Engines } from '../engines/choice.ts'
import { Unworkable } from '../failure.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import type { Notes } from './store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  detector: Detector
  disk: DiskBudget
  engines: Engines
  inHand: InHand
}

/** A note begins: it is measured, and only then minutes are asked for. */
export function createOnMediaReceived({ notes, blobs, ffmpeg, detector, disk, engines, inHand }: Deps) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    await notes.received(event)
    const attempt = { _id: event.data.mediaId, attempt: 1 }
    await inHand.work(
      attempt,
      () => notes.begin('measuring', attempt),
      async (note, signal) => {
        try {
          const length = await measure({ blobs, ffmpeg, detector, disk }, note, signal)
          if (length.isSilent || engines.current()) await notes.askForMinutes(note, length)
          else await notes.waitForEngine(note, engines.missing, length)
        } catch (error) {
          if (!(error instanceof Unworkable)) throw error
          await failNote(notes, note, error.reason)
        }
      },
    )
  }
}
