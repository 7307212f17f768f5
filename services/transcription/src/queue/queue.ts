import {
  createOneByOne,
  type Documents,
  type Held,
  type Hold,
  histogram,
  keepNewest,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { NoteRecord, Work, WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { type Place, placeAfter, shareOf } from './turns.ts'

const queueSeconds = histogram({
  name: 'transcription_queue_wait_seconds',
  help: 'Time that a note which was due waited in the queue of a step',
  labelNames: ['step'],
  buckets: [0.1, 0.5, 1, 5, 20, 60, 300, 1800, 7200],
})

export type HeldNote = Held<NoteRecord>
/** Due at once, even by the clocks of other processes. */
const DUE_AT_ONCE = new Date(0)
/** `_id`: the step. */
const Clock = z.object({ _id: z.string(), turn: z.number() })
/** Notes sampled to estimate the total length of all. */
const SAMPLE = 200

export const newWork = (step: WorkStep, turn: number, since: Date): Work => ({
  step,
  turn,
  notBefore: DUE_AT_ONCE,
  since,
  tries: 0,
  lease: null,
})

export type Queue = ReturnType<typeof createQueue>

/** One queue of notes per step, stored in the notes themselves; the lowest turn is next. */
export function createQueue(
  documents: Pick<Documents, 'model'>,
  notes: Pick<Notes, 'model' | 'takeNext'>,
  hold: Hold,
  now: () => Date,
) {
  const { model, takeNext } = notes
  const inTurn = createOneByOne()

  /** The highest turn that any process has claimed, per step. */
  const clocks = documents.model('clocks', schemaOf(Clock), { owner: null, because: 'one for each step' })

  /** Returns the place of a new note that needs these seconds of work. */
  async function placeOf(step: WorkStep, userId: string, seconds: number): Promise<Place> {
    const theirs = model.findOne({ userId, 'work.step': step }, { work: 1 }).sort({ 'work.turn': -1 })
    const [last, clock] = await Promise.all([theirs.lean(), clocks.findById(step).lean()])
    return placeAfter(last?.work?.turn, clock?.turn ?? 0, seconds)
  }

  return {
    /** Returns the `work` with which a person's note enters the queue of a step. */
    workFor: async (step: WorkStep, userId: string, seconds: number): Promise<Work> =>
      newWork(step, (await placeOf(step, userId, seconds)).turn, now()),

    /** Has the caller write a note's `work`, in sequence per step and person: each call sees the turn of the last. */
    enqueue: <T>(
      step: WorkStep,
      userId: string,
      seconds: number,
      write: (work: Work, isFirst: boolean) => Promise<T>,
    ): Promise<T> =>
      inTurn(`${step} ${userId}`, async () => {
        const { turn, isFirst } = await placeOf(step, userId, seconds)
        return write(newWork(step, turn, now()), isFirst)
      }),

    /** Claims the due note with the lowest turn that fits; null if there is none. */
    async next(step: WorkStep, fits: object): Promise<HeldNote | null> {
      const at = now()
      const due = { 'work.lease': null, 'work.notBefore': { $lte: at }, ...fits }
      const held = await hold.claim(undefined, lease => takeNext(step, due, { 'work.lease': lease }))
      const work = held?.claimed.work
      const dueAt = Math.max(Number(work?.notBefore), Number(work?.since))
      if (work) queueSeconds.observe({ step }, Math.max(0, at.getTime() - dueAt) / 1000)
      return held
    },

    /**
     * Advances the step's clock to the turn of a claimed note. If it is there already, it advances by the note's share
     * of work: otherwise new people could hold the clock back, and with it a long note forever.
     */
    async reached(step: WorkStep, turn: number, seconds: number): Promise<void> {
      if (await keepNewest(clocks, 'turn', { _id: step, turn })) return
      await clocks.updateOne({ _id: step }, { $inc: { turn: shareOf(seconds) } })
    },

    /** Estimates the seconds of audio that wait for an engine up to a turn, and counts the notes being recognized. */
    async before(turn: number): Promise<{ seconds: number; inHand: number }> {
      const earlier = { 'work.step': 'listening', 'work.turn': { $lte: turn } } as const
      const [count, sample, inHand] = await Promise.all([
        model.countDocuments(earlier),
        model.find(earlier, { durationSeconds: 1 }).sort({ 'work.turn': -1 }).limit(SAMPLE).lean(),
        model.countDocuments({ 'work.lease.owner': { $gt: '' }, 'work.step': 'listening' }),
      ])
      const seconds = sample.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0)
      return { seconds: (seconds * Math.max(0, count - inHand)) / Math.max(1, sample.length), inHand }
    },
  }
}
