/** The notes that this process works on at this moment. */
export interface InHand {
  /**
   * Works on a note, once at a time: a message that is delivered again meanwhile waits for the same work. `work` is
   * told to stop when the note is deleted or the service ends.
   */
  work(id: string, attempt: number, work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Stops the work on a note. Answers whether there was any. */
  stop(id: string, why: Error): void
  stopAll(why: Error): void
}

export function createInHand(): InHand {
  const hands = new Map<string, { id: string; abort: AbortController; done: Promise<void> }>()
  return {
    work(id, attempt, work) {
      const key = `${id}:${attempt}`
      const known = hands.get(key)
      if (known) return known.done
      const abort = new AbortController()
      const done = work(abort.signal).finally(() => hands.delete(key))
      hands.set(key, { id, abort, done })
      return done
    },
    stop(id, why) {
      for (const hand of hands.values()) if (hand.id === id) hand.abort.abort(why)
    },
    stopAll(why) {
      for (const hand of hands.values()) hand.abort.abort(why)
    },
  }
}
