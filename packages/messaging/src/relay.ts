import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import { settledWithin } from './within.ts'

/** An event that has been published, and the document that still holds it. */
export interface Published {
  key: string
  eventId: string
}

/** Collection whose documents hold the events that they caused, until these are published. */
export interface OutboxSource {
  name: string
  /**
   * Documents with waiting events, each with its events in the order they happened. Asked again, it may answer with
   * the same documents: those in flight, and those whose events could not be published.
   */
  pending(limit: number): Promise<{ key: string; events: Envelope[] }[]>
  /** Takes published events out of their documents. */
  remove(published: Published[]): Promise<void>
}

/** Documents that one reading takes beyond those in flight. */
const BATCH = 500
/** In-process a publish lasts until its receivers are done, which may take days of retries; this caps those in memory. */
const IN_FLIGHT_MAX = 10_000
/** A relay takes over others' events after this and a random part of the spread: two rarely do so at the same time. */
const TAKE_OVER_MS = 10_000
const TAKE_OVER_SPREAD_MS = 5_000
/** Ids of own unpublished events that are remembered. */
const MAX_OWN = 100_000

export type Relay = ReturnType<typeof startRelay>

/**
 * Publishes events, then removes them from their documents: this process's own events at once, those that a crash left
 * behind by reading the outboxes at the start and every `everyMs` (3,000). The events of a document go out in order,
 * without waiting for one another. An event that cannot be published stays and is tried again.
 */
export function startRelay(options: {
  bus: Pick<Bus, 'publish'>
  sources: OutboxSource[]
  log: Logger
  everyMs?: number
  /** Documents that one reading takes beyond those in flight; default: 500. */
  batch?: number
  /** How long `stop` waits for what is being published; default: 5,000 ms. */
  stopWaitMs?: number
  /**
   * Events that another process has written are left to it until this relay has seen them for this long, by its own
   * monotonic clock: the clocks of two machines may be minutes apart. 0 where no other process uses the database;
   * default: 10 to 15 seconds.
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
    /** Publishes events that this process has just written into a document, without reading it again. */
    publishSoon: (outbox: string, key: string, events: Envelope[]) =>
      outboxes.get(outbox)!.publishSoon(key, events),
    /** Takes nothing more and waits (bounded). Close an in-process bus first: it releases events that are being retried. */
    stop(): Promise<void> {
      clearInterval(timer)
      stopping ??= settledWithin(stopWaitMs, Promise.all(each.map(outbox => outbox.stop())))
      return stopping
    },
    /** Age in seconds of the event that has waited longest, 0 when none does. */
    oldestSeconds(): number {
      const oldest = Math.min(...each.map(outbox => outbox.oldest()))
      return Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0
    },
  }
}

/** Published events wait this long to be removed together. */
const REMOVE_WITHIN_MS = 1_000
/** As many are removed at once. */
const REMOVED_AT_ONCE = 100

/** Removes published events in one write: after a second, once there are 100, or all at `flush`; one write at a time. */
function inBatches(source: OutboxSource) {
  let last: Promise<unknown> = Promise.resolve()
  let next: { all: Published[]; done: Promise<void>; write(): void } | undefined
  let isFlushing = false
  function collect() {
    const all: Published[] = []
    const { promise: due, resolve: write } = Promise.withResolvers<void>()
    const timer = setTimeout(write, isFlushing ? 0 : REMOVE_WITHIN_MS)
    const done = Promise.all([due, last]).then(() => {
      clearTimeout(timer)
      next = undefined
      return source.remove(all)
    })
    last = done.catch(() => {})
    return { all, done, write }
  }
  return {
    remove(published: Published): Promise<void> {
      next ??= collect()
      next.all.push(published)
      if (next.all.length >= REMOVED_AT_ONCE) next.write()
      return next.done
    },
    flush(): void {
      isFlushing = true
      next?.write()
    },
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
  const removal = inBatches(source)
  /** By document, its events until they are published and removed. */
  const inFlight = new Map<string, Map<string, Promise<void>>>()
  /** Documents with an event that could not be published when it was last tried. */
  const failing = new Set<string>()
  /** Events that this process has written. */
  const own = new Set<string>()
  /** Unpublished events of the last reading, each with the time of the first reading that found it. */
  let seen = new Map<string, { event: Envelope; since: number }>()
  /** Documents of the last reading whose events all still belong to other processes. */
  let others = 0
  /** Events published during a reading, which may still contain them. */
  const finished = new Set<string>()
  let pass: Promise<void> | undefined
  let again = false
  let stopped = false
  /** Whether more of our events may be waiting than were started. */
  let more = false
  /** Failures since the last success. */
  let failures = 0

  function read() {
    if (stopped) return
    again = true
    pass ??= passes()
  }

  async function passes() {
    while (again && !stopped) {
      again = false
      try {
        await takeWaiting()
      } catch (err) {
        log.error({ err, outbox: source.name }, 'Could not read an outbox')
      }
    }
    // Synchronously: a call of `read` in between would join a pass that has already done its last reading.
    pass = undefined
  }

  async function takeWaiting() {
    // Those in flight, those that failed and those of others are still in the outbox and may come first again.
    const limit = Math.min(inFlight.size + failing.size + others + batch, IN_FLIGHT_MAX)
    finished.clear()
    more = false
    const found = await source.pending(limit)
    const now = performance.now()
    const isFull = found.length >= limit
    const events = found.flatMap(document => document.events)
    seen = new Map(events.map(event => [event.id, { event, since: seen.get(event.id)?.since ?? now }]))
    const keys = new Set(found.map(({ key }) => key))
    for (const key of isFull ? [] : failing) if (!keys.has(key)) failing.delete(key)
    const isOurs = ({ id }: Envelope) => own.has(id) || now - seen.get(id)!.since >= takeOverMs
    const ours = found
      .map(({ key, events }) => ({ key, events: events.filter(isOurs) }))
      .filter(({ events }) => events.length)
    others = found.length - ours.length
    more ||= isFull && ours.length > 0
    for (const { key, events } of ours) startAll(key, events)
  }

  function startAll(key: string, events: Envelope[]) {
    if (stopped) return
    if (inFlight.size < IN_FLIGHT_MAX || inFlight.has(key)) for (const event of events) start(key, event)
    else more = true
  }

  function start(key: string, event: Envelope) {
    const events = inFlight.get(key) ?? new Map<string, Promise<void>>()
    if (events.has(event.id) || finished.has(event.id)) return
    inFlight.set(key, events)
    const done = publish(key, event).finally(() => {
      events.delete(event.id)
      if (!events.size) inFlight.delete(key)
      // What waits behind a full reading is read now; after a failure the next tick does.
      if (more && !failures && inFlight.size <= batch / 2) read()
    })
    events.set(event.id, done)
  }

  async function publish(key: string, event: Envelope) {
    try {
      await bus.publish(event)
      await removal.remove({ key, eventId: event.id })
      failures = 0
      failing.delete(key)
      own.delete(event.id)
      finished.add(event.id)
      seen.delete(event.id)
    } catch (err) {
      failures += 1
      const isKnown = failing.has(key)
      failing.add(key)
      // Logs the trace explicitly: the context that woke the relay may belong to another trace.
      const { id: eventId, type, traceId } = event
      const about = { err, outbox: source.name, key, event: type, eventId, traceId }
      if (stopped) log.info(about, 'An event stays in the outbox until the next start')
      // One warning for each document, not for each try.
      else
        log[isKnown ? 'debug' : 'warn'](about, 'An event could not be published yet, it stays in the outbox')
    }
  }

  return {
    read,
    publishSoon(key: string, events: Envelope[]) {
      for (const { id } of events) if (own.size < MAX_OWN) own.add(id)
      startAll(key, events)
    },
    oldest: () => Math.min(...seen.values().map(({ event }) => Date.parse(event.occurredAt))),
    async stop() {
      stopped = true
      removal.flush()
      await pass
      await Promise.all([...inFlight.values()].flatMap(events => [...events.values()]))
    },
  }
}
