import type { Held, Hold } from '@voxscribe/service'
import { queueSeconds } from '../metrics.ts'
import { type NoteRecord, WORK_STEPS, type Work, type WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Turn } from './turns.ts'

/** More notes at once than all processes work on. */
const MAX_AT_WORK = 1_000

export type HeldNote = Held<NoteRecord>
/** A note in the queue, with its work. */
export type Waiting = Pick<NoteRecord, '_id'> & { work: Work }
/** Due at once, whatever the clocks of the other processes say. */
const DUE_AT_ONCE = new Date(0)
export const newWork = (step: WorkStep, turn: number, since: Date): Work => ({
  step,
  turn,
  notBefore: DUE_AT_ONCE,
  since,
  tries: 0,
  lease: null,
})
export type Queue = ReturnType<typeof createQueue>

const isFree = (step: WorkStep) => ({ 'work.step': step, 'work.lease': null })
const isHeld = { 'work.step': { $in: [...WORK_STEPS] }, 'work.lease': { $ne: null } }

/**
 * The notes that need work: a queue for each step, in the notes themselves. The processes of the service claim from it,
 * lowest turn first; a note that is held by a dead process is claimed again.
 */
export function createQueue(notes: Pick<Notes, 'model' | 'takeNext'>, hold: Hold, now: () => Date) {
  const { model, takeNext } = notes
  return {
    /** Claims the lowest turn that is due and fits; null when there is none. */
    async next(step: WorkStep, fits: object): Promise<HeldNote | null> {
      const at = now()
      const due = { ...isFree(step), 'work.notBefore': { $lte: at }, ...fits }
      const held = await hold.claim(undefined, lease => takeNext(step, due, { 'work.lease': lease }))
      const work = held?.claimed.work
      const dueAt = Math.max(Number(work?.notBefore), Number(work?.since))
      if (work) queueSeconds.observe({ step }, Math.max(0, at.getTime() - dueAt) / 1000)
      return held
    },

    /** Returns the notes that any process holds. */
    held: (): Promise<Waiting[]> =>
      model.find(isHeld, { work: 1 }).limit(MAX_AT_WORK).lean() as unknown as Promise<Waiting[]>,

    /**
     * Puts a note whose process has died back into the queue, at its turn; false while that process lives. That is
     * never about the note: it uses up no try.
     */
    async putBack({ _id, work }: Waiting): Promise<boolean> {
      if (!hold.isFree(_id, work.lease)) return false
      const { matchedCount } = await model.updateOne(
        { _id, ...hold.asRead(work.lease) },
        { $set: { 'work.lease': null } },
      )
      return matchedCount > 0
    },

    /** Returns the seconds of audio that wait before this turn, and how many notes are in hand. */
    async before(turn: number): Promise<{ seconds: number; inHand: number }> {
      const [sum] = await model.aggregate<{ seconds: number }>([
        { $match: { ...isFree('listening'), 'work.turn': { $lte: turn } } },
        { $group: { _id: null, seconds: { $sum: '$durationSeconds' } } },
      ])
      const inHand = await model.countDocuments({ ...isHeld, 'work.step': 'listening' })
      return { seconds: sum?.seconds ?? 0, inHand }
    },

    /** Returns the turns that wait or are in hand, ascending, with their people. */
    async turns(step: WorkStep): Promise<Turn[]> {
      const found = model.find({ 'work.step': step }, { userId: 1, work: 1 }).sort({ 'work.turn': 1 })
      return (await found.lean()).map(({ userId, work }) => ({ userId, turn: work?.turn ?? 0 }))
    },
  }
}
