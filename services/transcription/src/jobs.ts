import type { Engines } from './engines/choice.ts'
import { failNote } from './note/fail-note.ts'
import type { Stage } from './note/record.ts'
import { lengthOf, type SameAudio } from './note/same-audio.ts'
import { STAGES } from './note/steps.ts'
import type { Notes } from './note/store.ts'
import { TIMED_OUT } from './reasons.ts'
import type { TranscriptionSettings } from './settings.ts'
import type { InHand } from './work/in-hand.ts'

const AT_ONCE = 200

/** Stages whose notes may wait in line for it: the wait has a limit of its own. */
const IN_LINE: readonly Stage[] = ['normalising', 'recognising']

/** Fails every note that has made no progress for longer than its stage allows: nothing stays in progress forever. */
export async function sweep(
  { notes, inHand, settings }: { notes: Notes; inHand: InHand; settings: TranscriptionSettings },
  now: Date,
): Promise<void> {
  for (const [stage, setting] of Object.entries(STAGES) as [Stage, (typeof STAGES)[Stage]][]) {
    if (!setting) continue
    const before = (ms: number) => new Date(now.getTime() - ms)
    const late = [
      ...(await notes.stuck(stage, false, before(settings[setting]), AT_ONCE)),
      ...(IN_LINE.includes(stage)
        ? await notes.stuck(stage, true, before(settings.QUEUE_TIMEOUT), AT_ONCE)
        : []),
    ]
    for (const note of late) {
      // It may have made progress, or have ended and be transcribed again, since it was found.
      const hasFailed = await failNote(notes, note, TIMED_OUT, { since: note.since })
      if (hasFailed) inHand.stop(note._id, note.attempt)
    }
  }
}

interface Waiting {
  notes: Notes
  engines: Engines
  sameAudio: SameAudio
}

/**
 * Resumes the notes that wait for an engine once there is one, and those whose wait for another note is over. Waiting
 * notes hold no minutes.
 */
export async function resumeWaiting({ notes, engines, sameAudio }: Waiting): Promise<void> {
  await sameAudio.resume()
  if (!engines.current()) return
  for (const note of await notes.waiting(AT_ONCE)) await sameAudio.goOn(note, lengthOf(note))
}
