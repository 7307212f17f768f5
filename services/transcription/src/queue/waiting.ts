import { type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { notesWaiting, oldestWaiting } from '../metrics.ts'
import { type NoteRecord, WORK_STEPS, type WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Turns } from './turns.ts'

/** How often the queue is measured, and its turns are told, by one process for all. */
export const WAITING_EVERY_MS = 10_000
/** Notes that are read; the seconds of those behind them are estimated by these. */
const READ_MAX = 2_000
/** Points that are kept of the seconds that wait, by turn. */
const POINTS_MAX = 50
const STEPS: WorkStep[] = ['measuring', 'listening']
const ID = 'queue'

const Gauge = z.object({
  _id: z.string(),
  /** Incremented by the process that measures: one that sees it unchanged for a whole period measures next. */
  round: z.number(),
  /** Notes in the queue, and the time since which the first of them waits. */
  notes: z.number(),
  oldest: z.date().nullable(),
  inHand: z.number(),
  /** Seconds of audio that wait for an engine up to a turn, ascending. */
  upTo: z.array(z.object({ turn: z.number(), seconds: z.number() })),
  /** The highest turn of each step that was claimed, by any process. */
  reached: z.custom<Reached>().optional(),
})
type Reached = Partial<Record<WorkStep, number>>
type Measured = Omit<z.infer<typeof Gauge>, '_id' | 'round'>
const NOTHING: Measured = { notes: 0, oldest: null, inHand: 0, upTo: [] }

interface Deps {
  documents: Pick<Documents, 'model'>
  notes: Pick<Notes, 'model'>
  /** Whether this service has no other process. */
  isAlone: boolean
  now(): Date
}

/** How much waits: measured now and then by one process, not read for each note. */
export function createWaiting({ documents, notes: { model }, isAlone, now }: Deps) {
  const because = 'Sums over the notes of all'
  const gauges = documents.model('gauges', schemaOf(Gauge), { owner: null, because })
  let measured = NOTHING
  let round = -1
  let isElsewhere = false
  /** Put into the queue by this process since it was measured, and not claimed by it. */
  let added: { turn: number; seconds: number }[] = []

  /** The lowest turns that wait in a step, which is where the oldest note is. */
  const first = async (step: WorkStep) => {
    const where = { 'work.step': step, 'work.lease': null }
    const found = model.find(where, { work: 1, durationSeconds: 1 }).sort({ 'work.turn': 1 }).limit(READ_MAX)
    return (await found.lean()) as Pick<NoteRecord, 'work' | 'durationSeconds'>[]
  }

  async function measure(reached: Reached): Promise<Measured> {
    // The leases of all that waits would be a read of all: the keys of an index count it, less the few in hand.
    const held = { 'work.lease.owner': { $gt: '' } } as object
    const [all, claimed] = await Promise.all([
      model.countDocuments({ 'work.step': { $in: STEPS } }),
      model.find(held, { work: 1 }).lean<Pick<NoteRecord, 'work'>[]>(),
    ])
    const inHandOf = (steps: WorkStep[]) =>
      claimed.filter(({ work }) => work && steps.includes(work.step)).length
    const notes = Math.max(0, all - inHandOf(STEPS))
    const inHand = inHandOf(['listening'])
    if (!notes) return { ...NOTHING, inHand, reached }
    const [toMeasure, waiting] = await Promise.all([first('measuring'), first('listening')])
    const since = [...toMeasure, ...waiting].map(({ work }) => Number(work?.since))
    let seconds = 0
    const sums = waiting.map(({ work, durationSeconds }) => {
      seconds += durationSeconds ?? 0
      return { turn: work?.turn ?? 0, seconds }
    })
    const each = Math.ceil(sums.length / POINTS_MAX)
    const upTo = sums.filter((_, index) => index % each === 0 || index === sums.length - 1)
    // Of those behind them only the number is known.
    if (sums.length === READ_MAX) upTo.push({ turn: Number.MAX_VALUE, seconds: (seconds * notes) / READ_MAX })
    const oldest = since.length ? new Date(Math.min(...since)) : null
    return { notes, inHand, oldest, upTo, reached }
  }

  /** Measures if no other process has done so for a whole period; else takes over what it wrote. */
  async function measureInTurn(reached: Reached): Promise<Measured> {
    const kept = await gauges.findById(ID).lean()
    isElsewhere = kept !== null && kept.round !== round
    if (kept && isElsewhere) {
      round = kept.round
      return kept
    }
    if (!kept) await insertOnce(gauges, { _id: ID, round, ...NOTHING })
    const { matchedCount } = await gauges.updateOne({ _id: ID, round }, { $inc: { round: 1 } })
    isElsewhere = !matchedCount
    if (isElsewhere) return measured
    round += 1
    const mine = await measure(reached)
    await gauges.updateOne({ _id: ID, round }, { $set: mine })
    return mine
  }

  return {
    /** A job: every `WAITING_EVERY_MS`. The turns follow those of the process that measures. */
    async look(turns?: Record<WorkStep, Turns>): Promise<void> {
      const before = added.length
      const reached = turns ? Object.fromEntries(WORK_STEPS.map(step => [step, turns[step].clock()])) : {}
      measured = isAlone ? await measure(reached) : await measureInTurn(reached)
      added = added.slice(before)
      notesWaiting.set(measured.notes)
      oldestWaiting.set(measured.oldest ? Math.max(0, now().getTime() - measured.oldest.getTime()) / 1000 : 0)
      for (const step of WORK_STEPS) turns?.[step].reached(measured.reached?.[step] ?? 0)
    },
    /** Whether another process measures, and thus does for all what one does. */
    isElsewhere: () => isElsewhere,
    /** A note that waits for an engine was put into the queue here. */
    put: (turn: number, seconds: number): void => void added.push({ turn, seconds }),
    /** The lowest turn was claimed. */
    claimed(turn: number): void {
      added = added.filter(each => each.turn > turn)
    },
    /** The seconds of audio that wait before this turn, as far as it is known, and how many notes are in hand. */
    before(turn: number): { seconds: number; inHand: number } {
      const seconds = measured.upTo.findLast(each => each.turn <= turn)?.seconds ?? 0
      const more = added.reduce((sum, each) => sum + (each.turn <= turn ? each.seconds : 0), 0)
      return { seconds: seconds + more, inHand: measured.inHand }
    },
  }
}
export type Waiting = ReturnType<typeof createWaiting>
