/** The notes that this process works on at this moment. */
export interface InHand {
  /**
   * Works on a note, once at a time: a message that is delivered again meanwhile waits for the same work. The signal
   * tells to stop. Work on a note that was stopped ends quietly; work that the end of the service breaks off rejects,
   * so that its message comes again.
   */
  work(id: string, attempt: number, work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Stops the work on a note that is over: deleted, or out of time. */
  stop(id: string): void
  /** The service ends: stops all work and begins no more. */
  end(): void
}

export function createInHand(): InHand {
  const hands = new Map<
    string,
    { id: string; abort: AbortController; isOver: boolean; done: Promise<void> }
  >()
  let hasEnded = false

  return {
    async work(id, attempt, work) {
      if (hasEnded) throw new Error('The service stops')
      const key = `${id}:${attempt}`
      const known = hands.get(key)
      if (known) return known.done
      const hand = { id, abort: new AbortController(), isOver: false, done: Promise.resolve() }
      hands.set(key, hand)
      hand.done = work(hand.abort.signal)
        .catch(error => {
          if (!hand.isOver) throw error
        })
        .finally(() => hands.delete(key))
      return hand.done
    },
    stop(id) {
      for (const hand of hands.values()) {
        if (hand.id !== id) continue
        hand.isOver = true
        hand.abort.abort(new Error('The note is over'))
      }
    },
    end() {
      hasEnded = true
      for (const { abort } of hands.values()) abort.abort(new Error('The service stops'))
    },
  }
}
