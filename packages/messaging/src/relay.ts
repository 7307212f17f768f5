import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import { within } from './within.ts'

/** Where events wait in the documents that caused them. */
export interface OutboxSource {
  name: string
  /**
   * Documents with waiting events, each with its events in the order they happened. Asked again, it may answer with
   * the same documents: those in flight, and those whose events could not be published.
   */
  pending(limit: number): Promise<{ key: string; events: Envelope[] }[]>
  /** Takes a published event out of its document. */
  remove(key: string, eventId: string): Promise<void>
}

/**
 * In-process a publish lasts as long as its receivers need, retries included. A document that has waited this
 * long no longer counts among those in flight, or a hundred failing ones would hold up all others.
 */
const SLOW_MS = 2_000
/** But memory is bounded: so many times `inFlight` documents at most. */
const SLOW_FACTOR = 10

/**
 * Publishes what waits in the outboxes, then removes it: at once (which picks up what a crash left behind), every
 * `everyMs` (3,000) and when woken. The events of a document go out in their order, without waiting for one
 * another. What cannot be published stays and is tried again.
 */
export function startRelay(options: {
  bus: Pick<Bus, 'publish'>
  sources: OutboxSource[]
  log: Logger
  everyMs?: number
  /** Documents at once, of each source; 100 unless told. */
  inFlight?: number
  /** How long `stop` waits for what is being published, 5,000 ms unless told. */
  stopWaitMs?: number
}): { wake(): void; stop(): Promise<void>; oldestSeconds(): number } {
  const { bus, sources, log, everyMs = 3_000, inFlight = 100, stopWaitMs = 5_000 } = options
  const wake = () => {
    for (const outbox of outboxes) outbox.wake()
  }
  const outboxes = sources.map(source => drainOutbox({ bus, source, log, inFlight }))
  const timer = setInterval(wake, everyMs)
  wake()
  let stopping: Promise<void> | undefined
  return {
    wake,
    /** Takes nothing more and waits (bounded). Close an in-process bus first: it lets go of what is being retried. */
    stop() {
      clearInterval(timer)
      stopping ??= within(stopWaitMs, Promise.all(outboxes.map(outbox => outbox.stop()))).then(() => {})
      return stopping
    },
    /** Age in seconds of the event that has waited longest, 0 when none does. */
    oldestSeconds() {
      const oldest = Math.min(...outboxes.map(outbox => outbox.oldest()))
      return Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0
    },
  }
}

function drainOutbox(deps: {
  bus: Pick<Bus, 'publish'>
  source: OutboxSource
  log: Logger
  inFlight: number
}) {
  const { bus, source, log, inFlight } = deps
  /** Events being published, by document. */
  const documents = new Map<string, { since: number; events: Map<string, Promise<void>> }>()
  /** Documents with an event that could not be published when it was last tried. */
  const failing = new Set<string>()
  let waiting: Envelope[] = []
  let pass: Promise<void> | undefined
  let again = false
  let stopped = false
  /** Whether more may wait than was asked for. */
  let full = false
  let failures = 0

  function wake() {
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
    // Not a microtask later: a call of `wake` in between would find a pass that has already had its last look.
    pass = undefined
  }

  async function takeWaiting() {
    const limit = roomFor()
    const found = await source.pending(limit)
    waiting = found.flatMap(({ events }) => events)
    full = found.length >= limit
    const keys = new Set(found.map(({ key }) => key))
    for (const key of full ? [] : failing) if (!keys.has(key)) failing.delete(key)
    if (stopped) return
    for (const { key, events } of found) {
      if (!documents.has(key) && documents.size >= limit) continue
      for (const event of events) start(key, event)
    }
  }

  const slow = () => [...documents.values()].filter(({ since }) => performance.now() - since > SLOW_MS).length
  // Those in flight and those that failed are still in the outbox and may come first again, so room for them is part
  // of the question.
  const roomFor = () => Math.min(inFlight + slow() + failing.size, inFlight * SLOW_FACTOR)

  function start(key: string, event: Envelope) {
    const document = documents.get(key) ?? { since: performance.now(), events: new Map() }
    if (document.events.has(event.id)) return
    documents.set(key, document)
    const done = publish(key, event).finally(() => {
      document.events.delete(event.id)
      if (document.events.size) return
      documents.delete(key)
      // There was more than fitted: it is taken now, not at the next tick.
      if (full && !failures && documents.size - slow() <= inFlight / 2) wake()
    })
    document.events.set(event.id, done)
  }

  async function publish(key: string, event: Envelope) {
    try {
      await bus.publish(event)
      await source.remove(key, event.id)
      failures = 0
      failing.delete(key)
      waiting = waiting.filter(({ id }) => id !== event.id)
    } catch (err) {
      failures += 1
      failing.add(key)
      // Said in full: what woke the relay may belong to another trace.
      const { id: eventId, type, traceId } = event
      const about = { err, outbox: source.name, key, event: type, eventId, traceId }
      if (stopped) log.info(about, 'An event stays in the outbox until the next start')
      else log.warn(about, 'An event could not be published yet, it stays in the outbox')
    }
  }

  return {
    wake,
    oldest: () => Math.min(...waiting.map(({ occurredAt }) => Date.parse(occurredAt))),
    async stop() {
      stopped = true
      await pass
      await Promise.all([...documents.values()].flatMap(({ events }) => [...events.values()]))
    },
  }
}
