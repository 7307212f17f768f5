import type { EventOf } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Detector } from '../audio/detector.ts'
import type { DiskBudget } from '../audio/disk-budget.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { measure } from '../audio/measure.ts'
import { Unworkable } from '../failure.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import type { SameAudio } from './same-audio.ts'
import type { Notes } from './store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  detector: Detector
  disk: DiskBudget
  inHand: InHand
  sameAudio: SameAudio
}

/** A note begins: it is measured, and only then minutes are asked for. */
export function createOnMediaReceived({ notes, blobs, ffmpeg, detector, disk, inHand, sameAudio }: Deps) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    await notes.received(event)
    const attempt = { _id: event.data.mediaId, attempt: 1 }
    await inHand.work(
      attempt,
      () => notes.begin('measuring', attempt),
      async (note, signal) => {
        try {
          if (await sameAudio.giveText(note)) return
          const length = await measure({ blobs, ffmpeg, detector, disk }, note, signal)
          await sameAudio.goOn(note, length)
        } catch (error) {
          if (!(error instanceof Unworkable)) throw error
          await failNote(notes, note, error.reason)
        }
      },
    )
  }
}
