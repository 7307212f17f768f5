import { settledWithin } from '@voxscribe/messaging'
import { gauge } from '@voxscribe/service'
import type { WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

type Model = Notes['model']

const STEPS: WorkStep[] = ['measuring', 'listening']
/** Notes that are read of each step; the first of the queue is among them, unless others have had very many turns. */
const READ_MAX = 1_000
/** Metrics do not wait longer for a database that is away. */
const PATIENCE_MS = 2_000

let model: Model | undefined

/** Has the metrics ask these notes how many wait, and for how long. */
export function watchQueue(notes: Model): void {
  model = notes
}

/** Returns how many notes wait: by the keys of indexes, less the few in hand. */
export async function countWaiting(notes: Model): Promise<number> {
  const ofSteps = { 'work.step': { $in: STEPS } }
  const [all, inHand] = await Promise.all([
    notes.countDocuments(ofSteps),
    notes.countDocuments({ 'work.lease.owner': { $gt: '' }, ...ofSteps }),
  ])
  return Math.max(0, all - inHand)
}

/** Returns for how many seconds the first note of the queue has waited; 0 without one. */
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

/** Asks for a value as the metrics are read; without an answer the last one stays. */
async function ask(read: (notes: Model) => Promise<number>, set: (value: number) => void): Promise<void> {
  if (model)
    await settledWithin(
      PATIENCE_MS,
      read(model).then(set, () => {}),
    )
}

gauge({
  name: 'transcription_waiting_notes',
  help: 'Notes that wait to be measured or recognised, in all processes',
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
