import type { Context } from '@opentelemetry/api'
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { Envelope } from '@voxscribe/contracts/events'
import { asError } from './bus.ts'

/** Text headers that carry the trace from publisher to consumer (W3C `traceparent` with the usual SDK). */
export type Carrier = Record<string, string>

/** What is active now, as headers; empty when no SDK is registered. */
export function carrierOfNow(): Carrier {
  const carrier: Carrier = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/** Runs `handle` in a consumer span that continues the publisher's trace. Costs nothing without an SDK. */
export function inConsumerSpan(
  { queue, event, carrier }: { queue: string; event: Envelope; carrier: Carrier },
  handle: () => Promise<void>,
): Promise<void> {
  const tracer = trace.getTracer('@voxscribe/messaging')
  const options = {
    kind: SpanKind.CONSUMER,
    attributes: {
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': event.id,
    },
  }
  return tracer.startActiveSpan(`process ${queue}`, options, publisherContext(event, carrier), async span => {
    try {
      await handle()
    } catch (thrown) {
      const error = asError(thrown)
      span.recordException(error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      throw thrown
    } finally {
      span.end()
    }
  })
}

/**
 * The relay publishes long after the request that caused the event, outside of its trace. Then the envelope's
 * trace id, a UUID and so the 16 bytes of a W3C trace id, still puts every step of one note into one trace.
 */
function publisherContext(event: Envelope, carrier: Carrier): Context {
  const carried = propagation.extract(ROOT_CONTEXT, carrier)
  if (trace.getSpanContext(carried)) return carried
  const traceId = event.traceId.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(traceId)) return carried
  const parent = { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(carried, parent)
}
