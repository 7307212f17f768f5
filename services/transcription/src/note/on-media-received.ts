import type { EventOf } from '@voxscribe/contracts/events'
import type { Blobs } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { measure } from '../audio/measure.ts'
import type { Engines } from '../engines/choice.ts'
import { Unworkable } from '../failure.ts'
import { normalised } from './events.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import type { Notes } from './store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  engines: Engines
  inHand: InHand
}

/** A note begins: it is measured, and only then minutes are asked for. */
export function createOnMediaReceived({ notes, blobs, ffmpeg, engines, inHand }: Deps) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    await notes.received(event)
    const it = { _id: event.data.mediaId, attempt: 1 }
    const note = await notes.begin(it, ['normalising'], 'normalising')
    if (!note) return
    await inHand.work(it._id, it.attempt, async signal => {
      try {
        const { seconds, isSilent } = await measure({ blobs, ffmpeg }, note, signal)
        await notes.measured(it, seconds, isSilent)
        if (isSilent || engines.current()) await notes.askForMinutes(it, normalised(note, seconds, isSilent))
        else await notes.waitForEngine(it, engines.missing)
      } catch (error) {
        if (!(error instanceof Unworkable)) throw error
        await failNote(notes, note, error.reason)
      }
    })
  }
}
