import type {
  Context,
  ContextManager,
  Span,
  SpanContext,
  SpanOptions,
  TextMapPropagator,
} from '@opentelemetry/api'
import {
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { anEvent } from './testing/sample.ts'
import { carrierFor, inConsumerSpan, w3cTraceId } from './tracing.ts'

const PARENT = createContextKey('parent')
/** The active span. */
let active: Partial<SpanContext> | undefined

/** A minimal SDK that records what it is given. */
function register() {
  const spans: { name: string; parent: SpanContext | undefined; told: unknown[] }[] = []
  const tracer = {
    startActiveSpan(name: string, _options: SpanOptions, parent: Context, work: (span: Span) => unknown) {
      const told: unknown[] = [parent.getValue(PARENT)]
      spans.push({ name, parent: trace.getSpanContext(parent), told })
      return work({
        spanContext: () => INVALID_SPAN_CONTEXT,
        setStatus: (status: object) => told.push(status),
        end: () => told.push('ended'),
      } as unknown as Span)
    },
  }
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as Parameters<
    typeof trace.setGlobalTracerProvider
  >[0])
  const propagator: TextMapPropagator<Record<string, string>> = {
    inject: (_context, carrier) => {
      carrier.parent = 'the publisher'
    },
    extract: (context, carrier) => context.setValue(PARENT, carrier.parent),
    fields: () => ['parent'],
  }
  propagation.setGlobalPropagator(propagator)
  context.setGlobalContextManager({
    active: () =>
      active ? trace.setSpanContext(ROOT_CONTEXT, { ...INVALID_SPAN_CONTEXT, ...active }) : ROOT_CONTEXT,
    disable: () => {},
  } as unknown as ContextManager)
  return spans
}

describe('tracing', () => {
  afterEach(() => {
    active = undefined
    context.disable()
    trace.disable()
    propagation.disable()
  })

  test('when no SDK is registered, then nothing is carried and the handler runs anyway', async () => {
    let ran = false
    expect(carrierFor(anEvent('ada'))).toEqual({})
    await inConsumerSpan({ queue: 'q', event: anEvent('ada'), carrier: {} }, async () => {
      ran = true
    })
    expect(ran).toBe(true)
  })

  test('when an SDK is registered, then the consumer continues what the publisher carried', async () => {
    const spans = register()
    const event = anEvent('ada')
    active = { traceId: w3cTraceId(event.traceId) }
    await inConsumerSpan({ queue: 'q', event, carrier: carrierFor(event) }, async () => {})
    expect(spans).toMatchObject([{ name: 'process q', told: ['the publisher', 'ended'] }])
  })

  test('when the active span belongs to another trace, then nothing of it is carried', () => {
    register()
    active = { traceId: w3cTraceId(anEvent('ada').traceId) }
    expect(carrierFor(anEvent('bob'))).toEqual({})
  })

  test('when nothing of a trace was carried, then the trace id of the envelope names the trace', async () => {
    const spans = register()
    const event = { ...anEvent('ada'), traceId: '0f8fad5b-d9cb-469f-a165-70867728950e' }
    await inConsumerSpan({ queue: 'q', event, carrier: {} }, async () => {})
    await inConsumerSpan({ queue: 'q', event: { ...event, traceId: 'not hex' }, carrier: {} }, async () => {})
    expect(spans[0]!.parent?.traceId).toBe('0f8fad5bd9cb469fa16570867728950e')
    expect(spans[0]!.parent?.spanId).toBe('a16570867728950e')
    expect(spans[1]!.parent?.traceId).toMatch(/^[0-9a-f]{32}$/)
  })

  test('when the handler fails, then the span has its name alone and the error is rethrown', async () => {
    const spans = register()
    const failing = inConsumerSpan({ queue: 'q', event: anEvent('ada'), carrier: {} }, async () => {
      throw new TypeError('Broken')
    })
    await expect(failing).rejects.toThrow('Broken')
    const status = { code: SpanStatusCode.ERROR, message: 'TypeError' }
    expect(spans[0]!.told).toEqual([undefined, status, 'ended'])
  })
})
