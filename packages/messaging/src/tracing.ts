import { createHash } from 'node:crypto'
import type { Context, Span } from '@opentelemetry/api'
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

/**
 * Returns the 16 bytes of a W3C trace id, in hex, for the trace id of an envelope or a request: a UUID as it is,
 * anything else as its hash, so that every process derives the same trace.
 */
export function w3cTraceId(traceId: string): string {
  const plain = traceId.replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{32}$/.test(plain) && !/^0+$/.test(plain)) return plain
  return createHash('sha256').update(traceId).digest('hex').slice(0, 32)
}

/** Whether an SDK is registered. Without one, the API's calls have no effect but still take time. */
export const isTraced = (): boolean => propagation.fields().length > 0

/**
 * Returns the active span as headers if it belongs to the event's own trace: a relay that one note woke also publishes
 * the events of others. Empty if no SDK is registered.
 */
export function carrierFor(event: Envelope): Carrier {
  const carrier: Carrier = {}
  if (!isTraced()) return carrier
  const active = trace.getActiveSpan()
  if (active?.spanContext().traceId === w3cTraceId(event.traceId))
    propagation.inject(context.active(), carrier)
  return carrier
}

/** Runs `handle` in a consumer span that continues the publisher's trace. Free without an SDK. */
export async function inConsumerSpan(
  { queue, event, carrier }: { queue: string; event: Envelope; carrier: Carrier },
  handle: () => Promise<void>,
): Promise<void> {
  if (!isTraced()) return handle()
  const tracer = trace.getTracer('@voxscribe/messaging')
  const options = {
    kind: SpanKind.CONSUMER,
    attributes: {
      // Queues are `<service>.<event>`; see packages/service.
      service: queue.split('.')[0],
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': event.id,
    },
  }
  const parent = publisherContext(event, carrier)
  return tracer.startActiveSpan(`process ${queue}`, options, parent, spanOf(handle))
}

/** Returns work that ends its span. Records only the name of an error, whose message may contain what people wrote. */
export const spanOf =
  <T>(work: () => Promise<T>) =>
  async (span: Span): Promise<T> => {
    try {
      return await work()
    } catch (thrown) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: asError(thrown).name })
      throw thrown
    } finally {
      span.end()
    }
  }

/**
 * The relay publishes long after the request that caused the event, outside of its span. The envelope's trace id still
 * puts every step of a note into one trace, below the request's span: a service that begins a trace gives its first
 * span the second half of the trace id (see `startServerSpan` in packages/service).
 */
function publisherContext(event: Envelope, carrier: Carrier): Context {
  const carried = propagation.extract(ROOT_CONTEXT, carrier)
  if (trace.getSpanContext(carried)) return carried
  const traceId = w3cTraceId(event.traceId)
  const parent = { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(carried, parent)
}
