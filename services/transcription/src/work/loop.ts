import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import { HoldLost, isDatabaseAway, isStorageAway, type Logger, withTrace } from '@voxscribe/service'
import { SHORT_NOTE_SECONDS } from '../engines/engine.ts'
import { EngineWaits, Unworkable } from '../failure.ts'
import { type NoteRecord, WORK_STEPS, type WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { HeldNote, Queue } from './queue.ts'
import type { Turns } from './turns.ts'

/** How long work waits that does not say for how long. */
export const REST_MS = 10_000
const LONGEST_REST_MS = 600_000
/** Waits before failed work is tried again, in units of the first one; then the note fails. */
const RETRY_AFTER = [1, 5, 30, 120, 600]
/** Shorter waits are not worth a word. */
const TOLD_FROM_SECONDS = 20

/** One kind of work on notes. It writes its outcome itself, with which the note leaves the queue. */
export interface StepWork {
  /** The filter for notes whose work is short. */
  short: object
  /** The filter for notes that this process can do. */
  fits(): object
  /** Length of the note's sound, as far as it is known. */
  secondsOf(note: NoteRecord): number
  /** Notes at once in places of their own; without it they share the places of the loop. */
  places?: number
  /** Ends work that cannot be done; without it the note fails. */
  giveUp?(note: NoteRecord): Promise<void>
  /** Throws `Unworkable` when the note must fail, `Later` when it has to wait; anything else is tried again. */
  work(note: NoteRecord, signal: AbortSignal): Promise<void>
}

interface Deps {
  notes: Notes
  queue: Queue
  steps: Record<WorkStep, StepWork>
  turns: Record<WorkStep, Turns>
  /** Notes at once, whatever the step. */
  atOnce: number
  /** Short work of a step that begins although all places are taken. */
  shortAtOnce: number
  /** The first wait before failed work is tried again. */
  retryAfterMs: number
  now(): Date
  log: Logger
  /** Tells the other processes that a note waits: one of them may be free. */
  tell(data: { queued: WorkStep }): void
}

export type Loop = ReturnType<typeof createLoop>

/** Works through the queue of notes: claims the lowest turn of each step in rotation while there is a place. */
export function createLoop({
  notes,
  queue,
  steps,
  turns,
  atOnce,
  shortAtOnce,
  retryAfterMs,
  now,
  log,
  tell,
}: Deps) {
  const running = new Map<Promise<void>, { step: WorkStep; isShort: boolean }>()
  /** How many notes may be due in the queue of each step. */
  const due = Object.fromEntries(WORK_STEPS.map(step => [step, 0])) as Record<WorkStep, number>
  /** The step that claimed a note last comes last. */
  let rotation = [...WORK_STEPS]
  const resting = new Set<WorkStep>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let hasEnded = false
  /** Average seconds of work per second of audio; undefined before the first note. */
  let pace: number | undefined

  const shorts = (of: WorkStep) =>
    [...running.values()].filter(({ step, isShort }) => step === of && isShort).length
  const inHand = (fits: (step: WorkStep) => boolean) =>
    [...running.values()].filter(({ step }) => fits(step)).length
  const isFull = () => inHand(step => steps[step].places === undefined) >= atOnce
  function hasPlace(step: WorkStep): boolean {
    if (hasEnded) return false
    const { places } = steps[step]
    if (places !== undefined) return inHand(each => each === step) < places
    return !isFull() || shorts(step) < shortAtOnce
  }

  function wake(step: WorkStep, afterMs: number, then = () => {}): void {
    setTimeout(() => {
      then()
      due[step] = Number.POSITIVE_INFINITY
      void look()
    }, afterMs).unref()
  }

  function start(step: WorkStep, held: HeldNote): void {
    const note = held.claimed
    const seconds = steps[step].secondsOf(note)
    turns[step].reached(note.work?.turn ?? 0, seconds)
    rotation = [...rotation.filter(other => other !== step), step]
    const done = run(step, held).finally(() => {
      running.delete(done)
      void look()
    })
    running.set(done, { step, isShort: step === 'measuring' || seconds <= SHORT_NOTE_SECONDS })
  }

  async function run(step: WorkStep, held: HeldNote): Promise<void> {
    const note = held.claimed
    const about = { transcriptionId: note._id, traceId: note.traceId }
    try {
      const started = performance.now()
      await withTrace(note.traceId, () => steps[step].work(note, held.signal))
      const spent = (performance.now() - started) / 1000 / Math.max(1, note.durationSeconds ?? 1)
      if (step === 'listening') pace = pace === undefined ? spent : 0.8 * pace + 0.2 * spent
    } catch (error) {
      await putBack(step, held, error, about).catch(err =>
        // The lease stays, and is found as one that no process renews.
        log.error({ ...about, err }, 'a note could not be given back'),
      )
    } finally {
      held.end()
    }
  }

  /** Writes how a note goes on whose work was broken off, has failed, or has to wait. */
  async function putBack(step: WorkStep, held: HeldNote, error: unknown, about: object): Promise<void> {
    const note = held.claimed
    // It is deleted, or another process works on it.
    if (held.signal.reason instanceof HoldLost) return
    if (hasEnded) {
      await held.release()
      return tell({ queued: step })
    }
    if (error instanceof Unworkable) return fail(step, note, error.reason)
    if (error instanceof Later || isDatabaseAway(error) || isStorageAway(error)) {
      const waitMs = Math.min((error as Partial<Later>).afterMs ?? REST_MS, LONGEST_REST_MS)
      log.info({ ...about, err: error }, 'a note waits')
      // Else other notes would have to wait, too.
      if (!(error instanceof EngineWaits)) resting.add(step)
      wake(step, waitMs, () => resting.delete(step))
      return held.release({ 'work.notBefore': later(waitMs) })
    }
    log.warn({ ...about, err: error }, 'work on a note failed')
    const tries = (note.work?.tries ?? 0) + 1
    const waits = RETRY_AFTER[tries - 1]
    if (!waits) return fail(step, note, reason('transcription_failed'))
    await held.release({ 'work.tries': tries, 'work.notBefore': later(waits * retryAfterMs) })
    wake(step, waits * retryAfterMs)
  }

  async function fail(step: WorkStep, note: NoteRecord, why: Reason): Promise<void> {
    const { giveUp = async () => void (await notes.failed(note, why)) } = steps[step]
    await giveUp(note)
  }

  const later = (ms: number) => new Date(now().getTime() + ms)

  async function pass(): Promise<void> {
    const left = new Set<WorkStep>()
    for (;;) {
      const step = rotation.find(
        each => due[each] > 0 && !left.has(each) && !resting.has(each) && hasPlace(each),
      )
      if (!step) return
      const isShortOnly = steps[step].places === undefined && isFull()
      const count = due[step]
      due[step] = 0
      const { short, fits } = steps[step]
      const held = await queue.next(step, both(fits(), isShortOnly ? short : {}))
      if (held) {
        due[step] += count - 1
        start(step, held)
      } else if (isShortOnly) {
        due[step] += count
        left.add(step)
      }
    }
  }

  function look(): Promise<void> {
    lookAgain = true
    looking ??= (async () => {
      try {
        while (lookAgain && !hasEnded) {
          lookAgain = false
          await pass()
        }
      } catch (err) {
        log.warn({ err }, 'the queue of notes could not be read')
      } finally {
        looking = undefined
      }
    })()
    return looking
  }

  return {
    /** Claims what is due, here or in other processes: a note was put into the queue. */
    hasCome(step: WorkStep): void {
      due[step] += 1
      if (hasPlace(step)) void look()
      if (isFull()) tell({ queued: step })
    },

    /** Takes in the broadcast of another process that a note waits. */
    hear(step: WorkStep): void {
      due[step] = Number.POSITIVE_INFINITY
      void look()
    },

    /** Puts back the notes of processes that have died, follows the turns of the others, and finds notes that became due. */
    async lookAround(): Promise<void> {
      for (const note of await queue.held()) {
        turns[note.work.step].reached(note.work.turn)
        await queue.putBack(note)
      }
      for (const step of WORK_STEPS) due[step] = Number.POSITIVE_INFINITY
      await look()
    },

    /** Returns how many seconds a note with this turn waits for an engine, where it is worth a word. */
    async waitAt(turn: number): Promise<number | undefined> {
      if (!pace || !isFull()) return undefined
      const { seconds, inHand } = await queue.before(turn)
      const wait = Math.round((seconds * pace) / Math.max(1, inHand))
      return wait >= TOLD_FROM_SECONDS ? wait : undefined
    },

    isIdle: () => running.size === 0,

    /** Resolves when no work is in hand any more. */
    async settled(): Promise<void> {
      await Promise.all([...running.keys(), looking])
    },

    stop(): void {
      hasEnded = true
    },
  }
}

/** The filter for what passes two filters. */
export const both = (one: object, other: object): object =>
  Object.keys(one).length && Object.keys(other).length ? { $and: [one, other] } : { ...one, ...other }
