import { settledWithin } from '@voxscribe/messaging'
import { gauge } from '@voxscribe/service'
import type { WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

type Model = Notes['model']

const STEPS: WorkStep[] = ['measuring', 'listening']
/** Notes read per step; the oldest is among them unless this many newer ones have lower turns. */
const READ_MAX = 1_000
/** Metrics wait no longer than this for an unreachable database. */
const TIMEOUT_MS = 2_000

let model: Model | undefined

/** Sets the notes from which the metrics read how many wait, and for how long. */
export function watchQueue(notes: Model): void {
  model = notes
}

/** Counts the waiting notes from index keys alone, less the few in hand. */
export async function countWaiting(notes: Model): Promise<number> {
  const ofSteps = { 'work.step': { $in: STEPS } }
  const [all, inHand] = await Promise.all([
    notes.countDocuments(ofSteps),
    notes.countDocuments({ 'work.lease.owner': { $gt: '' }, ...ofSteps }),
  ])
  return Math.max(0, all - inHand)
}

/** Returns the seconds for which the oldest waiting note has waited; 0 if none waits. */
export async function oldestSeconds(notes: Model, now = new Date()): Promise<number> {
  const first = (step: WorkStep) =>
    notes
      .find({ 'work.step': step, 'work.lease': null }, { work: 1 })
      .sort({ 'work.turn': 1 })
      .limit(READ_MAX)
      .lean()
  const waiting = (await Promise.all(STEPS.map(first))).flat()
  const since = waiting.map(({ work }) => Number(work?.since))
  return since.length ? Math.max(0, now.getTime() - Math.min(...since)) / 1000 : 0
}

/** Reads a value while metrics are collected; on an error or timeout, the last value stays. */
async function ask(read: (notes: Model) => Promise<number>, set: (value: number) => void): Promise<void> {
  if (model)
    await settledWithin(
      TIMEOUT_MS,
      read(model).then(set, () => {}),
    )
}

gauge({
  name: 'transcription_waiting_notes',
  help: 'Notes waiting to be measured or transcribed, in all processes',
  async collect() {
    await ask(countWaiting, value => this.set(value))
  },
})
gauge({
  name: 'transcription_oldest_waiting_seconds',
  help: 'For how long the first note in the queue has waited; 0 without one',
  async collect() {
    await ask(oldestSeconds, value => this.set(value))
  },
})
