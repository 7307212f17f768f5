import type { Engines } from './engines/choice.ts'
import { normalised } from './note/events.ts'
import { failNote } from './note/fail-note.ts'
import type { InHand } from './note/in-hand.ts'
import type { Stage } from './note/record.ts'
import type { Notes } from './note/store.ts'
import { TIMED_OUT } from './reasons.ts'
import type { TranscriptionSettings } from './settings.ts'

const AT_ONCE = 200

/** Nothing stays in progress for ever: what is at work, or waits, for longer than its limit fails. */
export async function sweep(
  { notes, inHand, settings }: { notes: Notes; inHand: InHand; settings: TranscriptionSettings },
  now: Date,
): Promise<void> {
  const limits: [Stage[], number][] = [
    [['normalising', 'recognising'], settings.NOTE_TIMEOUT],
    [['reserving'], settings.QUEUE_TIMEOUT],
  ]
  for (const [stages, limit] of limits) {
    for (const note of await notes.stuck(stages, new Date(now.getTime() - limit), AT_ONCE)) {
      await failNote(notes, note, TIMED_OUT)
      inHand.stop(note._id)
    }
  }
}

/** As soon as there is an engine, the notes that wait for one go on. Until then they hold no minutes. */
export async function resumeWaiting({ notes, engines }: { notes: Notes; engines: Engines }): Promise<void> {
  if (!engines.current()) return
  for (const note of await notes.waiting(AT_ONCE)) {
    await notes.askForMinutes(note, normalised(note, note.durationSeconds ?? 0, note.isSilent))
  }
}
