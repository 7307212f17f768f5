import type { EventOf } from '@voxscribe/contracts/events'
import type { Sounds } from '../audio/sounds.ts'
import { Unworkable } from '../failure.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import type { SameAudio } from './same-audio.ts'
import type { Notes } from './store.ts'

interface Deps {
  notes: Notes
  sounds: Sounds
  inHand: InHand
  sameAudio: SameAudio
}

/** A note begins: it is measured, and only then minutes are asked for. */
export function createOnMediaReceived({ notes, sounds, inHand, sameAudio }: Deps) {
  return async (event: EventOf<'MediaReceived'>): Promise<void> => {
    await notes.received(event)
    const attempt = { _id: event.data.mediaId, attempt: 1 }
    await inHand.work(
      attempt,
      () => notes.begin('measuring', attempt),
      async (note, signal) => {
        try {
          if (await sameAudio.giveText(note)) return
          await sameAudio.goOn(note, await sounds.measure(note, signal))
        } catch (error) {
          if (!(error instanceof Unworkable)) throw error
          await failNote(notes, note, error.reason)
        }
      },
    )
  }
}
