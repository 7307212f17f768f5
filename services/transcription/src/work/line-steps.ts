import { SHORT_NOTE_SECONDS } from '../engines/engine.ts'
import type { Notes } from '../note/store.ts'
import type { Work } from './claims.ts'
import type { LineSteps } from './line.ts'

/** Before a note is measured: WhatsApp's Opus has 16 kbit/s. */
const BYTES_PER_SECOND = 2_000

export const secondsOfBytes = (bytes: number) => bytes / BYTES_PER_SECOND

interface Deps {
  notes: Notes
  measure: LineSteps['work']
  listen: LineSteps['work']
}

/** Both kinds of work that notes wait for, as the database keeps them. */
export function lineStepsOf({ notes, measure, listen }: Deps): Record<Work, LineSteps> {
  const stepsOf = (
    step: Work,
    short: Record<string, unknown>,
    special: Pick<LineSteps, 'secondsOf' | 'wait' | 'work'>,
  ): LineSteps => ({
    next: onlyShort => notes.next(step, onlyShort ? short : {}),
    abandoned: isOurs => notes.abandoned(step, isOurs),
    broke: note => notes.broke(note, step),
    ...special,
  })
  return {
    measuring: stepsOf(
      'measuring',
      { bytes: { $lte: SHORT_NOTE_SECONDS * BYTES_PER_SECOND } },
      {
        secondsOf: ({ bytes }) => secondsOfBytes(bytes),
        wait: (note, turn) => notes.waitToMeasure(note, turn),
        work: measure,
      },
    ),
    listening: stepsOf(
      'listening',
      { durationSeconds: { $lte: SHORT_NOTE_SECONDS } },
      {
        secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,
        wait: (note, turn) => notes.waitToListen(note, turn, note.reserved),
        work: listen,
      },
    ),
  }
}
