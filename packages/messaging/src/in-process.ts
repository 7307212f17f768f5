import { setTimeout as wait } from 'node:timers/promises'
import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { BroadcastListener, Bus, BusOptions, DeadLetter } from './bus.ts'
import {
  CLOSE_WAIT_MS,
  checkSubscription,
  DEAD_LETTER_TTL_MS,
  DELAYS_MS,
  PUBLISH_WAIT_MS,
  queueName,
  routeOf,
} from './bus.ts'
import { openDeadLetters } from './dead-letter-file.ts'
import type { Mailbox } from './mailbox.ts'
import { createMailbox } from './mailbox.ts'
import { createRetries } from './retries.ts'
import { carrierFor } from './tracing.ts'

const EXPIRE_EVERY_MS = 60_000
const LOOK_AGAIN_MS = 10

interface InProcessOptions extends BusOptions {
  /** File for dead letters as JSON lines; without one they are kept in memory. */
  deadLetterFile?: string
}

/**
 * Creates a bus for services that share one process. It stores nothing but dead letters: an event stays in its outbox
 * until `publish` resolves, which is once every receiver has acknowledged or dead-lettered it.
 */
export function createInProcessBus(options: InProcessOptions): Bus {
  const { topology, log, observer, delaysMs = DELAYS_MS } = options
  const { deadLetterTtlMs: ttlMs = DEAD_LETTER_TTL_MS } = options
  const retries = createRetries()
  const mailboxes = new Map<string, Mailbox>()
  const isOver = ({ at }: DeadLetter) => Date.parse(at) + ttlMs <= Date.now()
  const letters = openDeadLetters({ file: options.deadLetterFile, log, isOver })
  const expire = () =>
    void letters.expire().catch(err => log.error({ err }, 'Could not forget old dead letters'))
  const expiring = setInterval(expire, EXPIRE_EVERY_MS).unref()
  expire()
  const listeners = createListeners(log)
  const beingRequeued = new Set<DeadLetter>()
  const ending = new AbortController()
  const closing = ending.signal
  let closed: Promise<void> | undefined
  const listed = (queue?: string) =>
    letters.all().filter(letter => !beingRequeued.has(letter) && (!queue || letter.queue === queue))

  async function publish(event: Envelope) {
    closing.throwIfAborted()
    const queues = routeOf(topology, event).to.map(service => queueName(service, { name: event.type }))
    // Waits until all receivers have subscribed: an event that only some got would look the same as a delivered one.
    await untilSubscribed(queues)
    const carrier = carrierFor(event)
    const outcomes = await Promise.allSettled(
      queues.map(queue => mailboxes.get(queue)!.deliver(event, carrier)),
    )
    const failed = outcomes.find(outcome => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  async function untilSubscribed(queues: string[]) {
    const end = performance.now() + (options.publishWaitMs ?? PUBLISH_WAIT_MS)
    for (;;) {
      const missing = queues.filter(queue => !mailboxes.has(queue))
      if (!missing.length) return closing.throwIfAborted()
      if (closing.aborted || performance.now() > end)
        throw new Error(`Not subscribed yet: ${missing.join(', ')}`)
      await wait(LOOK_AGAIN_MS)
    }
  }

  function redeliver(letter: DeadLetter) {
    beingRequeued.add(letter)
    // The letter leaves the file only once its receiver has handled it, or it has become a new dead letter.
    mailboxes
      .get(letter.queue)!
      .deliver(letter.message, {})
      .then(() => letters.remove(letter))
      .catch(error => log.warn({ err: error, queue: letter.queue, id: letter.id }, 'Kept a dead letter'))
      .finally(() => beingRequeued.delete(letter))
  }

  async function close() {
    clearInterval(expiring)
    await Promise.all([...mailboxes.values()].map(mailbox => mailbox.close(CLOSE_WAIT_MS)))
    await letters.settled()
  }

  return {
    publish,
    async subscribe(subscription) {
      closing.throwIfAborted()
      checkSubscription(topology, subscription)
      const queue = queueName(subscription.service, subscription.event)
      if (mailboxes.has(queue)) throw new Error(`${queue} has a subscriber already`)
      const rules = { delaysMs, ttlMs, retries, closing }
      mailboxes.set(queue, createMailbox({ queue, subscription, rules, letters, log, observer }))
    },
    broadcast(topic, data) {
      if (!closing.aborted) setImmediate(listeners.receive, topic, data)
    },
    async onBroadcast(topic, listener) {
      const remove = listeners.add(topic, listener)
      return () => void remove()
    },
    deadLetters: async queue => listed(queue),
    async requeue(queue) {
      closing.throwIfAborted()
      const chosen = listed(queue).filter(letter => mailboxes.has(letter.queue))
      chosen.forEach(redeliver)
      return chosen.length
    },
    dropDeadLetters: (service, isSuch) =>
      letters.drop(({ queue, message }) => queue.startsWith(`${service}.`) && isSuch(message)),
    retrying: retries.oldest,
    health: () => (closing.aborted ? { ok: false, detail: 'closed' } : { ok: true, detail: 'in-process' }),
    closing,
    close: () => {
      ending.abort(new Error('The bus is closed'))
      closed ??= close()
      return closed
    },
  }
}

/** Listeners of this process to broadcasts, by topic. */
export function createListeners(log: Logger) {
  const listeners = new Map<string, Set<BroadcastListener>>()
  return {
    topics: () => [...listeners.keys()],
    /** Returns a function that removes the listener, which in turn returns whether it was the topic's last one. */
    add(topic: string, listener: BroadcastListener): () => boolean {
      // A new function, because the same listener may be added twice.
      const own: BroadcastListener = data => listener(data)
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(own))
      return () => ofTopic.delete(own) && ofTopic.size === 0 && listeners.delete(topic)
    },
    /** Calls the topic's listeners; one that throws doesn't affect the others. */
    receive(topic: string, data: unknown): void {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          listener(structuredClone(data))
        } catch (err) {
          log.warn({ err, topic }, 'A listener failed at a broadcast')
        }
      }
    },
  }
}
