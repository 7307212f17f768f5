import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import {
  createWorkLoop,
  type Hold,
  HoldLost,
  isDatabaseAway,
  isStorageAway,
  type Logger,
  withTrace,
} from '@voxscribe/service'
import { NotNow, SHORT_NOTE_SECONDS, Unworkable } from '@voxscribe/speech'
import { type NoteRecord, WORK_STEPS, type Work, type WorkStep } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { HeldNote, Queue } from './queue.ts'

/** A note waits, for its engine or for what else is made of it: others go on. */
export class NoteWaits extends Later {}

/** How long work waits that does not say for how long. */
export const REST_MS = 10_000
const LONGEST_REST_MS = 600_000
/** Waits before failed work is tried again, in units of the first one; then the note fails. */
const RETRY_AFTER = [1, 5, 30, 120, 600]
/** Shorter waits are not worth a word. */
const WAIT_FROM_SECONDS = 20

/** One kind of work on notes. It writes its outcome itself, with which the note leaves the queue. */
export interface StepWork {
  /** The filter for notes whose work is short; without it all are. */
  short?: object
  /** Short notes at once, of a step with places of its own, when others take these. */
  shortAtOnce?: number
  /** The filter for notes that this process can do; without it all are. */
  fits?(): object
  /** Whether no engine of this process takes a call at the moment. */
  isClosed?(): boolean
  /** Length of the note's sound, as far as it is known. */
  secondsOf(note: NoteRecord): number
  /** Notes at once in places of their own; without it they share the places of the loop. */
  places?: number
  /** Ends work that cannot be done; without it the note fails. */
  giveUp?(note: NoteRecord): Promise<void>
  /** Throws `Unworkable` when the note must fail, `Later` or `NotNow` when it has to wait; anything else is tried again. */
  work(note: NoteRecord, signal: AbortSignal, callSignal: AbortSignal): Promise<void>
}

interface Deps {
  notes: Notes
  hold: Hold
  queue: Queue
  steps: Record<WorkStep, StepWork>
  /** Notes at once, whatever the step. */
  atOnce: number
  /** Short work of a step that begins although all places are taken. */
  shortAtOnce: number
  /** The first wait before failed work is tried again. */
  retryAfterMs: number
  now(): Date
  log: Logger
  /** Announces to the other processes that a note waits: one may be free. */
  announce(step: WorkStep): void
}

export type Loop = ReturnType<typeof createLoop>

/** Works through the queue of notes: claims the lowest turn of each step in rotation while there is a place. */
export function createLoop(deps: Deps) {
  const { notes, hold, queue, steps, now, log, announce } = deps
  const { atOnce, shortAtOnce, retryAfterMs } = deps
  const { look, inHand, hasEnded, stop, settled } = createWorkLoop({ hold, claimNext, work, log })
  /** How many notes may be due in the queue of each step. */
  const due = Object.fromEntries(WORK_STEPS.map(step => [step, 0])) as Record<WorkStep, number>
  /** The step that claimed a note last comes last. */
  let rotation = [...WORK_STEPS]
  const resting = new Set<WorkStep>()
  const claiming: WorkStep[] = []
  /** Average seconds of work per second of audio; undefined before the first note. */
  let pace: number | undefined

  const countOf = (fits: (step: WorkStep, note?: NoteRecord) => boolean) =>
    inHand().filter(note => fits(stepOf(note), note)).length + claiming.filter(step => fits(step)).length
  /** One that is being claimed may be short. */
  const mayBeShort = (step: WorkStep, note?: NoteRecord) =>
    note === undefined || steps[step].secondsOf(note) <= SHORT_NOTE_SECONDS
  const isFull = () => countOf(step => steps[step].places === undefined) >= atOnce
  /** Whether a step has no place for a note of any length. */
  function isCrowded(step: WorkStep): boolean {
    const { places } = steps[step]
    return places === undefined ? isFull() : countOf(each => each === step) >= places
  }
  function hasPlace(step: WorkStep): boolean {
    const { places, shortAtOnce: own = 0 } = steps[step]
    const most = places === undefined ? shortAtOnce : own
    return !isCrowded(step) || countOf((each, note) => each === step && mayBeShort(each, note)) < most
  }

  function wake(step: WorkStep, afterMs: number, then = () => {}): void {
    setTimeout(() => {
      then()
      due[step] = Number.POSITIVE_INFINITY
      void look()
    }, afterMs).unref()
  }

  async function work(held: HeldNote): Promise<void> {
    const note = held.claimed
    const step = stepOf(note)
    // In hand from here on.
    hasClaimed(step)
    const about = { transcriptionId: note._id, traceId: note.traceId }
    try {
      const started = performance.now()
      await withTrace(note.traceId, () => steps[step].work(note, held.signal, held.callSignal))
      const spent = (performance.now() - started) / 1000 / Math.max(1, note.durationSeconds ?? 1)
      if (step === 'listening') pace = pace === undefined ? spent : 0.8 * pace + 0.2 * spent
    } catch (error) {
      await putBack(step, held, error, about).catch(err =>
        // The lease stays, and is found as one that no process renews.
        log.error({ ...about, err }, 'a note could not be given back'),
      )
    }
  }

  /** Writes how a note goes on whose work was broken off, has failed, or has to wait. */
  async function putBack(step: WorkStep, held: HeldNote, error: unknown, about: object): Promise<void> {
    const note = held.claimed
    // It is deleted, or another process works on it.
    if (held.signal.reason instanceof HoldLost) return
    // This process stops.
    if (held.signal.aborted) {
      await held.release()
      return announce(step)
    }
    if (error instanceof Unworkable) return fail(step, note, error.reason)
    if (error instanceof Later || error instanceof NotNow || isDatabaseAway(error) || isStorageAway(error)) {
      const waitMs = Math.min((error as Partial<Later>).afterMs ?? REST_MS, LONGEST_REST_MS)
      log.info({ ...about, err: error }, 'a note waits')
      // Else other notes would have to wait, too.
      if (!(error instanceof NoteWaits)) resting.add(step)
      wake(step, waitMs, () => resting.delete(step))
      return void (await held.release({ 'work.notBefore': later(waitMs) }))
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

  function hasClaimed(step: WorkStep): void {
    const at = claiming.indexOf(step)
    if (at >= 0) claiming.splice(at, 1)
  }

  /** A clock that is not set costs fairness for a note, not the note. */
  async function reached(step: WorkStep, note: NoteRecord): Promise<void> {
    const seconds = steps[step].secondsOf(note)
    await queue
      .reached(step, note.work?.turn ?? 0, seconds)
      .catch(err => log.warn({ err }, 'no turn was kept'))
  }

  const later = (ms: number) => new Date(now().getTime() + ms)

  async function claimNext(): Promise<HeldNote | null> {
    const left = new Set<WorkStep>()
    for (;;) {
      const step = rotation.find(
        each => due[each] > 0 && !left.has(each) && !resting.has(each) && hasPlace(each),
      )
      if (!step || hasEnded()) return null
      const isShortOnly = isCrowded(step)
      const count = due[step]
      due[step] = 0
      const { short = {}, fits } = steps[step]
      claiming.push(step)
      let held: HeldNote | null = null
      try {
        held = await queue.next(step, both(fits?.() ?? {}, isShortOnly ? short : {}))
      } finally {
        if (!held) hasClaimed(step)
      }
      if (held) {
        due[step] += count - 1
        rotation = [...rotation.filter(other => other !== step), step]
        await reached(step, held.claimed)
        return held
      }
      if (isShortOnly) {
        due[step] += count
        left.add(step)
      }
    }
  }

  /** Has the next look claim from a step; not while its engines are closed, as a claim then reads all that waits. */
  function expect(step: WorkStep, count: number): void {
    if (!steps[step].isClosed?.()) due[step] += count
  }

  /** Claims what is due, here or in other processes: a note was put into the queue. */
  function hasCome(step: WorkStep): void {
    expect(step, 1)
    if (hasPlace(step)) void look()
    // It waits: it is not claimed here at once.
    if (!isCrowded(step) && !hasEnded() && !steps[step].isClosed?.()) return
    announce(step)
  }

  return {
    hasCome,
    /** Work follows on a note in hand, when that ends. */
    follows: (step: WorkStep) => expect(step, 1),
    secondsPerMinute: () => (pace === undefined ? undefined : Math.round(pace * 600) / 10),

    /** A process announces that a note waits in this step. */
    onQueued(step: WorkStep): void {
      expect(step, Number.POSITIVE_INFINITY)
      void look()
    },

    /** Finds notes that became due, and puts back those of dead processes. */
    async lookAround(): Promise<void> {
      await queue.freeDead()
      for (const step of WORK_STEPS) due[step] = Number.POSITIVE_INFINITY
      await look()
    },

    /** Returns how many seconds a note with this turn waits for an engine, where it is worth a word. */
    async waitAt(turn: number): Promise<number | undefined> {
      if (!pace || !isFull()) return undefined
      const { seconds, inHand: atWork } = await queue.before(turn)
      const wait = Math.round((seconds * pace) / Math.max(1, atWork, inHand().length))
      return wait >= WAIT_FROM_SECONDS ? wait : undefined
    },

    isIdle: () => inHand().length === 0,
    /** Claims nothing more and breaks off what is in hand, calls of a provider after `drainMs`. */
    stop,
    settled,
  }
}

/** The step that a note in hand was claimed for. */
const stepOf = ({ work }: NoteRecord) => (work as Work).step

/** The filter for what passes two filters. */
const both = (one: object, other: object): object =>
  Object.keys(one).length && Object.keys(other).length ? { $and: [one, other] } : { ...one, ...other }
