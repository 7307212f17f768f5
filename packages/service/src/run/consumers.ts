import { type Envelope, type EventName, flow, receivedBy, type Service } from '@voxscribe/contracts/events'
import { type Bus, Later, Permanent } from '@voxscribe/messaging'
import { isDatabaseAway } from '../database/documents.ts'
import { type Logger, withTrace } from '../observe/log.ts'
import { countDeadLetters } from '../observe/metrics.ts'
import { tellService } from '../observe/tracing.ts'
import type { Built } from './definition.ts'

type Handle = (event: Envelope) => Promise<void>

const DATABASE_WAIT_MS = 5_000

/**
 * Subscribes a service to every event that the flow sends it. Throws when handlers and flow differ. A message that fails
 * because the database is down, or because the service is stopping, is postponed: that does not count as a failure.
 */
export async function subscribeAll<S extends Service>(
  service: S,
  built: Built<S>,
  { bus, log, stopping }: { bus: Bus; log: Logger; stopping: AbortSignal },
): Promise<void> {
  refuseMismatch(service, Object.keys(built.handlers))
  // From here on handlers are looked up by name: the compiler has checked them in the service's definition.
  const handlers = built.handlers as Record<string, Handle>
  const concurrency = (built.concurrency ?? {}) as Record<string, number | undefined>
  for (const name of receivedBy(service)) {
    countDeadLetters(`${service}.${flow[name].event.name}`)
    await bus.subscribe({
      service,
      event: flow[name].event,
      concurrency: concurrency[name],
      handle: event =>
        withTrace(event.traceId, async () => {
          tellService(service)
          const about = { event: name, eventId: event.id, ...idsOf(event) }
          const started = performance.now()
          log.info(about, 'handling')
          await orLater(stopping, () => handlers[name]!(event))
          log.info({ ...about, seconds: (performance.now() - started) / 1000 }, 'handled')
        }),
    })
  }
}

async function orLater(stopping: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Permanent) throw error
    if (stopping.aborted) throw new Later('The service stops', undefined, { cause: error })
    if (isDatabaseAway(error)) throw new Later('The database is away', DATABASE_WAIT_MS, { cause: error })
    throw error
  }
}

/** Refuses missing or superfluous handlers that the compiler could not notice. */
function refuseMismatch(service: Service, present: string[]): void {
  const expected = receivedBy(service)
  const missing = expected.filter(name => !present.includes(name)).map(name => `has no handler for ${name}`)
  const idle = present
    .filter(name => !expected.includes(name as EventName))
    .map(name => `has a handler for ${name}, which no one sends it`)
  if (missing.length + idle.length) throw new Error(`${service} ${[...missing, ...idle].join('; ')}`)
}

/** Ids to find a log line by. Nothing else of an event is logged: it is people's words, numbers and addresses. */
function idsOf({ data }: Envelope) {
  const { userId, mediaId, transcriptionId } = data as Record<string, string | undefined>
  return { userId, mediaId, transcriptionId }
}
