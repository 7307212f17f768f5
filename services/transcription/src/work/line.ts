import { Later } from '@voxscribe/messaging'
import { isDatabaseAway, type Logger, withTrace } from '@voxscribe/service'
import { SHORT_NOTE_SECONDS } from '../engines/engine.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Attempt } from '../note/transitions.ts'
import type { Begun, Work } from './claims.ts'
import type { InHand } from './in-hand.ts'
import type { Order } from './order.ts'

/** How long a line rests whose work must wait, when nobody says for how long. */
const REST_MS = 10_000
/** A timer holds no longer times. */
const LONGEST_REST_MS = 600_000

/** One kind of work on notes, as the database keeps who waits for it. */
export interface LineSteps {
  /** Takes the next note out of the line and into our hands; only a short one, if so asked. */
  next(onlyShort: boolean): Promise<Begun | null>
  /** Takes over a note from a process that is gone. */
  abandoned(isOurs: (of: Attempt) => boolean): Promise<Begun | null>
  /** Puts a note into the line; back into it when it was in our hands. */
  wait(note: NoteRecord, turn: number): Promise<unknown>
  /** Work on it has failed; a message tries again. */
  broke(note: NoteRecord): Promise<unknown>
  /** Length of its sound, as far as it is known. */
  secondsOf(note: NoteRecord): number
  work(note: NoteRecord, signal: AbortSignal): Promise<void>
}

interface Deps {
  step: Work
  steps: LineSteps
  /** Notes at once; as many short ones come on top of long ones, so that these hold up none. */
  atOnce: number
  order: Order
  inHand: InHand
  log: Logger
  /** Called when a note has to wait: another process may be free. */
  hasCome(): void
}

/** Notes that wait for one kind of work, and those that this process is at. */
export interface Line {
  /** Begins work on a note at once if nobody waits, else lets it wait. Resolves as soon as the note is in safe hands. */
  enter(
    note: { userId: string; seconds: number },
    begin: {
      attempt: Attempt
      now(): Promise<NoteRecord | null>
      wait(turn: number, isFirst: boolean): Promise<unknown>
    },
  ): Promise<void>
  /** Takes as many notes as there is room for, and those of processes that are gone. */
  look(): Promise<void>
  /** Seconds for which everybody's work takes for a second of sound here; undefined as long as nothing is known. */
  pace(): number | undefined
  /** Resolves when nothing is in hand any more. */
  settled(): Promise<void>
  stop(): void
}

export function createLine({ step, steps, atOnce, order, inHand, log, hasCome }: Deps): Line {
  const running = new Map<Promise<void>, { isShort: boolean }>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let resting: NodeJS.Timeout | undefined
  let hasEnded = false
  let pace: number | undefined

  const shorts = () => [...running.values()].filter(({ isShort }) => isShort).length
  const isFree = () => !hasEnded && !resting && running.size < atOnce
  const isFreeForShort = () => !hasEnded && !resting && shorts() < atOnce

  /** Rests until what the work needs is there again: a provider's limit, the database. */
  function rest(ms: number): void {
    if (hasEnded || resting) return
    resting = setTimeout(
      () => {
        resting = undefined
        void look()
      },
      Math.min(ms, LONGEST_REST_MS),
    )
    resting.unref()
  }

  /** Works on a note of so many seconds from its beginning on; resolves when it has begun. */
  function start(attempt: Attempt, seconds: number, begin: () => Promise<Begun | null>): Promise<void> {
    let turn = 0
    let note: NoteRecord | null = null
    const begun = Promise.withResolvers<void>()
    const first = async () => {
      const found = await begin()
      if (found) {
        note = found.note
        turn = found.turn
        order.reached(turn, seconds)
      }
      begun.resolve()
      return note
    }
    const work = inHand
      .work(step, attempt, first, timed)
      .catch(error => (note ? giveBack(note, turn, error) : begun.reject(error)))
      .finally(() => {
        running.delete(work)
        void look()
      })
    running.set(work, { isShort: seconds <= SHORT_NOTE_SECONDS })
    return begun.promise
  }

  async function timed(note: NoteRecord, signal: AbortSignal): Promise<void> {
    const started = performance.now()
    await withTrace(note.traceId, () => steps.work(note, signal))
    const spent = (performance.now() - started) / 1000 / Math.max(1, note.durationSeconds ?? 1)
    pace = pace === undefined ? spent : 0.8 * pace + 0.2 * spent
  }

  /** A note that cannot be worked on for now keeps its place; one that failed is tried again as messages are. */
  async function giveBack(note: NoteRecord, turn: number, error: unknown): Promise<void> {
    const about = { err: error, transcriptionId: note._id, traceId: note.traceId }
    const isPostponed = error instanceof Later || isDatabaseAway(error)
    if (isPostponed) rest((error as Partial<Later>).afterMs ?? REST_MS)
    log[isPostponed ? 'info' : 'warn'](about, isPostponed ? 'a note waits' : 'work on a note failed')
    try {
      await (isPostponed ? steps.wait(note, turn) : steps.broke(note))
    } catch (err) {
      // It is found as one that nobody works on.
      log.error({ ...about, err }, 'a note could not be given back')
    }
  }

  const goOn = (found: Begun) => start(found.note, steps.secondsOf(found.note), async () => found)

  async function take(): Promise<boolean> {
    if (!isFree() && !isFreeForShort()) return false
    const found = await steps.next(!isFree())
    if (!found) return false
    await goOn(found)
    return true
  }

  async function pass(): Promise<void> {
    while (isFree()) {
      const found = await steps.abandoned(held => inHand.has(step, held))
      if (!found) break
      await goOn(found)
    }
    while (await take());
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
        log.warn({ err }, 'the line of notes could not be read')
      } finally {
        looking = undefined
      }
    })()
    return looking
  }

  return {
    async enter({ userId, seconds }, { attempt, now, wait }) {
      if (hasEnded) throw new Later('The service stops')
      const { turn, isFirst } = order.placeOf(userId, seconds)
      if (isFree() && !looking) {
        return start(attempt, seconds, async () => {
          const note = await now()
          return note && { note, turn }
        })
      }
      await wait(turn, isFirst)
      hasCome()
      void look()
    },
    look,
    pace: () => pace,
    async settled() {
      await Promise.all([...running.keys(), looking])
    },
    stop() {
      hasEnded = true
      clearTimeout(resting)
    },
  }
}
