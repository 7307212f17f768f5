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

/** Postpones one note, whose engine is throttled or whose text is made elsewhere; the step's other notes continue. */
export class NoteWaits extends Later {}

/** Postponement when the error gives no delay. */
export const PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 600_000
/** Delays before each retry, as multiples of `retryAfterMs`; after the last retry the note fails. */
const RETRY_AFTER = [1, 5, 30, 120, 600]
export const isLastTry = ({ work }: NoteRecord): boolean => (work?.tries ?? 0) >= RETRY_AFTER.length
/** Shorter waits are not reported. */
const WAIT_FROM_SECONDS = 20

/** The work of one step. It writes its own outcome, and that write takes the note out of the queue. */
export interface StepWork {
  /** Filter for short notes; default: all notes are short. */
  short?: object
  /** With `places`: short notes may exceed them while fewer than this many are in hand. */
  shortAtOnce?: number
  /** Filter for notes that this process can work on; default: all notes. */
  fits?(): object
  /** Whether no engine of this process accepts calls at the moment. */
  isClosed?(): boolean
  /** Seconds of audio, estimated or 0 until the note is measured. */
  secondsOf(note: NoteRecord): number
  /** Notes of this step in hand at once; without it, the step shares the loop's `atOnce`. */
  places?: number
  /** Called when the work fails for good; by default the note fails. */
  giveUp?(note: NoteRecord): Promise<void>
  /** Throws `Unworkable` to fail the note, `Later` or `NotNow` to postpone it; other errors are retried. */
  work(note: NoteRecord, signal: AbortSignal, callSignal: AbortSignal): Promise<void>
}

interface Deps {
  notes: Notes
  hold: Hold
  queue: Queue
  steps: Record<WorkStep, StepWork>
  /** Notes in hand at once, over all steps without `places`. */
  atOnce: number
  /** Short notes of such a step may exceed `atOnce` while fewer than this many are in hand. */
  shortAtOnce: number
  /** Delay before the first retry of failed work. */
  retryAfterMs: number
  now(): Date
  log: Logger
  /** Announces a queued note to the other processes, one of which may have a free place. */
  announce(step: WorkStep): void
}

export type Loop = ReturnType<typeof createLoop>

/** Works through the queue of notes: claims the lowest turn of each step in rotation while there is a place. */
export function createLoop(deps: Deps) {
  const { notes, hold, queue, steps, now, log, announce } = deps
  const { atOnce, shortAtOnce, retryAfterMs } = deps
  const { look, inHand, hasEnded, stop, settled } = createWorkLoop({ hold, claimNext, work, log })
  /** Possibly due notes per step; infinity when their number is unknown. */
  const due = Object.fromEntries(WORK_STEPS.map(step => [step, 0])) as Record<WorkStep, number>
  /** The step that claimed the latest note comes last. */
  let rotation = [...WORK_STEPS]
  const paused = new Set<WorkStep>()
  const claiming: WorkStep[] = []
  /** Average seconds of work per second of audio; undefined before the first note. */
  let pace: number | undefined

  const countOf = (fits: (step: WorkStep, note?: NoteRecord) => boolean) =>
    inHand().filter(note => fits(stepOf(note), note)).length + claiming.filter(step => fits(step)).length
  const isShort = (step: WorkStep, note: NoteRecord) => steps[step].secondsOf(note) <= SHORT_NOTE_SECONDS
  /** A note that is still being claimed may be short or long. */
  const mayBeShort = (step: WorkStep, note?: NoteRecord) => note === undefined || isShort(step, note)
  const mayBeLong = (step: WorkStep, note?: NoteRecord) => note === undefined || !isShort(step, note)
  /** Whether notes take all places of a step; default: notes of any length. */
  function isCrowded(step: WorkStep, counts: typeof mayBeLong = () => true): boolean {
    const { places } = steps[step]
    const isSharing = (each: WorkStep) =>
      places === undefined ? steps[each].places === undefined : each === step
    return countOf((each, note) => isSharing(each) && counts(each, note)) >= (places ?? atOnce)
  }
  function hasPlace(step: WorkStep): boolean {
    const { places, shortAtOnce: own = 0 } = steps[step]
    const most = places === undefined ? shortAtOnce : own
    return !isCrowded(step) || countOf((each, note) => each === step && mayBeShort(each, note)) < most
  }

  function lookLater(step: WorkStep, afterMs: number, beforeLook = () => {}): void {
    setTimeout(() => {
      beforeLook()
      due[step] = Number.POSITIVE_INFINITY
      void look()
    }, afterMs).unref()
  }

  async function work(held: HeldNote): Promise<void> {
    const note = held.claimed
    const step = stepOf(note)
    // `inHand` counts the note from here on.
    hasClaimed(step)
    const about = { transcriptionId: note._id, traceId: note.traceId }
    try {
      const started = performance.now()
      await withTrace(note.traceId, () => steps[step].work(note, held.signal, held.callSignal))
      const spent = (performance.now() - started) / 1000 / Math.max(1, note.durationSeconds ?? 1)
      if (step === 'listening') pace = pace === undefined ? spent : 0.8 * pace + 0.2 * spent
    } catch (error) {
      await putBack(step, held, error, about).catch(err =>
        // The lease stays, but is no longer renewed, so a process frees it like a dead one's.
        log.error({ ...about, err }, 'a note could not be given back'),
      )
    }
  }

  /** Releases, postpones, retries or fails a note whose work did not finish. */
  async function putBack(step: WorkStep, held: HeldNote, error: unknown, about: object): Promise<void> {
    const note = held.claimed
    // The note was deleted, or another process works on it.
    if (held.signal.reason instanceof HoldLost) return
    // This process is stopping.
    if (held.signal.aborted) {
      await held.release()
      return announce(step)
    }
    if (error instanceof Unworkable) return fail(step, note, error.reason)
    if (error instanceof Later || error instanceof NotNow || isDatabaseAway(error) || isStorageAway(error)) {
      const waitMs = Math.min((error as Partial<Later>).afterMs ?? PAUSE_MS, LONGEST_PAUSE_MS)
      log.info({ ...about, err: error }, 'a note waits')
      // A `NoteWaits` must not hold up the step's other notes.
      if (!(error instanceof NoteWaits)) paused.add(step)
      lookLater(step, waitMs, () => paused.delete(step))
      return void (await held.release({ 'work.notBefore': later(waitMs) }))
    }
    log.warn({ ...about, err: error }, 'work on a note failed')
    const tries = (note.work?.tries ?? 0) + 1
    const waits = RETRY_AFTER[tries - 1]
    if (!waits) return fail(step, note, reason('transcription_failed'))
    await held.release({ 'work.tries': tries, 'work.notBefore': later(waits * retryAfterMs) })
    lookLater(step, waits * retryAfterMs)
  }

  async function fail(step: WorkStep, note: NoteRecord, why: Reason): Promise<void> {
    const { giveUp = async () => void (await notes.failed(note, why)) } = steps[step]
    await giveUp(note)
  }

  function hasClaimed(step: WorkStep): void {
    const at = claiming.indexOf(step)
    if (at >= 0) claiming.splice(at, 1)
  }

  /** Advances the queue's clock. A failure costs some fairness and must not fail the note. */
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
        each => due[each] > 0 && !left.has(each) && !paused.has(each) && hasPlace(each),
      )
      if (!step || hasEnded()) return null
      // Otherwise a long note would wait as long as short ones come.
      const isShortOnly = isCrowded(step, mayBeLong)
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

  /** Has the next look claim from a step, unless its engines are closed: such a claim would scan the whole queue. */
  function addDue(step: WorkStep, count: number): void {
    if (!steps[step].isClosed?.()) due[step] += count
  }

  /** Called when a note was queued: claims it here, or announces it to the other processes. */
  function onQueuedHere(step: WorkStep): void {
    addDue(step, 1)
    if (hasPlace(step)) void look()
    // Others need to know only if this process can't claim the note at once.
    if (!isCrowded(step) && !hasEnded() && !steps[step].isClosed?.()) return
    announce(step)
  }

  return {
    onQueuedHere,
    /** Called when a note in hand will need this step next; it is claimed when its current work ends. */
    follows: (step: WorkStep) => addDue(step, 1),
    secondsPerMinute: () => (pace === undefined ? undefined : Math.round(pace * 600) / 10),

    /** Called when another process announces a note queued for this step. */
    onQueuedElsewhere(step: WorkStep): void {
      addDue(step, Number.POSITIVE_INFINITY)
      void look()
    },

    /** Claims notes that have become due, or were freed from dead processes. */
    async lookAround(): Promise<void> {
      for (const step of WORK_STEPS) due[step] = Number.POSITIVE_INFINITY
      await look()
    },

    /** Estimates the seconds until a note with this turn reaches an engine; undefined if under 20 or unknown. */
    async waitAt(turn: number): Promise<number | undefined> {
      if (!pace || !isCrowded('listening')) return undefined
      const { seconds, inHand: atWork } = await queue.before(turn)
      const wait = Math.round((seconds * pace) / Math.max(1, atWork, inHand().length))
      return wait >= WAIT_FROM_SECONDS ? wait : undefined
    },

    isIdle: () => inHand().length === 0,
    /** Stops claiming and aborts the work in hand; calls to providers get `drainMs` to finish. */
    stop,
    settled,
  }
}

/** The step that a note in hand was claimed for. */
const stepOf = ({ work }: NoteRecord) => (work as Work).step

/** Combines two filters with AND. */
const both = (one: object, other: object): object =>
  Object.keys(one).length && Object.keys(other).length ? { $and: [one, other] } : { ...one, ...other }
