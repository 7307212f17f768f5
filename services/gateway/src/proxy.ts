import { type Logger, partAway, sendProblem } from '@voxscribe/service'
import type { Express, Request, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { type Peers, serviceOfPath } from './peers.ts'

/** Webhooks go to who understands them, byte for byte: their signatures are over the raw body. */
const webhooks = { whatsapp: 'ingestion', twilio: 'ingestion', stripe: 'billing' } as const

/** Everything else below /api and /webhooks goes to its service as it is, streamed in both directions. */
export function mountProxies(app: Express, peers: Peers, log: Logger): void {
  const proxies = new Map(
    [...new Set(serviceOfPath.values()), 'ingestion' as const].map(service => [
      service,
      proxyTo(peers.urlOf(service), log),
    ]),
  )
  app.use('/api/:part', (request, response, next) => {
    const proxy = proxies.get(serviceOfPath.get(request.params.part ?? '') as never)
    return proxy ? whole(request, () => proxy(request, response, next)) : next()
  })
  app.use('/webhooks/:provider', (request, response, next) => {
    const proxy = proxies.get(webhooks[request.params.provider as keyof typeof webhooks] as never)
    return proxy ? whole(request, () => proxy(request, response, next)) : next()
  })
}

/** Express cuts the mounting point off the address; the services want it whole. */
function whole<T>(request: Request, work: () => T): T {
  request.url = request.originalUrl
  return work()
}

const proxyTo = (target: string, log: Logger) =>
  createProxyMiddleware<Request, Response>({
    target,
    // The slowest answer is a purchase that waits for Stripe.
    proxyTimeout: 30_000,
    on: {
      proxyReq: (outgoing, request) => {
        // What the caller claims about its address counts only as far as TRUST_PROXY says.
        outgoing.setHeader('x-forwarded-for', request.ip ?? '')
        outgoing.removeHeader('x-forwarded-host')
        outgoing.removeHeader('forwarded')
      },
      error: (error, request, response) => {
        // Without the query: it may hold what someone searches for.
        log.warn({ err: error, path: request.path }, 'a service did not answer')
        if ('headersSent' in response && !response.headersSent) sendProblem(response, partAway())
        else response.destroy()
      },
    },
  })
