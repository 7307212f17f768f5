import {
  type Envelope,
  type EventName,
  type EventOf,
  flow,
  receivedBy,
  type Service,
} from '@voxscribe/contracts/events'
import { type Bus, Later, Permanent } from '@voxscribe/messaging'
import { isDatabaseAway } from '../database/errors.ts'
import { type Logger, withTrace } from '../observe/log.ts'
import { countDeadLetters } from '../observe/metrics.ts'
import type { ClosedAccounts } from './closed-accounts.ts'
import type { Built } from './definition.ts'

type Handle = (event: Envelope) => Promise<void>

const DATABASE_WAIT_MS = 5_000

interface Subscribing {
  bus: Bus
  log: Logger
  stopping: AbortSignal
  closed: Pick<ClosedAccounts, 'isErased' | 'recordUpdate' | 'recordEnd'>
  onErased(event: EventOf<'AccountErased'>): Promise<void>
}

/** Subscribes a service to all its events and skips those of erased accounts. Throws if handlers and flow differ. */
export async function subscribeAll<S extends Service>(
  service: S,
  built: Built<S>,
  { bus, log, stopping, closed, onErased }: Subscribing,
): Promise<void> {
  const names = receivedBy(service)
  const ending =
    <E extends { data: { userId: string } }>(note: (event: E) => Promise<void>) =>
    async (event: E) => {
      await note(event)
      built.accessEnded?.(event.data.userId)
    }
  const onAccessEnded = ending(({ data }: EventOf<'AccessEnded'>) => closed.recordEnd(data))
  const onUpdate = ending(({ data }: EventOf<'UserUpdated'>) => closed.recordUpdate(data))
  // Handlers are looked up by name from here on; the compiler has checked them in the service's definition.
  const handlers = {
    ...built.handlers,
    AccountErased: ending(onErased),
    ...(names.includes('AccessEnded') && { AccessEnded: onAccessEnded }),
  } as unknown as Record<string, Handle>
  const mismatched = new Set<string>(names).symmetricDifference(new Set(Object.keys(handlers)))
  if (mismatched.size) throw new Error(`Handlers of ${service} and the flow differ in ${[...mismatched]}`)

  async function handleUnlessErased(name: EventName, event: Envelope): Promise<void> {
    const { userId } = idsOf(event)
    if (userId && name !== 'AccountErased' && (await closed.isErased(userId))) return
    if (name === 'UserUpdated') await onUpdate(event as EventOf<'UserUpdated'>)
    await handlers[name]!(event)
  }

  async function handle(name: EventName, event: Envelope): Promise<void> {
    const about = { event: name, eventId: event.id, ...idsOf(event) }
    const started = performance.now()
    log.info(about, 'handling')
    await orLater(stopping, () => handleUnlessErased(name, event))
    log.info({ ...about, seconds: (performance.now() - started) / 1000 }, 'handled')
  }

  const concurrency = (built.concurrency ?? {}) as Record<string, number | undefined>
  for (const name of names) {
    countDeadLetters(`${service}.${flow[name].event.name}`)
    await bus.subscribe({
      service,
      event: flow[name].event,
      concurrency: concurrency[name],
      handle: event => withTrace(event.traceId, () => handle(name, event)),
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

/** Ids to find a log line by. Other data of an event, such as words, numbers and addresses, isn't logged. */
function idsOf({ data }: Envelope) {
  const { userId, mediaId, transcriptionId } = data as Record<string, string | undefined>
  return { userId, mediaId, transcriptionId }
}
