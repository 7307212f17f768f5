import type { Envelope } from '@voxscribe/contracts/events'
import { type Documents, insertOnce } from '@voxscribe/service'
import { isIn, STEPS, type Step, type StepName, stateAfter } from './life.ts'
import { NoteRecord, noteSchema, type TimelineEntry, type WorkStep } from './record.ts'

export const TIMELINE_LENGTH = 100

/** The attempt that a piece of work belongs to: a write for an older one changes nothing. */
export type Attempt = Pick<NoteRecord, '_id' | 'attempt'>

/** Fields that a step writes, besides the state and the timeline; those of `work` also one by one. */
type Written = Partial<NoteRecord> & Record<`work.${string}`, unknown>

interface Also {
  /** Conditions beside the states that the step begins in. */
  where?: Record<string, unknown>
  push?: Record<string, unknown>
  unset?: Record<string, 1>
  events?: Envelope[]
  /** For the timeline. */
  detail?: TimelineEntry['detail']
}

/** The steps of `life.ts`: each is one write together with its events; then, but for claims, `changed` is called. */
export function createTransitions(
  documents: Documents,
  now: () => Date,
  changed: (note: NoteRecord) => void,
) {
  const notes = documents.outboxModel('transcriptions', noteSchema)

  /** Returns the new note, or null when it exists already. */
  async function insert(step: 'received' | 'refused', note: Partial<NoteRecord>): Promise<NoteRecord | null> {
    const at = now()
    const timeline = [{ step, at, detail: null }]
    const given = { createdAt: at, since: at, timeline, ...stateAfter(STEPS[step], at), ...note }
    const begun = { ...NoteRecord.partial().parse(given), outbox: [] as Envelope[] } as NoteRecord
    if (!(await insertOnce(notes, begun))) return null
    changed(begun)
    return begun
  }

  /** Takes a step if the note is in one of its `from` states; returns the note after it, else null. */
  async function take(name: StepName, { _id, attempt }: Attempt, set: Written, also: Also = {}) {
    const note = await write(name, { _id, attempt, deletedAt: null, ...isIn(STEPS[name].from) }, set, also)
    if (note) changed(note)
    return note
  }

  /** Claims the first note in the queue that fits, which changes nothing that pages show; null when there is none. */
  const takeNext = (name: WorkStep, where: object, set: Written) =>
    write(name, { 'work.step': name, ...where }, set, { sort: { 'work.turn': 1 } })

  async function write(
    name: StepName,
    filter: object,
    set: object,
    { where = {}, push = {}, unset, events = [], detail = null, sort }: Also & { sort?: Record<string, 1> },
  ): Promise<NoteRecord | null> {
    const step: Step = STEPS[name]
    const at = now()
    const entry = { $each: [{ step: name, at, detail }], $slice: -TIMELINE_LENGTH }
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
