import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from './log.ts'

/** Longest wait for the collector, also at the stop, which may take 9 s in all. */
const EXPORT_WITHIN_MS = 4_000

interface Options {
  /** The collector's address: an origin or a URL with a path; `/v1/traces` is appended. */
  endpoint: string
  log: Logger
  /** Ids for the next span, if they are decided before it begins. */
  nextRoot: { traceId?: string | undefined; spanId?: string | undefined }
}

/** Loaded only if there is a collector. */
export function startSdk({ endpoint, log, nextRoot }: Options): { stop(): Promise<void> } {
  const warn = (message: string) => log.warn({ reason: message }, 'OpenTelemetry')
  const silent = () => {}
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS })
  const provider = new TracerProvider({
    resource: resourceOf('voxscribe'),
    idGenerator: givenIds(nextRoot),
    spanProcessors: [underItsService, new BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    stop: async () => {
      await provider.shutdown()
      for (const part of [trace, propagation, context, diag]) part.disable()
    },
  }
}

/** Generates random ids, except for a first span whose ids are already decided. */
function givenIds(nextRoot: Options['nextRoot']) {
  const random = new RandomIdGenerator()
  return {
    generateTraceId: () => nextRoot.traceId ?? random.generateTraceId(),
    generateSpanId: () => nextRoot.spanId ?? random.generateSpanId(),
  }
}

const resources = new Map<string, Resource>()
function resourceOf(service: string): Resource {
  const known = resources.get(service) ?? resourceFromAttributes({ 'service.name': service })
  resources.set(service, known)
  return known
}

/** Services of one process share the provider, so a span names its service or inherits it from its parent. */
const underItsService: SpanProcessor = {
  onStart(span, parentContext) {
    const parent = trace.getSpan(parentContext) as Partial<ReadableSpan> | undefined
    const service = span.attributes.service ?? parent?.attributes?.service
    if (!service) return
    span.setAttribute('service', service)
    Object.assign(span, { resource: resourceOf(String(service)) })
  },
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
}
