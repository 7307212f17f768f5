import type { AnyEventType, Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'

/** Which events exist and which services receive them; the `flow` of contracts has this shape. */
export type Topology = Record<string, { event: AnyEventType; to: readonly string[] }>

export interface Subscription {
  service: string
  event: AnyEventType
  /**
   * Resolves: the message is handled. Throws `Permanent`: it goes to the dead letters at once. Throws `Later`, or
   * anything but `Permanent` while the bus closes: it comes again, and this does not count as a failure. Throws anything
   * else: it comes again after each of `DELAYS_MS` in turn, then each hour. Only after `DEAD_LETTER_TTL`, or when the
   * event is of no more use, does it go to the dead letters.
   * The same message may come more than once.
   */
  handle(event: Envelope): Promise<void>
  /** Messages handled at once; default: 10. */
  concurrency?: number
}

export interface DeadLetter {
  /** The event's id, empty when the message has none. */
  id: string
  queue: string
  reason: string
  /** How many times it was handled, 1 for a message that could not be read. */
  attempts: number
  /** ISO 8601, when it became a dead letter. */
  at: string
  /** The body: parsed JSON, or the text when it is not JSON. */
  message: unknown
}

export type BroadcastListener = (data: unknown) => void

export interface Bus {
  /**
   * Resolves when the event is safe: RabbitMQ has confirmed it, or, in-process, every receiver has acknowledged
   * or dead-lettered it. Rejects when that did not happen: keep the event and publish it again.
   */
  publish(event: Envelope): Promise<void>
  /** Rejects for an event that the topology does not send to the service, and for a second subscription to it. */
  subscribe(subscription: Subscription): Promise<void>
  /**
   * Sends data to all listeners of a topic, at most once and without waiting: to those of this process even without a
   * broker; to those of others it is dropped when it cannot be sent at once, and a process that is down never gets it.
   * Only for data that can be fetched otherwise.
   */
  broadcast(topic: string, data: unknown): void
  /**
   * Receives what is broadcast to a topic from the moment this resolves, or, while there is no broker, once it is back.
   * Resolves to a function that ends it.
   */
  onBroadcast(topic: string, listener: BroadcastListener): Promise<() => void>
  /** The dead letters, oldest first: of one queue (`<service>.<event>`), or of all. */
  deadLetters(queue?: string): Promise<DeadLetter[]>
  /** Sends the dead letters of one queue, or of all, to their receivers again, counting from 0. Returns how many. */
  requeue(queue?: string): Promise<number>
  /** Deletes a service's dead letters with such a message (parsed JSON, or the text when it is not JSON). */
  dropDeadLetters(service: string, isSuch: (message: unknown) => boolean): Promise<void>
  /** Seconds since the first failure of the oldest message that waits for a retry, by queue, of those that this process delayed. */
  retrying(): Map<string, number>
  health(): { ok: boolean; detail: string }
  /** Aborted when `close` begins: long work may break off, and its message comes again. */
  closing: AbortSignal
  /** Stops taking messages, waits up to 8 seconds for those being handled, then disconnects. Idempotent. */
  close(): Promise<void>
}

export interface BusObserver {
  /** `waitSeconds`: from being sent (or due again) to being handled. `seconds`: in the handler. */
  handled(m: {
    queue: string
    outcome: 'done' | 'retried' | 'postponed' | 'dead'
    waitSeconds: number
    seconds: number
  }): void
}

/** Options of both transports. */
export interface BusOptions {
  topology: Topology
  log: Logger
  /** For tests. */
  delaysMs?: number[]
  observer?: BusObserver
  /** How long a message is retried, and how long a dead letter is kept; default: 30 days. */
  deadLetterTtlMs?: number
  /** How long a publish waits for the broker, or in-process for receivers that have not subscribed yet; default: 10,000 ms. */
  publishWaitMs?: number
}

/** Thrown by a handler when trying again cannot help. */
export class Permanent extends Error {
  override name = 'Permanent'
}

/** When a postponed message comes again that names no time. */
export const AGAIN_MS = 1_000

/**
 * Thrown by a handler that cannot go on at present through no fault of the message: a provider's rate limit, a database
 * that is down. It does not count as a failure, so the handler sets any limit. The message waits at least `afterMs`
 * (default: a second), but no more than an hour at a time; RabbitMQ rounds up to the next of `DELAYS_MS`.
 */
export class Later extends Error {
  override name = 'Later'
  readonly afterMs: number

  constructor(message: string, afterMs = AGAIN_MS, options?: ErrorOptions) {
    super(message, options)
    this.afterMs = afterMs
  }
}

/**
 * Thrown instead of `Later` where nothing says how long it takes: the message waits for each of `DELAYS_MS` in turn. By
 * the message's age it would be wrong as far as the clocks of two machines differ.
 */
export class LaterEachTime extends Later {
  override name = 'LaterEachTime'
}

/** How long a message is retried, and how long a dead letter is kept: they hold transcripts, numbers and links. */
export const DEAD_LETTER_TTL_MS = 30 * 86_400_000
/** Longer than any message is retried or kept as a dead letter, by default. */
export const REDELIVERED_MS = 2 * DEAD_LETTER_TTL_MS

/** Waits before a message is tried again, in milliseconds, ascending; the last one repeats. */
export const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000]

export const DEFAULT_CONCURRENCY = 10
/** How long `close` waits for messages being handled. */
export const CLOSE_WAIT_MS = 8_000
/** How long a publish waits for the broker, or in-process for receivers that have not subscribed yet. */
export const PUBLISH_WAIT_MS = 10_000

export const queueName = (service: string, event: Pick<AnyEventType, 'name'>) => `${service}.${event.name}`

/** The entry of the topology that an event belongs to. Throws when it has no receiver. */
export function routeOf(topology: Topology, event: Pick<Envelope, 'type' | 'version'>) {
  const route = Object.values(topology).find(
    entry => entry.event.name === event.type && entry.event.version === event.version,
  )
  if (!route?.to.length) throw new Error(`No one receives ${event.type}.v${event.version}`)
  return route
}

/** Throws unless the topology sends the event to the service. */
export function checkSubscription(topology: Topology, { service, event }: Subscription) {
  const known = Object.values(topology).some(
    entry => entry.event.routingKey === event.routingKey && entry.to.includes(service),
  )
  if (!known) throw new Error(`The topology does not send ${event.routingKey} to ${service}`)
}

export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))
