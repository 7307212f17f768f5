import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { BusObserver, Subscription } from './bus.ts'
import { asError, DEFAULT_CONCURRENCY } from './bus.ts'
import type { DeadLetterStore } from './dead-letter-file.ts'
import type { History, Rules } from './handle-once.ts'
import { handleOnce } from './handle-once.ts'
import type { Carrier } from './tracing.ts'
import { settledWithin } from './within.ts'

export type Mailbox = ReturnType<typeof createMailbox>

interface Delivery {
  message: unknown
  carrier: Carrier
  history: History
  /** When it is due, on the monotonic clock. */
  since: number
  resolve(): void
  reject(error: Error): void
}

/** A subscriber's queue: in order, `concurrency` at once; retries when they are due. */
export function createMailbox(deps: {
  queue: string
  subscription: Subscription
  rules: Rules
  letters: DeadLetterStore
  log: Logger
  observer?: BusObserver
}) {
  const { queue, subscription, rules, letters, log, observer } = deps
  const { concurrency = DEFAULT_CONCURRENCY } = subscription
  const due: Delivery[] = []
  const delayed = new Map<NodeJS.Timeout, Delivery>()
  const running = new Set<Promise<void>>()
  let closed = false

  const drop = (delivery: Delivery) => delivery.reject(new Error(`The bus closed before ${queue} was done`))

  function takeMore() {
    while (!closed && running.size < concurrency && due.length) {
      const work = workOn(due.shift()!).finally(() => {
        running.delete(work)
        takeMore()
      })
      running.add(work)
    }
  }

  async function workOn(delivery: Delivery) {
    const { message, history, carrier } = delivery
    const waitSeconds = (performance.now() - delivery.since) / 1000
    const result = await handleOnce({ queue, subscription, carrier, log, history, rules }, () =>
      structuredClone(message),
    )
    try {
      if (result.outcome === 'retried' || result.outcome === 'postponed') {
        comeAgain(delivery, result)
      } else {
        if (result.outcome === 'dead') await bury(delivery, result.reason)
        delivery.resolve()
      }
    } catch (thrown) {
      delivery.reject(asError(thrown))
    }
    const { outcome, seconds } = result
    observer?.handled({ queue, outcome, waitSeconds, seconds })
  }

  function comeAgain(delivery: Delivery, { afterMs, history }: { afterMs: number; history: History }) {
    if (closed) return drop(delivery)
    delivery.history = history
    delivery.since = performance.now() + afterMs
    const timer = setTimeout(() => {
      delayed.delete(timer)
      due.push(delivery)
      takeMore()
    }, afterMs)
    delayed.set(timer, delivery)
  }

  const bury = ({ message, history }: Delivery, reason: string) =>
    letters.add({
      id: String((message as Partial<Envelope> | null)?.id ?? ''),
      queue,
      reason,
      attempts: history.failures + 1,
      at: new Date().toISOString(),
      message,
    })

  return {
    /** Resolves when the message is acknowledged or dead-lettered; rejects when the bus closes before that. */
    deliver: (message: unknown, carrier: Carrier) =>
      new Promise<void>((resolve, reject) => {
        due.push({
          message,
          carrier,
          history: { failures: 0, failingSince: undefined },
          since: performance.now(),
          resolve,
          reject,
        })
        takeMore()
      }),
    /** Drops messages not yet begun, and waits up to `waitMs` for the others. */
    async close(waitMs: number): Promise<void> {
      closed = true
      for (const timer of delayed.keys()) clearTimeout(timer)
      for (const delivery of [...due.splice(0), ...delayed.values()]) drop(delivery)
      delayed.clear()
      await settledWithin(waitMs, Promise.all(running))
    },
  }
}
