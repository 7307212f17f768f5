import { Later } from '@voxscribe/messaging'
import type { Logger } from '../observe/log.ts'
import type { Held, Hold } from './hold.ts'

interface Options<T> {
  hold: Pick<Hold, 'close'>
  /** Claims the next document that is due, free and fits with those in hand. Null: no such document, or no capacity. */
  claimNext(inHand: readonly T[]): Promise<Held<T> | null>
  /** Works on a document and writes the outcome or releases it. Never rejects. */
  work(held: Held<T>): Promise<void>
  log: Logger
}

/** Works through waiting documents: claims while there is something to claim, and again when work ends. */
export function createWorkLoop<T>({ hold, claimNext, work, log }: Options<T>) {
  const running = new Map<Promise<void>, T>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let hasEnded = false
  const inHand = () => [...running.values()]

  function start(held: Held<T>): void {
    const done = work(held).finally(() => {
      held.end()
      running.delete(done)
      void look()
    })
    running.set(done, held.claimed)
  }

  async function claimAll(): Promise<void> {
    try {
      while (lookAgain && !hasEnded) {
        lookAgain = false
        const held = await claimNext(inHand())
        if (!held) continue
        start(held)
        lookAgain = true
      }
    } catch (err) {
      log.warn({ err }, 'could not read the waiting documents')
    } finally {
      // Synchronous: otherwise a call in between would join a pass that has already done its last reading.
      looking = undefined
    }
  }

  /** Claims what is due. Calls during a pass share it and make it look once more. */
  function look(): Promise<void> {
    lookAgain = true
    looking ??= claimAll()
    return looking
  }

  return {
    look,
    inHand,
    hasEnded: () => hasEnded,
    /** Stops claiming and aborts the work in hand; its paid calls after `drainMs`. */
    stop(drainMs?: number): void {
      hasEnded = true
      hold.close(new Later('The service stops'), drainMs)
    },
    /** Resolves once no work is in hand, including work from a claim that was under way. */
    async settled(): Promise<void> {
      do await Promise.all([...running.keys(), looking])
      while (running.size)
    },
  }
}
