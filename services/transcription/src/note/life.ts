import type { EventName } from '@voxscribe/contracts/events'
import type { NoteRecord, Stage } from './record.ts'

// A note's life on one page. The store takes these steps and no others, the sweeper looks at these stages, and
// docs/architecture.md draws its diagram from here.

/** State of a note: its stage while it is in progress, else how it ended. */
export type State = Stage | 'completed' | 'failed' | 'deleted'

/** The stages of a note in progress, and how the sweeper limits the stay there. */
export const STAGES = {
  normalising: 'work',
  // Its audio expires.
  'waiting-for-engine': 'audio',
  // The note that it waits for has limits.
  'waiting-for-same': 'other',
  reserving: 'queue',
  recognising: 'work',
} as const satisfies Record<Stage, string>

export interface Step {
  /** States that a note may come from; empty: there is no note yet. */
  from: readonly State[]
  to: State
  /** Fields that it writes, besides the state and the timeline. */
  writes: readonly (keyof NoteRecord)[]
  /** Events for others, in the same write. */
  sends: readonly EventName[]
  /** The note is being worked on: its `work` stays. */
  isWork?: true
  /** Not an entry of the timeline: progress within a stage, or the end of the timeline itself. */
  isQuiet?: true
  /** A claim: it changes nothing that pages show, and is not broadcast. */
  isClaim?: true
}

const IN_PROGRESS = Object.keys(STAGES) as Stage[]

/** A text and what belongs to it. */
const TEXT = [
  'text',
  'segments',
  'timesExact',
  'wordCount',
  'confidence',
  'spokenLanguage',
  'engine',
  'notices',
  'completedAttempt',
  'original',
  'version',
  'words',
  'listedLanguage',
] as const

/** Named as the timeline of a note names them. */
export const STEPS = {
  received: { from: [], to: 'normalising', writes: ['objectKey', 'sha256', 'work'], sends: [] },
  refused: { from: [], to: 'failed', writes: ['error'], sends: [] },
  /** Its download had been given up. */
  receivedLate: {
    from: ['failed'],
    to: 'normalising',
    writes: ['error', 'objectKey', 'bytes', 'sha256', 'work'],
    sends: [],
  },
  /** A process has claimed it from the queue. */
  measuring: {
    from: ['normalising'],
    to: 'normalising',
    writes: ['work'],
    sends: [],
    isWork: true,
    isClaim: true,
  },
  minutesAsked: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'reserving',
    writes: ['durationSeconds', 'isSilent', 'levels', 'spoken', 'firstOf'],
    sends: ['MediaNormalised'],
  },
  /** Another note of this person, with the same bytes, is being recognised. */
  waitingForSame: {
    from: ['normalising', 'waiting-for-engine'],
    to: 'waiting-for-same',
    writes: ['durationSeconds', 'isSilent', 'levels', 'spoken', 'notices'],
    sends: [],
  },
  /** It is given that one's text: no engine, no minutes. */
  sameFound: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'completed',
    writes: [...TEXT, 'durationSeconds', 'isSilent', 'levels', 'sameAs'],
    sends: ['TranscriptionCompleted'],
  },
  waiting: {
    from: ['normalising', 'waiting-for-same', 'recognising'],
    to: 'waiting-for-engine',
    writes: ['durationSeconds', 'isSilent', 'levels', 'spoken', 'notices'],
    sends: [],
  },
  /** Its minutes are reserved: it is in the queue for an engine. */
  queued: {
    from: ['reserving'],
    to: 'recognising',
    writes: ['work', 'reserved', 'notices'],
    sends: ['NoteQueued'],
    isQuiet: true,
  },
  /** A process has claimed it from the queue. */
  listening: {
    from: ['recognising'],
    to: 'recognising',
    writes: ['work'],
    sends: [],
    isWork: true,
    isClaim: true,
  },
  partRecognised: {
    from: ['recognising'],
    to: 'recognising',
    writes: ['parts', 'work'],
    sends: [],
    isWork: true,
    isQuiet: true,
  },
  /** A note that failed before it was measured, and is refreshed, asks for its minutes by its next attempt. */
  minutesAskedLate: {
    from: ['recognising'],
    to: 'reserving',
    writes: ['attempt', 'durationSeconds', 'isSilent', 'levels', 'spoken'],
    sends: ['MediaNormalised'],
  },
  completed: {
    from: ['recognising'],
    to: 'completed',
    writes: [...TEXT, 'engineCost', 'error', 'parts'],
    sends: ['TranscriptionCompleted'],
  },
  failed: { from: IN_PROGRESS, to: 'failed', writes: ['error', 'notices'], sends: ['TranscriptionFailed'] },
  /** A refresh failed: the text of before stays. */
  textKept: { from: IN_PROGRESS, to: 'completed', writes: ['notices'], sends: ['TranscriptionFailed'] },
  refreshed: {
    from: ['completed', 'failed'],
    to: 'reserving',
    writes: ['attempt', 'language', 'listedLanguage', 'askedEngine', 'error', 'refreshedAt'],
    sends: ['MediaNormalised'],
  },
  deleted: {
    from: [...IN_PROGRESS, 'completed', 'failed'],
    to: 'deleted',
    writes: ['deletedAt', 'forgetAt'],
    sends: ['TranscriptionDeleted', 'TranscriptionFailed'],
    isQuiet: true,
  },
} as const satisfies Record<string, Step>

export type StepName = keyof typeof STEPS
/** The fields that a step may write; those of `work` also one by one. */
export type WrittenBy<N extends StepName> = Partial<Pick<NoteRecord, (typeof STEPS)[N]['writes'][number]>> & {
  [path: `work.${string}`]: unknown
}

const isStage = (state: State): state is Stage => state in STAGES

/** The filter for notes that are in one of these states. */
export function isIn(states: readonly State[]): {
  status?: NoteRecord['status'] | { $in: NoteRecord['status'][] }
  stage?: { $in: Stage[] }
} {
  const stages = states.filter(isStage)
  const ended = states.filter(state => state === 'completed' || state === 'failed')
  if (stages.length && ended.length) return {}
  return stages.length ? { status: 'processing', stage: { $in: stages } } : { status: { $in: ended } }
}

/** Returns a document's fields for a state. Unless the step is work, or writes new work, the note needs none. */
export function stateAfter({ to, isWork }: Step, now: Date): Partial<NoteRecord> {
  const done = isWork ? {} : { work: null }
  return isStage(to)
    ? { status: 'processing', stage: to, since: now, notices: [], ...done }
    : { status: to === 'completed' ? 'completed' : 'failed', stage: null, ...done }
}
