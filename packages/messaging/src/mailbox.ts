import { setTimeout as wait } from 'node:timers/promises'
import type { Envelope } from '@voxscribe/contracts/events'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import type { BusObserver, Subscription } from './bus.ts'
import { DEFAULT_CONCURRENCY } from './bus.ts'
import type { DeadLetterStore } from './dead-letter-file.ts'
import type { History, Rules } from './handle-once.ts'
import { handleOnce } from './handle-once.ts'
import type { Carrier } from './tracing.ts'
import { settledWithin } from './within.ts'

export type Mailbox = ReturnType<typeof createMailbox>

/** Creates a subscriber's queue: in order, `concurrency` messages at once, retries when they are due. */
export function createMailbox(deps: {
  queue: string
  subscription: Subscription
  rules: Rules
  letters: DeadLetterStore
  log: Logger
  observer?: BusObserver
}) {
  const { queue, subscription, rules, letters, log, observer } = deps
  const slots = new PQueue({ concurrency: subscription.concurrency ?? DEFAULT_CONCURRENCY })

  /** `due`: the message's due time on the monotonic clock. */
  async function handle(message: unknown, carrier: Carrier, history: History, due: number) {
    if (rules.closing.aborted) throw new Error(`The bus closed before ${queue} was done`)
    const waitSeconds = (performance.now() - due) / 1000
    // Parsing an event copies it, so its receivers share nothing.
    const result = await handleOnce({ queue, subscription, carrier, log, history, rules }, () => message)
    const { outcome, seconds } = result
    if (result.outcome === 'dead')
      await letters.add({
        id: String((message as Partial<Envelope> | null)?.id ?? ''),
        queue,
        reason: result.reason,
        attempts: history.tries + 1,
        at: new Date().toISOString(),
        message,
      })
    observer?.handled({ queue, outcome, waitSeconds, seconds })
    return result
  }

  return {
    /** Resolves once the message is acknowledged or dead-lettered; rejects if the bus closes before that. */
    async deliver(message: unknown, carrier: Carrier): Promise<void> {
      let history: History = { tries: 0, failingSince: undefined }
      for (let due = performance.now(); ; ) {
        const result = await slots.add(() => handle(message, carrier, history, due))
        if (!('afterMs' in result)) return
        history = result.history
        due = performance.now() + result.afterMs
        // Closing ends the wait, after which `handle` rejects.
        await wait(result.afterMs, undefined, { signal: rules.closing }).catch(() => {})
      }
    },
    /** Waits up to `waitMs` for messages being handled. */
    close: (waitMs: number) => settledWithin(waitMs, slots.onIdle()),
  }
}
