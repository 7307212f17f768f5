import { globalAgent } from 'node:http'
import { globalAgent as secureAgent } from 'node:https'
import { type Logger, type Neighbours, partAway, sendProblem } from '@voxscribe/service'
import type { Express, Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { type Peer, type Peers, serviceOfPath } from './peers.ts'

/** Forwards webhooks to their service byte for byte: their signatures cover the raw body. */
const serviceOfWebhook: ReadonlyMap<string, Peer> = new Map([
  ['whatsapp', 'ingestion'],
  ['twilio', 'ingestion'],
  ['stripe', 'billing'],
  // Files that Twilio fetches to deliver them.
  ['twilio-documents', 'notification'],
])

/**
 * Forwards everything else below /api and /webhooks to its service unchanged, streamed in both directions. A service of
 * this process gets the request itself: another one over loopback costs more than most answers.
 */
export function mountProxies(app: Express, peers: Peers, neighbours: Neighbours, log: Logger): void {
  const services = new Set([...serviceOfPath.values(), ...serviceOfWebhook.values()])
  const proxies = new Map(
    [...services].map(service => [service, neighbours[service] ?? proxyTo(peers.urlOf(service), log)]),
  )
  const passTo =
    (serviceOf: ReadonlyMap<string, Peer>): RequestHandler<{ name: string }> =>
    (request, response, next) => {
      const service = serviceOf.get(request.params.name)
      const proxy = service && proxies.get(service)
      if (!proxy) return next()
      // Express removes the mount path from the address; the services need it whole.
      request.url = request.originalUrl
      return proxy(withOurAddress(request as Request), response, next)
    }
  app.use('/api/:name', passTo(serviceOfPath))
  app.use('/webhooks/:name', passTo(serviceOfWebhook))
}

/** The caller's own claims about its address count only as far as TRUST_PROXY says. */
export function withOurAddress(request: Request): Request {
  request.headers['x-forwarded-for'] = request.ip ?? ''
  delete request.headers['x-forwarded-host']
  delete request.headers.forwarded
  return request
}

function proxyTo(target: string, log: Logger) {
  // Providers repeat what was not answered: a line for each would be thousands a minute.
  let isAway = false
  return createProxyMiddleware<Request, Response>({
    target,
    // The proxy's own agent opens 256 connections to a service: as many streams of events would hold up all else.
    agent: target.startsWith('https:') ? secureAgent : globalAgent,
    // The slowest answer is a purchase that waits for Stripe.
    proxyTimeout: 30_000,
    on: {
      proxyRes: incoming => {
        isAway = false
        // Answers that last as long as somebody reads them: events, and files on a slow connection.
        if (!incoming.headers['content-type']?.includes('json')) incoming.socket.setTimeout(0)
      },
      error: (error, request, response) => {
        // Without the query, which may hold the words that someone searches for.
        if (!isAway) log.warn({ err: error, path: request.path }, 'a service did not answer')
        isAway = true
        if ('headersSent' in response && !response.headersSent) sendProblem(response, partAway())
        else response.destroy()
      },
    },
  })
}
