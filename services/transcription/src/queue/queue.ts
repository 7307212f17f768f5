import type { Held, Hold } from '@voxscribe/service'
import { queueSeconds } from '../metrics.ts'
import type { NoteRecord, Work, WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Turn } from './turns.ts'

export type HeldNote = Held<NoteRecord>
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

/** The notes that need work: a queue for each step, in the notes themselves, lowest turn first. */
export function createQueue(notes: Pick<Notes, 'model' | 'takeNext'>, hold: Hold, now: () => Date) {
  const { model, takeNext } = notes
  return {
    /** Claims the lowest turn that is due and fits; null when there is none. */
    async next(step: WorkStep, fits: object): Promise<HeldNote | null> {
      const at = now()
      const due = { 'work.lease': null, 'work.notBefore': { $lte: at }, ...fits }
      const held = await hold.claim(undefined, lease => takeNext(step, due, { 'work.lease': lease }))
      const work = held?.claimed.work
      const dueAt = Math.max(Number(work?.notBefore), Number(work?.since))
      if (work) queueSeconds.observe({ step }, Math.max(0, at.getTime() - dueAt) / 1000)
      return held
    },

    /** Puts the notes of dead processes back, at their turns; returns the notes that any process held. */
    freeDead: () => hold.freeDead() as Promise<(Pick<NoteRecord, '_id'> & { work: Work })[]>,

    /** Returns the turns that wait or are in hand, ascending, with their people. */
    async turns(step: WorkStep): Promise<Turn[]> {
      const found = model.find({ 'work.step': step }, { userId: 1, work: 1 }).sort({ 'work.turn': 1 })
      return (await found.lean()).map(({ userId, work }) => ({ userId, turn: work?.turn ?? 0 }))
    },
  }
}
