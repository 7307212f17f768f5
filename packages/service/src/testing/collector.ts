import { serve } from '@voxscribe/messaging/testing'

export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

/** Starts as much of an OpenTelemetry collector as tests need: OTLP over HTTP as JSON. `spans` grows as they come. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const server = await serve(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const service = resource.attributes.find((a: { key: string }) => a.key === 'service.name').value
        .stringValue
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ ...span, service })
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { spans, url: server.url, close: server.stop }
}
