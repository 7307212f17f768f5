import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Subscription } from './bus.ts'
import { asError, Permanent } from './bus.ts'
import type { Carrier } from './tracing.ts'
import { inConsumerSpan } from './tracing.ts'

/** How one handling of a message ended. `seconds` is the time in the handler. */
export type Attempt = { seconds: number } & (
  | { outcome: 'done' }
  | { outcome: 'retried' | 'dead'; reason: string }
)

/** Reads a message, hands it to the subscriber and decides what becomes of it. Never throws. */
export async function attempt(
  deps: { queue: string; subscription: Subscription; carrier: Carrier; canRetry: boolean; log: Logger },
  read: () => unknown,
): Promise<Attempt> {
  const { queue, subscription, carrier, canRetry, log } = deps
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  let event: Envelope
  try {
    event = subscription.event.parse(read())
  } catch (thrown) {
    const reason = `Invalid message: ${asError(thrown).message}`
    log.error({ queue, reason }, 'A message that cannot be read goes to the dead letters')
    return { outcome: 'dead', reason, seconds: seconds() }
  }
  try {
    await inConsumerSpan({ queue, event, carrier }, () => subscription.handle(event))
    return { outcome: 'done', seconds: seconds() }
  } catch (thrown) {
    const error = asError(thrown)
    const about = { err: error, queue, eventId: event.id, traceId: event.traceId }
    if (canRetry && !(error instanceof Permanent)) {
      log.warn(about, 'Handling failed, it will be tried again')
      return { outcome: 'retried', reason: error.message, seconds: seconds() }
    }
    log.error(about, 'Handling failed for good, the message goes to the dead letters')
    const outcome = { outcome: 'dead', reason: error.message, seconds: seconds() } as const
    await subscription.givenUp?.(event, error).catch(failure => {
      log.error({ ...about, err: failure }, 'Could not record that a message was given up')
    })
    return outcome
  }
}
