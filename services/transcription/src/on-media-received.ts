import type { EventOf } from '@voxscribe/contracts/events'
import { type Blobs, inSpan } from '@voxscribe/service'
import type { Engines } from './engines/choice.ts'
import { normalised } from './events.ts'
import { failNote } from './fail-note.ts'
import { Unworkable } from './failure.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import type { InHand } from './in-hand.ts'
import { stageSeconds } from './metrics.ts'
import type { Notes } from './store.ts'
import { fetchAudio, withFolder } from './workspace.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  engines: Engines
  inHand: InHand
}

/**
 * A note begins: its sound is decoded once to find out its real length and whether anyone speaks. Only then minutes
 * are asked for. The samples are not kept: reading them again from the original takes a hundredth of the time of
 * listening to them, and there is one file less to guard and to delete.
 */
export function createOnMediaReceived({ notes, blobs, ffmpeg, engines, inHand }: Deps) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    await notes.received(event)
    const it = { _id: event.data.mediaId, attempt: 1 }
    const note = await notes.begin(it, ['normalising'], 'normalising')
    if (!note) return
    await inHand.work(it._id, it.attempt, async signal => {
      const ended = stageSeconds.startTimer({ stage: 'normalise' })
      try {
        const { seconds, isSilent } = await inSpan('normalise', () =>
          withFolder(async folder =>
            ffmpeg.decode(await fetchAudio(blobs, note.objectKey, folder, signal), { signal }),
          ),
        )
        ended()
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
