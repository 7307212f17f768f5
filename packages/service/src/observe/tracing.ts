import type { Attributes, Span } from '@opentelemetry/api'
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Service } from '@voxscribe/contracts/events'
import { isTraced, spanOf, w3cTraceId } from '@voxscribe/messaging'
import type { Request } from 'express'
import type { Logger } from './log.ts'
import { pathForLog } from './log-privacy.ts'

const TRACER = '@voxscribe/service'
/** Ids for the next span, if it begins a trace. */
const nextRoot: { traceId?: string | undefined; spanId?: string | undefined } = {}

let running: { users: number; sdk: Promise<{ stop(): Promise<void> }> } | undefined

/** Sends spans to a collector (OTLP). The services of one process share the SDK; the last to stop flushes it. */
export async function startTracing(endpoint: string | undefined, log: Logger): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  running ??= {
    users: 0,
    sdk: import('./tracing-sdk.ts').then(({ startSdk }) => startSdk({ endpoint, log, nextRoot })),
  }
  const shared = running
  shared.users += 1
  await shared.sdk
  return async () => {
    shared.users -= 1
    if (shared.users) return
    running = undefined
    await (await shared.sdk).stop()
  }
}

/** Starts a request's span, below the caller's if the trace is the same. `minted`: its id follows from the trace's. */
export function startServerSpan(
  request: Request,
  service: Service,
  traceId: string,
  minted: boolean,
): Span | undefined {
  if (!isTraced()) return undefined
  const tracer = trace.getTracer(TRACER)
  const carried = propagation.extract(ROOT_CONTEXT, request.headers)
  const attributes = { service, 'http.request.method': request.method, 'url.path': pathForLog(request.path) }
  const options = { kind: SpanKind.SERVER, attributes }
  const id = w3cTraceId(traceId)
  if (trace.getSpanContext(carried)?.traceId === id) return tracer.startSpan(request.method, options, carried)
  Object.assign(nextRoot, { traceId: id, spanId: minted ? id.slice(16) : undefined })
  try {
    return tracer.startSpan(request.method, options, ROOT_CONTEXT)
  } finally {
    Object.assign(nextRoot, { traceId: undefined, spanId: undefined })
  }
}

/** Runs the rest of a request in its span. Its headers, when passed on to another service, continue the trace. */
export function inServerSpan(span: Span | undefined, request: Request, next: () => void): void {
  if (!span) return void next()
  const inside = trace.setSpan(context.active(), span)
  propagation.inject(inside, request.headers)
  context.with(inside, next)
}

export function endServerSpan(span: Span, route: string, request: Request, status: number): void {
  span.updateName(`${request.method} ${route}`.trim())
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Runs work that takes time, such as a call to a provider, in its own span. */
export function inSpan<T>(name: string, work: () => Promise<T>, attributes: Attributes = {}): Promise<T> {
  return trace.getTracer(TRACER).startActiveSpan(name, { attributes }, spanOf(work))
}
