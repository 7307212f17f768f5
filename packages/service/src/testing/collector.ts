import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const service = resource.attributes.find((a: { key: string }) => a.key === 'service.name').value
        .stringValue
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ ...span, service })
    }
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    spans,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
