import type { EventName } from '@voxscribe/contracts/events'
import { type NoteRecord, STAGES, type Stage } from './record.ts'

// A note's life on one page. The store takes these steps and no others, and docs/architecture.md draws its diagram from
// here.

/** State of a note: its stage while it is in progress, else how it ended. */
export type State = Stage | 'completed' | 'failed' | 'deleted'

export interface Step {
  /** States that a note may come from; empty: there is no note yet. */
  from: readonly State[]
  to: State
  /** Events for others, in the same write. */
  sends?: readonly EventName[]
  /** The note is being worked on: its `work` stays. */
  isWork?: true
  /** Not an entry of the timeline: progress within a stage, or the end of the timeline itself. */
  isQuiet?: true
}

/** Named as the timeline of a note names them. */
export const STEPS = {
  received: { from: [], to: 'normalising' },
  refused: { from: [], to: 'failed' },
  /** Its download had been given up. */
  receivedLate: { from: ['failed'], to: 'normalising' },
  /** A process has claimed it from the queue. */
  measuring: { from: ['normalising'], to: 'normalising', isWork: true },
  minutesAsked: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'reserving',
    sends: ['MediaNormalised'],
  },
  /** Another note of this person, with the same bytes, is being recognised. */
  waitingForSame: { from: ['normalising', 'waiting-for-engine'], to: 'waiting-for-same' },
  /** It is given that one's text: no engine, no minutes. */
  sameFound: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'completed',
    sends: ['TranscriptionCompleted'],
  },
  waiting: { from: ['normalising', 'waiting-for-same', 'recognising'], to: 'waiting-for-engine' },
  /** Its minutes are reserved: it is in the queue for an engine. */
  queued: { from: ['reserving'], to: 'recognising', sends: ['NoteQueued'], isQuiet: true },
  /** A process has claimed it from the queue. */
  listening: { from: ['recognising'], to: 'recognising', isWork: true },
  partRecognised: { from: ['recognising'], to: 'recognising', isWork: true, isQuiet: true },
  /** A note that failed before it was measured, and is refreshed, asks for its minutes by its next attempt. */
  minutesAskedLate: { from: ['recognising'], to: 'reserving', sends: ['MediaNormalised'] },
  completed: { from: ['recognising'], to: 'completed', sends: ['TranscriptionCompleted'] },
  failed: { from: STAGES, to: 'failed', sends: ['TranscriptionFailed'] },
  /** A refresh failed: the text of before stays. */
  textKept: { from: STAGES, to: 'completed', sends: ['TranscriptionFailed'] },
  refreshed: { from: ['completed', 'failed'], to: 'reserving', sends: ['MediaNormalised'] },
  deleted: {
    from: [...STAGES, 'completed', 'failed'],
    to: 'deleted',
    sends: ['TranscriptionDeleted', 'TranscriptionFailed'],
    isQuiet: true,
  },
} as const satisfies Record<string, Step>

export type StepName = keyof typeof STEPS

const isStage = (state: State): state is Stage => STAGES.some(stage => stage === state)

/** The filter for notes that are in one of these states. */
export const isIn = (states: readonly State[]) => ({
  status: { $in: states.map(state => (isStage(state) ? 'processing' : state)) },
  stage: { $in: states.map(state => (isStage(state) ? state : null)) },
})

/** Returns a document's fields for a state. Unless the step is work, or writes new work, the note needs none. */
export function stateAfter({ to, isWork }: Step, now: Date): Partial<NoteRecord> {
  const done = isWork ? {} : { work: null }
  return isStage(to)
    ? { status: 'processing', stage: to, since: now, notices: [], ...done }
    : { status: to === 'completed' ? 'completed' : 'failed', stage: null, ...done }
}
