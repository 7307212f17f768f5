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

/**
 * In-process a publish lasts until its receivers are done, which may take days of retries. After this time a document no
 * longer counts among those in flight, or a hundred failing ones would hold up all others.
 */
const SLOW_MS = 2_000
/** Caps the documents in memory, slow ones included, at this many times `inFlight`. */
const SLOW_FACTOR = 100
/** A reading takes up to this many times `inFlight` documents beyond those that it can start. */
const AHEAD_FACTOR = 4
/** A relay takes over others' events after this and a random part of the spread: two rarely do so at the same time. */
const TAKE_OVER_MS = 10_000
const TAKE_OVER_SPREAD_MS = 5_000
/** Ids of our own events that are remembered while they cannot be published. */
const MAX_OWN = 100_000

export interface Relay {
  /** Publishes events that this process has just written into a document, without reading it again. */
  publishSoon(outbox: string, key: string, events: Envelope[]): void
  /** Takes nothing more and waits (bounded). Close an in-process bus first: it releases events that are being retried. */
  stop(): Promise<void>
  /** Age in seconds of the event that has waited longest, 0 when none does. */
  oldestSeconds(): number
}

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
  /** Documents at once, of each source; default: 100. */
  inFlight?: number
  /** How long `stop` waits for what is being published; default: 5,000 ms. */
  stopWaitMs?: number
  /**
   * Events that another process has written are left to it until this relay has seen them for this long, by its own
   * monotonic clock: the clocks of two machines may be minutes apart. 0 where no other process uses the database;
   * default: 10 to 15 seconds.
   */
  takeOverMs?: number
}): Relay {
  const { bus, sources, log, everyMs = 3_000, inFlight = 100, stopWaitMs = 5_000 } = options
  const { takeOverMs = TAKE_OVER_MS + Math.random() * TAKE_OVER_SPREAD_MS } = options
  const outboxes = new Map(
    sources.map(source => [source.name, drainOutbox({ bus, source, log, inFlight, takeOverMs })]),
  )
  const each = [...outboxes.values()]
  const read = () => {
    for (const outbox of each) outbox.read()
  }
  const timer = setInterval(read, everyMs)
  read()
  let stopping: Promise<void> | undefined
  return {
    publishSoon: (name, key, events) => outboxes.get(name)!.publishSoon(key, events),
    stop() {
      clearInterval(timer)
      stopping ??= settledWithin(stopWaitMs, Promise.all(each.map(outbox => outbox.stop())))
      return stopping
    },
    oldestSeconds() {
      const oldest = Math.min(...each.map(outbox => outbox.oldest()))
      return Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0
    },
  }
}

/** Removes in one write all events published while the previous write was in progress. */
function inBatches(source: OutboxSource): (published: Published) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { all: Published[]; done: Promise<void> } | undefined
  function collect() {
    const all: Published[] = []
    const done = last.then(() => {
      next = undefined
      return source.remove(all)
    })
    last = done.catch(() => {})
    return { all, done }
  }
  return published => {
    next ??= collect()
    next.all.push(published)
    return next.done
  }
}

/** A document with events that are on their way. */
interface InFlight {
  since: number
  /** Each until it is published and removed. */
  events: Map<string, Promise<void>>
  /** How many of them are not published yet. */
  unpublished: number
}

function drainOutbox(deps: {
  bus: Pick<Bus, 'publish'>
  source: OutboxSource
  log: Logger
  inFlight: number
  takeOverMs: number
}) {
  const { bus, source, log, inFlight, takeOverMs } = deps
  const remove = inBatches(source)
  const documents = new Map<string, InFlight>()
  /** How many of these only wait for their events to be removed: others may go out meanwhile. */
  let removing = 0
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
  /** Documents of the last reading whose turn has not come. */
  let ahead: Awaited<ReturnType<OutboxSource['pending']>> = []
  let pass: Promise<void> | undefined
  let again = false
  let stopped = false
  /** Whether more of our events may be waiting than fitted. */
  let more = false
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
    const limit = Math.min(roomFor() + removing + AHEAD_FACTOR * inFlight, SLOW_FACTOR * inFlight)
    finished.clear()
    ahead = []
    more = false
    const found = await source.pending(limit)
    const now = performance.now()
    const isFull = found.length >= limit
    const events = found.flatMap(document => document.events)
    seen = new Map(events.map(event => [event.id, { event, since: seen.get(event.id)?.since ?? now }]))
    const keys = new Set(found.map(({ key }) => key))
    for (const key of isFull ? [] : failing) if (!keys.has(key)) failing.delete(key)
    if (stopped) return
    const isOurs = ({ id }: Envelope) => own.has(id) || now - seen.get(id)!.since >= takeOverMs
    ahead = found
      .map(({ key, events }) => ({ key, events: events.filter(isOurs) }))
      .filter(({ events }) => events.length)
    others = found.length - ahead.length
    more ||= isFull && ahead.length > 0
    startNext()
  }

  function startNext() {
    const limit = roomFor()
    const full = ahead.findIndex(({ key, events }) => !startAll(key, events, limit))
    ahead.splice(0, full < 0 ? ahead.length : full)
  }

  /** Returns whether there was room. */
  function startAll(key: string, events: Envelope[], limit: number): boolean {
    if (!documents.has(key) && documents.size - removing >= limit) return false
    for (const event of events) start(key, event)
    return true
  }

  function slow(): number {
    const before = performance.now() - SLOW_MS
    let count = 0
    for (const { since } of documents.values()) if (since < before) count += 1
    return count
  }

  // Those in flight, those that failed and those of others are still in the outbox and may come first again, so the
  // limit has room for them.
  const roomFor = () => Math.min(inFlight + slow() + failing.size + others, inFlight * SLOW_FACTOR)

  function start(key: string, event: Envelope) {
    const document = documents.get(key) ?? { since: performance.now(), events: new Map(), unpublished: 0 }
    if (document.events.has(event.id) || finished.has(event.id)) return
    if (documents.has(key) && !document.unpublished) removing -= 1
    documents.set(key, document)
    document.unpublished += 1
    const done = publish(key, event, document).finally(() => {
      document.events.delete(event.id)
      if (document.events.size) return
      documents.delete(key)
      if (!document.unpublished) removing -= 1
      goOn()
    })
    document.events.set(event.id, done)
  }

  /** Takes places that are free again; after a failure the next tick does. */
  function goOn() {
    if (failures || stopped) return
    startNext()
    // There was more than fitted: it is read now, not at the next tick.
    if (more && !ahead.length && documents.size - removing - slow() <= inFlight / 2) read()
  }

  async function publish(key: string, event: Envelope, document: InFlight) {
    try {
      await bus.publish(event)
      document.unpublished -= 1
      if (!document.unpublished) removing += 1
      goOn()
      await remove({ key, eventId: event.id })
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
      if (stopped) return
      for (const { id } of events) if (own.size < MAX_OWN) own.add(id)
      if (!startAll(key, events, roomFor())) more = true
    },
    oldest: () => Math.min(...seen.values().map(({ event }) => Date.parse(event.occurredAt))),
    async stop() {
      stopped = true
      await pass
      await Promise.all([...documents.values()].flatMap(({ events }) => [...events.values()]))
    },
  }
}
