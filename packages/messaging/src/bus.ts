import type { AnyEventType, Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'

/** The events, and the services that receive each. The `flow` of contracts has this shape. */
export type Topology = Record<string, { event: AnyEventType; to: readonly string[] }>

export interface Subscription {
  service: string
  event: AnyEventType
  /**
   * Resolves once the message is handled. `Permanent` sends it to the dead letters at once. `Later`, or any error but
   * `Permanent` while the bus closes, redelivers it without counting a failure. Any other error redelivers it after
   * each of `DELAYS_MS` in turn, then every hour, and sends it to the dead letters only after `DEAD_LETTER_TTL`. The
   * same message may be delivered more than once.
   */
  handle(event: Envelope): Promise<void>
  /** Messages handled at once; default: 10. */
  concurrency?: number
}

export interface DeadLetter {
  /** The event's id; empty if the message has none. */
  id: string
  queue: string
  reason: string
  /** Number of times it was handled; 1 for a message that couldn't be parsed. */
  attempts: number
  /** Time at which it became a dead letter, ISO 8601. */
  at: string
  /** Body of the message: parsed JSON, or the text if it isn't JSON. */
  message: unknown
}

export type BroadcastListener = (data: unknown) => void

export interface Bus {
  /**
   * Resolves once the event is safe: RabbitMQ has confirmed it, or, in-process, every receiver has acknowledged or
   * dead-lettered it. If it rejects, keep the event and publish it again.
   */
  publish(event: Envelope): Promise<void>
  /** Rejects if the topology doesn't send the event to the service, or if the service is already subscribed to it. */
  subscribe(subscription: Subscription): Promise<void>
  /**
   * Sends data to all listeners of a topic, at most once and without waiting. Listeners in this process get it even
   * without a broker. For other processes it is dropped if it can't be sent at once, and a process that is down never
   * gets it. Only for data that can be fetched in another way.
   */
  broadcast(topic: string, data: unknown): void
  /**
   * Listens to broadcasts on a topic from the moment this resolves, or, while there is no broker, once it is back.
   * Resolves to a function that stops listening.
   */
  onBroadcast(topic: string, listener: BroadcastListener): Promise<() => void>
  /** Returns dead letters, oldest first: of one queue (`<service>.<event>`), or of all. */
  deadLetters(queue?: string): Promise<DeadLetter[]>
  /** Sends the dead letters of one queue, or all, to their receivers again, counting from 0. Returns their number. */
  requeue(queue?: string): Promise<number>
  /** Deletes a service's dead letters whose message (parsed JSON, or the text if it isn't JSON) matches. */
  dropDeadLetters(service: string, isSuch: (message: unknown) => boolean): Promise<void>
  /** Returns by queue the seconds since the first failure of the oldest message that this process has delayed. */
  retrying(): Map<string, number>
  health(): { ok: boolean; detail: string }
  /** Aborted when `close` begins: long work may be interrupted, and its message is redelivered. */
  closing: AbortSignal
  /** Stops taking messages, waits up to 8 s for those being handled, then disconnects. Idempotent. */
  close(): Promise<void>
}

export interface BusObserver {
  /** `waitSeconds`: from the message's sending or due time to its handling. `seconds`: in the handler. */
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
  /** Time for which a message is retried, and for which a dead letter is kept; default: 30 days. */
  deadLetterTtlMs?: number
  /** Longest wait of a publish for the broker, or in-process for receivers to subscribe; default: 10,000 ms. */
  publishWaitMs?: number
}

/** Thrown by a handler if another try can't help. */
export class Permanent extends Error {
  override name = 'Permanent'
}

/** Delay of a postponed message that doesn't name a time. */
export const AGAIN_MS = 1_000

/**
 * Thrown by a handler that can't go on for now, through no fault of the message: a provider's rate limit, a database
 * that is down. It doesn't count as a failure, so any limit is up to the handler. The message waits at least `afterMs`
 * (default: 1 s), but no more than an hour at a time; RabbitMQ rounds up to the next of `DELAYS_MS`.
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
 * Thrown instead of `Later` if nothing hints at how long it takes: the message waits for each of `DELAYS_MS` in turn.
 * Tries are counted, because a wait based on the message's age would be off by the difference of two machines' clocks.
 */
export class LaterEachTime extends Later {
  override name = 'LaterEachTime'
}

/** Time for which a message is retried and a dead letter kept. Limited, as they hold transcripts, numbers and links. */
export const DEAD_LETTER_TTL_MS = 30 * 86_400_000
/** Longer than any message is retried and then kept as a dead letter, by default. */
export const REDELIVERED_MS = 2 * DEAD_LETTER_TTL_MS

/** Delays before retries in milliseconds, ascending; the last one repeats. */
export const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000]

export const DEFAULT_CONCURRENCY = 10
/** Longest wait of `close` for messages being handled. */
export const CLOSE_WAIT_MS = 8_000
/** Longest wait of a publish for the broker, or in-process for receivers to subscribe. */
export const PUBLISH_WAIT_MS = 10_000

export const queueName = (service: string, event: Pick<AnyEventType, 'name'>) => `${service}.${event.name}`

/** Returns the topology's entry for an event. Throws if it has no receiver. */
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
