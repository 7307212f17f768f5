import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import { settledWithin } from './within.ts'

/** A published event, and the document that still holds it. */
export interface Published {
  key: string
  eventId: string
}

/** A collection whose documents hold the events that they caused, until these are published. */
export interface OutboxSource {
  name: string
  /**
   * Returns documents with waiting events, each with its events in order. Repeated calls may return the same documents:
   * those in flight, and those whose events couldn't be published.
   */
  pending(limit: number): Promise<{ key: string; events: Envelope[] }[]>
  /** Removes a published event from its document. */
  remove(published: Published): Promise<void>
}

/** Documents per reading, in addition to known ones. */
const BATCH = 500
/** In-process, a publish lasts until its receivers are done, maybe days of retries; this caps those in memory. */
const IN_FLIGHT_MAX = 10_000
/** A relay takes over others' events after this plus a random part of the spread, so two rarely do so at once. */
const TAKE_OVER_MS = 10_000
const TAKE_OVER_SPREAD_MS = 5_000
/** Remembered ids of this process's unpublished events; forgetting one only delays its next try. */
const MAX_OWN = 100_000

export type Relay = ReturnType<typeof startRelay>

/**
 * Publishes events, then removes them from their documents: this process's own events at once, those that a crash left
 * behind by reading the outboxes at the start and every `everyMs` (3,000). A document's events are sent in order,
 * without waiting for each other. An event that can't be published stays and is retried.
 */
export function startRelay(options: {
  bus: Pick<Bus, 'publish'>
  sources: OutboxSource[]
  log: Logger
  everyMs?: number
  /** Documents per reading, in addition to those in flight; default: 500. */
  batch?: number
  /** Longest wait of `stop` for what is being published; default: 5,000 ms. */
  stopWaitMs?: number
  /**
   * Time for which this relay must have seen another process's events before it takes them over, on its own monotonic
   * clock, as the clocks of two machines may differ by minutes. Default: 10 to 15 s.
   */
  takeOverMs?: number
}) {
  const { bus, sources, log, everyMs = 3_000, batch = BATCH, stopWaitMs = 5_000 } = options
  const { takeOverMs = TAKE_OVER_MS + Math.random() * TAKE_OVER_SPREAD_MS } = options
  const outboxes = new Map(
    sources.map(source => [source.name, drainOutbox({ bus, source, log, batch, takeOverMs })]),
  )
  const each = [...outboxes.values()]
  const read = () => {
    for (const outbox of each) outbox.read()
  }
  const timer = setInterval(read, everyMs)
  read()
  let stopping: Promise<void> | undefined
  return {
    /** Publishes events that this process has just written to a document, without reading it again. */
    publishSoon: (outbox: string, key: string, events: Envelope[]) =>
      outboxes.get(outbox)!.publishSoon(key, events),
    /** Stops reading and waits (bounded). Close an in-process bus first: it releases events that are being retried. */
    stop(): Promise<void> {
      clearInterval(timer)
      stopping ??= settledWithin(stopWaitMs, Promise.all(each.map(outbox => outbox.stop())))
      return stopping
    },
    /** Age in seconds of the event that has waited longest; 0 if there is none. */
    oldestSeconds(): number {
      const oldest = Math.min(...each.map(outbox => outbox.oldest()))
      return Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0
    },
  }
}

interface PendingEvent {
  key: string
  event: Envelope
  /** Time of the first reading that found it, on the monotonic clock; -Infinity for this process's own events. */
  since: number
  hasFailed?: boolean
}

/** Creates the list of waiting events in an outbox that were read, or that this process wrote. */
function pendingEvents(source: OutboxSource, batch: number, takeOverMs: number) {
  const known = new Map<string, PendingEvent>()
  const own = new Set<string>()
  /** Ids published during a reading, which may still return them. */
  const published = new Set<string>()

  return {
    addOwn(key: string, events: Envelope[]): PendingEvent[] {
      const added = events.map(event => ({ key, event, since: -Infinity }))
      if (own.size >= MAX_OWN) own.clear()
      for (const pending of added) {
        own.add(pending.event.id)
        known.set(pending.event.id, pending)
      }
      return added
    },
    waits: ({ event }: PendingEvent) => known.has(event.id),
    remove(id: string): void {
      known.delete(id)
      own.delete(id)
      published.add(id)
    },
    /** Reads the outbox. Returns the events that this process may publish, and whether more may wait behind them. */
    async read(): Promise<{ due: PendingEvent[]; isFull: boolean }> {
      published.clear()
      const before = [...known.keys()]
      // Known events are still in the outbox and may come first again.
      const limit = Math.min(before.length + batch, IN_FLIGHT_MAX)
      const documents = await source.pending(limit)
      const now = performance.now()
      const sinceOf = (id: string) => (own.has(id) ? -Infinity : now)
      const found = documents
        .flatMap(({ key, events }) => events.map(event => ({ key, event })))
        .filter(({ event }) => !published.has(event.id))
        .map(({ key, event }) => known.get(event.id) ?? { key, event, since: sinceOf(event.id) })
      for (const id of before) known.delete(id)
      for (const each of found) known.set(each.event.id, each)
      const due = found.filter(({ since }) => now - since >= takeOverMs)
      return { due, isFull: documents.length >= limit }
    },
    oldest: () => Math.min(...known.values().map(({ event }) => Date.parse(event.occurredAt))),
  }
}

function drainOutbox(deps: {
  bus: Pick<Bus, 'publish'>
  source: OutboxSource
  log: Logger
  batch: number
  takeOverMs: number
}) {
  const { bus, source, log, batch, takeOverMs } = deps
  const pending = pendingEvents(source, batch, takeOverMs)
  /** Events by id, until they are published and removed, or have failed. */
  const inFlight = new Map<string, Promise<void>>()
  let reading: Promise<void> | undefined
  let isFull = false
  let stopped = false

  function read() {
    if (stopped) return
    reading ??= pending
      .read()
      .then(next => {
        isFull = next.isFull
        start(next.due)
      })
      .catch(err => log.error({ err, outbox: source.name }, 'Could not read an outbox'))
      .finally(() => {
        reading = undefined
      })
  }

  function start(events: PendingEvent[]) {
    for (const each of events) {
      const { id } = each.event
      if (stopped || inFlight.has(id) || inFlight.size >= IN_FLIGHT_MAX) continue
      const done = publish(each).then(isPublished => {
        inFlight.delete(id)
        // Reads on at once after a full reading; after a failure, the next tick does.
        if (isPublished && isFull && inFlight.size <= batch / 2) read()
      })
      inFlight.set(id, done)
    }
  }

  async function publish(each: PendingEvent): Promise<boolean> {
    const { key, event } = each
    try {
      await bus.publish(event)
      await source.remove({ key, eventId: event.id })
      pending.remove(event.id)
      return true
    } catch (err) {
      // Logs the trace explicitly: the context that woke the relay may belong to another trace.
      const { id: eventId, type, traceId } = event
      const about = { err, outbox: source.name, key, event: type, eventId, traceId }
      // One warning for each event, not for each try.
      const level = each.hasFailed ? 'debug' : 'warn'
      if (stopped) log.info(about, 'An event stays in the outbox until the next start')
      else log[level](about, 'An event could not be published yet, it stays in the outbox')
      each.hasFailed = true
      return false
    }
  }

  return {
    read,
    publishSoon(key: string, events: Envelope[]): void {
      // Runs after the caller has continued: the answer to a request doesn't wait for the effects of its events.
      const added = pending.addOwn(key, events)
      // A reading may have found and published them by then.
      setImmediate(() => start(added.filter(pending.waits)))
    },
    oldest: pending.oldest,
    async stop() {
      stopped = true
      await reading
      await Promise.all(inFlight.values())
    },
  }
}
