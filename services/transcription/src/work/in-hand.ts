import { Later } from '@voxscribe/messaging'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Attempt } from '../note/transitions.ts'
import { LOOK_AGAIN_MS, type Work } from './claims.ts'

/** By step, too: a note can be listened to while the call that wrote down its length still waits for its answer. */
const keyOf = (step: Work, { _id, attempt }: Attempt) => `${step}:${_id}:${attempt}`

/** The notes that this process works on at this moment. */
export interface InHand {
  /**
   * Begins to work on a note and does the work, once at a time: a message that is delivered again meanwhile comes
   * later. Nothing happens when `begin` finds that the attempt is over. Work on a note that is stopped, or that
   * another process has taken over, ends quietly; work that the end of the service breaks off rejects, so that its
   * message comes again.
   */
  work(
    step: Work,
    attempt: Attempt,
    begin: () => Promise<NoteRecord | null>,
    work: (note: NoteRecord, signal: AbortSignal) => Promise<void>,
  ): Promise<void>
  has(step: Work, attempt: Attempt): boolean
  /** Stops the work on a note that is deleted, or on its attempts up to one that is out of time. */
  stop(id: string, lastAttempt?: number): void
  /** The service ends: stops all work and begins no more. */
  end(): void
}

interface Hand {
  of: Attempt
  abort: AbortController
  isOver: boolean
}

export function createInHand(notes: Pick<Notes, 'renew'>, renewEveryMs: number): InHand {
  const hands = new Map<string, Hand>()
  let hasEnded = false

  function stop(hand: Hand) {
    hand.isOver = true
    hand.abort.abort(new Error('The note is over'))
  }

  async function hold(attempt: Attempt, hand: Hand, work: () => Promise<void>): Promise<void> {
    const timer = setInterval(async () => {
      // A database that does not answer says nothing about the note: it stays in our hands until somebody takes it.
      const isOurs = await notes.renew(attempt).catch(() => true)
      if (!isOurs) stop(hand)
    }, renewEveryMs)
    try {
      await work()
    } catch (error) {
      if (!hand.isOver) throw error
    } finally {
      clearInterval(timer)
    }
  }

  return {
    async work(step, attempt, begin, work) {
      if (hasEnded) throw new Later('The service stops')
      const key = keyOf(step, attempt)
      if (hands.has(key)) throw new Later('This note is being worked on', LOOK_AGAIN_MS)
      const hand: Hand = { of: attempt, abort: new AbortController(), isOver: false }
      hands.set(key, hand)
      try {
        const note = await begin()
        if (note) await hold(attempt, hand, () => work(note, hand.abort.signal))
      } finally {
        hands.delete(key)
      }
    },
    has: (step, attempt) => hands.has(keyOf(step, attempt)),
    stop(id, lastAttempt = Number.POSITIVE_INFINITY) {
      for (const hand of hands.values()) if (hand.of._id === id && hand.of.attempt <= lastAttempt) stop(hand)
    },
    end() {
      hasEnded = true
      for (const { abort } of hands.values()) abort.abort(new Later('The service stops'))
    },
  }
}
