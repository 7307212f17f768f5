import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { anEvent } from './testing/sample.ts'
import { carrierFor, inConsumerSpan, w3cTraceId } from './tracing.ts'

/** Registers an SDK and returns its finished spans. */
function register() {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  )
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return () => exporter.getFinishedSpans()
}

const event = { ...anEvent('ada'), traceId: '0f8fad5b-d9cb-469f-a165-70867728950e' }
const publisher = { traceId: w3cTraceId(event.traceId), spanId: '00f067aa0ba902b7', traceFlags: 1 }
const published = <T>(work: () => T) => context.with(trace.setSpanContext(ROOT_CONTEXT, publisher), work)
afterEach(() => {
  for (const api of [context, trace, propagation]) api.disable()
})

test('when no SDK is registered, then nothing is carried and the handler runs anyway', async () => {
  let ran = false
  expect(carrierFor(event)).toEqual({})
  await inConsumerSpan({ queue: 'q', event, carrier: {} }, async () => {
    ran = true
  })
  expect(ran).toBe(true)
})

test('when an SDK is registered, then the consumer continues what the publisher carried', async () => {
  const spans = register()
  const carrier = published(() => carrierFor(event))
  await inConsumerSpan({ queue: 'q', event, carrier }, async () => {})
  expect(spans()).toMatchObject([{ name: 'process q', parentSpanContext: publisher }])
})

test('when the active span belongs to another trace, then nothing of it is carried', () => {
  register()
  expect(published(() => carrierFor(anEvent('bob')))).toEqual({})
})

test('when nothing of a trace was carried, then the trace id of the envelope names the trace', async () => {
  const spans = register()
  for (const traceId of [event.traceId, 'not hex'])
    await inConsumerSpan({ queue: 'q', event: { ...event, traceId }, carrier: {} }, async () => {})
  const [first, second] = spans().map(({ parentSpanContext }) => parentSpanContext)
  expect(first).toMatchObject({ traceId: '0f8fad5bd9cb469fa16570867728950e', spanId: 'a16570867728950e' })
  expect(second!.traceId).toMatch(/^[0-9a-f]{32}$/)
})

test('when the handler fails, then the span has its name alone and the error is rethrown', async () => {
  const spans = register()
  const failing = inConsumerSpan({ queue: 'q', event, carrier: {} }, async () => {
    throw new TypeError('Broken')
  })
  await expect(failing).rejects.toThrow('Broken')
  const status = { code: SpanStatusCode.ERROR, message: 'TypeError' }
  expect(spans()).toMatchObject([{ status, events: [] }])
})
