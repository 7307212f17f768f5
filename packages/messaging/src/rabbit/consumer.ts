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

/** How soon a message that could be neither retried nor dead-lettered is tried to be moved again. */
const MOVE_AGAIN_MS = 1_000

/** The broker counts in 32 bits. */
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
    /** Declares the queue each time; else only when it is missing. */
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
      // The broker cancelled it (the queue was deleted): start over on another channel.
      else void closeInTime(channel)
    })
    cancel = async () => {
      await channel.cancel(consumerTag)
    }
  }

  function take(channel: Channel, message: ConsumeMessage) {
    // Closing the channel gives it back.
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
    // Not given back to be handled again: the broker counts deliveries, and an outage of its own would use them up.
    let isSafe = await isMoved(message, result)
    while (!isSafe && !closed && recovering.current() === channel) {
      await wait(MOVE_AGAIN_MS)
      isSafe = await isMoved(message, result)
    }
    // The original goes only once the copy is safe: in the other order a crash in between would lose it.
    settle(() => (isSafe ? channel.ack(message) : channel.nack(message, false, true)))
    observer?.handled({ queue, outcome, waitSeconds, seconds })
  }

  /** Whether the message is where its handling sends it. */
  async function isMoved(message: ConsumeMessage, result: Handled): Promise<boolean> {
    try {
      if ('afterMs' in result) await sendToDelay(message, delayOf(result.afterMs), result.history)
      if (result.outcome === 'dead') await sendToDeadLetters(message, result.reason)
      return true
    } catch (err) {
      log.error({ err, queue }, 'A failed message could not be moved, it stays in its queue')
      return false
    }
  }

  // On a channel that is gone there is nothing to settle: the broker delivers the message again.
  function settle(answer: () => void) {
    try {
      answer()
    } catch (err) {
      log.info({ err, queue }, 'The channel was gone before a message was settled, it comes again')
    }
  }

  /** One of the delays that have a queue: the next longer one, else the longest. */
  const delayOf = (afterMs: number) =>
    layout.delaysMs.find(delayMs => delayMs >= afterMs) ?? layout.delaysMs.at(-1)!

  // Moves wait for their confirm: each one given up while the broker takes nothing would become a copy afterwards.
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
    // A queue's time to live cannot be changed once the queue exists; a message's can.
    const expiration = Math.min(layout.ttlMs, LONGEST_EXPIRATION_MS)
    return publisher.move(
      copyOf(message, { exchange: '', routingKey: deadQueueOf(queue), headers, expiration }),
    )
  }

  return {
    queue,
    opened: recovering.opened,
    isOpen: () => recovering.current() !== undefined,
    /** Takes no more messages and waits up to `waitMs` for those being handled. */
    async close(waitMs: number): Promise<void> {
      await settledWithin(waitMs, cancel())
      closed = true
      await settledWithin(waitMs, Promise.all(running))
      await recovering.close()
    },
  }
}
