import { setTimeout as wait } from 'node:timers/promises'
import type { Channel, ConsumeMessage } from 'amqplib'
import type { BusObserver, Subscription } from '../bus.ts'
import { DEFAULT_CONCURRENCY, queueName } from '../bus.ts'
import type { Handled, History, Rules } from '../handle-once.ts'
import { handleOnce } from '../handle-once.ts'
import { settledWithin } from '../within.ts'
import {
  carrierOf,
  copyOf,
  DEAD_SINCE,
  DUE_AT,
  FAILING_SINCE,
  historyOf,
  REASON,
  REASON_MAX,
  TRIES,
  waitSecondsOf,
} from './message.ts'
import type { Publisher } from './publisher.ts'
import { checkingFirst, closeInTime, createRecoveringChannel, type Link } from './recovering-channel.ts'
import type { Layout } from './topology.ts'
import { assertSubscription, deadQueueOf, delayName } from './topology.ts'

/** Delay before another try to move a message that could be neither retried nor dead-lettered. */
const MOVE_AGAIN_MS = 1_000

/** The broker stores expirations in 32 bits. */
const LONGEST_EXPIRATION_MS = 2 ** 32 - 1

export type Consumer = ReturnType<typeof startConsumer>

export function startConsumer(
  link: Link,
  deps: {
    publisher: Publisher
    layout: Layout
    subscription: Subscription
    observer?: BusObserver
    rules: Rules
    /** Whether the queue is declared each time, or only if it is missing. */
    declares?: boolean
  },
) {
  const { log } = link
  const { publisher, layout, subscription, observer, rules, declares = true } = deps
  const { event, concurrency = DEFAULT_CONCURRENCY } = subscription
  const queue = queueName(subscription.service, event)
  const running = new Set<Promise<void>>()
  let cancel = async () => {}
  let closed = false

  const assert = (channel: Channel) => assertSubscription(channel, layout.exchange, queue, event.routingKey)
  const recovering = createRecoveringChannel(link, queue, checkingFirst(consume, assert, declares))

  async function consume(channel: Channel) {
    await channel.prefetch(concurrency)
    const { consumerTag } = await channel.consume(queue, message => {
      if (message) take(channel, message)
      // The broker canceled the consumer because the queue was deleted: start over on another channel.
      else void closeInTime(channel)
    })
    cancel = async () => {
      await channel.cancel(consumerTag)
    }
  }

  function take(channel: Channel, message: ConsumeMessage) {
    // Not taken: closing the channel returns the message.
    if (closed) return
    const work = workOn(channel, message).finally(() => running.delete(work))
    running.add(work)
  }

  async function workOn(channel: Channel, message: ConsumeMessage) {
    const waitSeconds = waitSecondsOf(message)
    const [carrier, history] = [carrierOf(message), historyOf(message)]
    const result = await handleOnce({ queue, subscription, carrier, log, history, rules }, () =>
      JSON.parse(message.content.toString()),
    )
    const { outcome, seconds } = result
    // Not returned for another handling: the broker counts deliveries, and an outage of its own would use them up.
    let isSafe = await tryMove(message, result)
    while (!isSafe && !closed && recovering.current() === channel) {
      await wait(MOVE_AGAIN_MS)
      isSafe = await tryMove(message, result)
    }
    // The original is acknowledged only once the copy is safe: in the other order, a crash in between would lose it.
    settle(() => (isSafe ? channel.ack(message) : channel.nack(message, false, true)))
    observer?.handled({ queue, outcome, waitSeconds, seconds })
  }

  /** Moves a message according to the result, and returns whether that worked. */
  async function tryMove(message: ConsumeMessage, result: Handled): Promise<boolean> {
    try {
      if ('afterMs' in result) await sendToDelay(message, delayOf(result.afterMs), result.history)
      if (result.outcome === 'dead') await sendToDeadLetters(message, result.reason)
      return true
    } catch (err) {
      log.error({ err, queue }, 'A failed message could not be moved, it stays in its queue')
      return false
    }
  }

  // On a lost channel there is nothing to settle: the broker redelivers the message.
  function settle(answer: () => void) {
    try {
      answer()
    } catch (err) {
      log.info({ err, queue }, 'The channel was gone before a message was settled, it comes again')
    }
  }

  /** Returns a delay that has a queue: the next longer one, else the longest. */
  const delayOf = (afterMs: number) =>
    layout.delaysMs.find(delayMs => delayMs >= afterMs) ?? layout.delaysMs.at(-1)!

  // Moves wait for their confirm without limit: giving up while the broker is stalled would leave a copy behind.
  const sendToDelay = (message: ConsumeMessage, delayMs: number, { tries, failingSince }: History) =>
    publisher.move(
      copyOf(message, {
        exchange: delayName(layout.exchange, delayMs),
        routingKey: queue,
        headers: {
          [TRIES]: tries,
          ...(failingSince && { [FAILING_SINCE]: failingSince }),
          [DUE_AT]: Date.now() + delayMs,
        },
      }),
    )

  function sendToDeadLetters(message: ConsumeMessage, reason: string) {
    const headers = {
      [TRIES]: historyOf(message).tries + 1,
      [REASON]: reason.slice(0, REASON_MAX),
      [DEAD_SINCE]: new Date().toISOString(),
    }
    // Set per message, because a queue's time to live can't be changed once the queue exists.
    const expiration = Math.min(layout.ttlMs, LONGEST_EXPIRATION_MS)
    return publisher.move(
      copyOf(message, { exchange: '', routingKey: deadQueueOf(queue), headers, expiration }),
    )
  }

  return {
    queue,
    opened: recovering.opened,
    isOpen: () => recovering.current() !== undefined,
    /** Stops taking messages and waits up to `waitMs` for those being handled. */
    async close(waitMs: number): Promise<void> {
      await settledWithin(waitMs, cancel())
      closed = true
      await settledWithin(waitMs, Promise.all(running))
      await recovering.close()
    },
  }
}
