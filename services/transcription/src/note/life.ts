import type { Envelope, EventName } from '@voxscribe/contracts/events'
import { type Documents, insertOnce } from '@voxscribe/service'
import {
  NoteRecord,
  noteSchema,
  STAGES,
  type Stage,
  TEXT_STEPS,
  type TimelineEntry,
  type WorkStep,
} from './record.ts'

// A note's life on one page: all its steps, and the writes that take them. docs/inside.md draws its diagram from here.

/** State of a note: its stage while it is in progress, else how it ended. */
export type State = Stage | 'completed' | 'failed' | 'deleted'

export interface Step {
  /** States that a note may come from; empty: there is no note yet. */
  from: readonly State[]
  to: State
  /** Events that the same write publishes. */
  sends?: readonly EventName[]
  /** The note is being worked on: its `work` stays. */
  isWork?: true
  /** Adds no timeline entry: it is progress within a stage, or it deletes the timeline. */
  isQuiet?: true
}

/** A process has claimed a note that already has its text. */
const TEXT_CLAIM = { from: ['completed'], to: 'completed', isWork: true, isQuiet: true } as const
const CLAIMED = Object.fromEntries(TEXT_STEPS.map(step => [step, TEXT_CLAIM])) as Record<
  (typeof TEXT_STEPS)[number],
  typeof TEXT_CLAIM
>

/** The names are those in a note's timeline. */
export const STEPS = {
  received: { from: [], to: 'normalising' },
  refused: { from: [], to: 'failed', sends: ['NoteRejected'] },
  /** The file came after its download had been given up. */
  receivedLate: { from: ['failed'], to: 'normalising' },
  /** A process has claimed it from the queue. */
  measuring: { from: ['normalising'], to: 'normalising', isWork: true },
  minutesAsked: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'reserving',
    sends: ['MediaNormalised'],
  },
  /** Another note of this person, with the same bytes, is being recognized. */
  waitingForSame: { from: ['normalising', 'waiting-for-engine'], to: 'waiting-for-same' },
  /** It gets that note's text, without an engine or minutes. */
  sameFound: {
    from: ['normalising', 'waiting-for-engine', 'waiting-for-same'],
    to: 'completed',
    sends: ['TranscriptionCompleted'],
  },
  waiting: { from: ['normalising', 'waiting-for-same', 'recognising'], to: 'waiting-for-engine' },
  /** Its minutes are reserved: it is in the queue for an engine. */
  queued: { from: ['reserving'], to: 'recognising', isQuiet: true },
  /** A process has claimed it from the queue. */
  listening: { from: ['recognising'], to: 'recognising', isWork: true },
  partRecognised: { from: ['recognising'], to: 'recognising', isWork: true, isQuiet: true },
  /** A refreshed note that had failed before it was measured asks for its minutes under its next attempt. */
  minutesAskedLate: { from: ['recognising'], to: 'reserving', sends: ['MediaNormalised'] },
  /** Its speakers are to be told apart. */
  speakersAsked: { from: ['completed'], to: 'completed', isQuiet: true },
  ...CLAIMED,
  /** Work on its text is done, has failed, or was canceled. */
  textWorkEnded: { from: ['completed'], to: 'completed', isQuiet: true },
  /** Its gist is made, or can't be made. */
  summarised: { from: ['completed'], to: 'completed', sends: ['NoteSummarised'], isQuiet: true },
  completed: { from: ['recognising'], to: 'completed', sends: ['TranscriptionCompleted'] },
  failed: { from: STAGES, to: 'failed', sends: ['TranscriptionFailed'] },
  /** A refresh failed: the previous text stays. */
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

/** Returns the filter for notes in one of these states. */
const isIn = (states: readonly State[]) => ({
  status: { $in: states.map(state => (isStage(state) ? 'processing' : state)) },
  stage: { $in: states.map(state => (isStage(state) ? state : null)) },
})

/** Returns a document's fields after a step. Clears `work`, unless the step is work; the caller may write new work. */
function stateAfter({ to, isWork }: Step, now: Date): Partial<NoteRecord> {
  const done = isWork ? {} : { work: null }
  return isStage(to)
    ? { status: 'processing', stage: to, since: now, notices: [], ...done }
    : { status: to === 'completed' ? 'completed' : 'failed', stage: null, ...done }
}

export const TIMELINE_LENGTH = 100

/** The attempt that a piece of work belongs to: a write for an older one changes nothing. */
export type NoteAttempt = Pick<NoteRecord, '_id' | 'attempt'>

/** Fields that a step writes besides state and timeline; those of `work` may be set one by one. */
type StepFields = Partial<NoteRecord> & Record<`work.${string}`, unknown>

interface StepExtras {
  /** Conditions in addition to the step's `from` states. */
  where?: Record<string, unknown>
  push?: Record<string, unknown>
  unset?: Record<string, 1>
  events?: Envelope[]
  detail?: TimelineEntry['detail']
  /** Timeline entries to add before the step's own. */
  before?: Omit<TimelineEntry, 'at'>[]
}

/** Fills in the defaults of a new note. Built once, as building it takes longer than the rest of an insert. */
const Begun = NoteRecord.partial()

/** Takes the steps, each in one write with its events, and calls `changed` after all but claims. */
export function createTransitions(
  documents: Documents,
  now: () => Date,
  changed: (note: NoteRecord) => void,
) {
  const notes = documents.outboxModel('transcriptions', noteSchema, { owner: ['userId', 'hiddenOf'] })

  /** Inserts a note and returns it; null if it exists already. */
  async function insert(
    step: 'received' | 'refused',
    note: Partial<NoteRecord>,
    eventsOf: (begun: NoteRecord) => Envelope[] = () => [],
  ): Promise<NoteRecord | null> {
    const at = now()
    const timeline = [{ step, at, detail: null }]
    const given = { createdAt: at, since: at, timeline, ...stateAfter(STEPS[step], at), ...note }
    const begun = Begun.parse(given) as NoteRecord
    if (!(await insertOnce(notes, { ...begun, outbox: eventsOf(begun) }))) return null
    changed(begun)
    return begun
  }

  /** Takes a step if the note is in one of its `from` states; returns the note after it, else null. */
  async function take(
    name: StepName,
    { _id, attempt }: NoteAttempt,
    set: StepFields,
    extras: StepExtras = {},
  ) {
    const note = await write(name, { _id, attempt, deletedAt: null, ...isIn(STEPS[name].from) }, set, extras)
    if (note) changed(note)
    return note
  }

  /** Claims the first fitting note in the queue; null if there is none. Pages show no claims, so none is announced. */
  const takeNext = (name: WorkStep, where: object, set: StepFields) =>
    write(name, { 'work.step': name, deletedAt: null, ...where }, set, { sort: { 'work.turn': 1 } })

  async function write(
    name: StepName,
    filter: object,
    set: object,
    extras: StepExtras & { sort?: Record<string, 1> },
  ): Promise<NoteRecord | null> {
    const { where = {}, push = {}, unset, events = [], detail = null, before = [], sort } = extras
    const step: Step = STEPS[name]
    const at = now()
    const entries = [...before, { step: name, detail }].map(each => ({ ...each, at }))
    const entry = { $each: entries, $slice: -TIMELINE_LENGTH }
    const pushed = {
      ...push,
      ...(!step.isQuiet && { timeline: entry }),
      ...(events.length && { outbox: { $each: events } }),
    }
    return notes
      .findOneAndUpdate(
        { ...filter, ...where },
        {
          $set: { ...stateAfter(step, at), ...set },
          ...(unset ? { $unset: unset } : {}),
          ...(Object.keys(pushed).length && { $push: pushed }),
        },
        { returnDocument: 'after', ...(sort && { sort }) },
      )
      .lean()
  }

  return { notes, insert, take, takeNext, now, changed }
}
export type Transitions = ReturnType<typeof createTransitions>
