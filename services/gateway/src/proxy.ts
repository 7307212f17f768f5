import { globalAgent, type IncomingMessage } from 'node:http'
import { globalAgent as secureAgent } from 'node:https'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { MESSENGER_NAMES } from '@voxscribe/contracts/channels'
import { type Answer, addressOf, api, type EndpointShape } from '@voxscribe/contracts/http'
import { SLOW_CALLS } from '@voxscribe/contracts/paths'
import {
  LONGEST_REQUEST_MS,
  type LocalServices,
  type Logger,
  openOnce,
  refusal,
  refuseOtherMethods,
  sendProblem,
} from '@voxscribe/service'
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import type { Options } from 'http-proxy-middleware'
import type { Peer, Peers } from './peers.ts'

/** Forwards webhooks to their service byte for byte: their signatures cover the raw body. */
const serviceOfWebhook: ReadonlyMap<string, Peer> = new Map([
  ...MESSENGER_NAMES.map(name => [name, 'ingestion'] as const),
  ['stripe', 'billing'],
])

/** Without a byte in either direction: the slowest answer is a purchase that waits for Stripe. */
const TIMEOUT_MS = 30_000

const LONGEST_CALL_MS = 600_000
const PATIENCE = new Map<EndpointShape, number>([
  [api.upload, LONGEST_REQUEST_MS],
  // Its caller says how long it waits: as long as all others may take, and then its answer takes a moment.
  [api.transcription, 2 * TIMEOUT_MS],
  ...SLOW_CALLS.map(name => [api[name], LONGEST_CALL_MS] as const),
])
const CALLS = Object.values<EndpointShape>(api).filter(
  ({ access, service }) => access !== 'internal' && service !== 'gateway',
)

export type Pass = ReturnType<typeof createPass>

/** Forwards requests unchanged, as streams. A service of this process gets the request itself, which is cheaper. */
export function createPass(peers: Peers, localServices: LocalServices, log: Logger) {
  const proxies = new Map<string, Proxy>()
  return (service: Peer, timeoutMs = TIMEOUT_MS): RequestHandler => {
    const key = `${service} ${timeoutMs}`
    const proxy =
      proxies.get(key) ?? localServices[service] ?? proxyTo(peers.urlOf(service), log, { timeoutMs })
    proxies.set(key, proxy)
    return (request, response, next) => {
      // Express removes the mount path from the address; the services need it whole.
      request.url = request.originalUrl
      return proxy(withOurAddress(request), response, next)
    }
  }
}

/** Forwards webhooks. Mounted early: what is mounted before takes time of each. */
export function mountWebhooks(app: Express, pass: Pass): void {
  for (const [name, service] of serviceOfWebhook) app.use(`/webhooks/${name}`, pass(service))
}

/** Forwards every other call of the contract, and to files that Twilio fetches to deliver them. */
export function mountProxies(app: Express, pass: Pass): void {
  app.use('/webhooks/twilio-documents', pass('notification'))
  for (const [address, calls] of Map.groupBy(CALLS, addressOf)) {
    for (const endpoint of calls)
      app[endpoint.method.toLowerCase() as 'get'](
        address,
        pass(endpoint.service as Peer, PATIENCE.get(endpoint)),
      )
    // Two services may share an address: neither knows the methods of the other.
    refuseOtherMethods(
      app,
      address,
      calls.map(({ method }) => method),
    )
  }
}

type Proxy = (request: Request, response: Response, next: NextFunction) => unknown

/** The caller's own claims about its address count only as far as TRUST_PROXY says. */
export function withOurAddress(request: Request): Request {
  request.headers['x-forwarded-for'] = request.ip ?? ''
  delete request.headers['x-forwarded-host']
  delete request.headers.forwarded
  return request
}

/** Returns the data of a successful answer with what the gateway adds to it. */
export type Complete = (data: object, request: Request, response: Response) => Promise<object>

/** A proxy to a service; with `complete` it reads the whole answer. */
export function proxyTo(
  target: string,
  log: Logger,
  { timeoutMs = TIMEOUT_MS, complete }: { timeoutMs?: number; complete?: Complete } = {},
) {
  // Providers repeat what was not answered: a line for each would be thousands a minute.
  let isAway = false
  function fail(error: unknown, request: Request, response: Response | Socket) {
    // Without the query, which may hold the words of a search.
    if (!isAway) log.warn({ err: error, path: request.path }, 'a service did not answer')
    isAway = true
    if ('headersSent' in response && !response.headersSent) sendProblem(response, refusal('unavailable'))
    else response.destroy()
  }
  const options: Options<Request, Response> = {
    target,
    // The proxy's own agent opens 256 connections to a service: as many event streams would block all other calls.
    agent: target.startsWith('https:') ? secureAgent : globalAgent,
    proxyTimeout: timeoutMs,
    selfHandleResponse: complete !== undefined,
    on: {
      proxyRes: (incoming, request, response) => {
        isAway = false
        // The limit of the key, and the one of the service that is used up.
        const { ratelimit } = incoming.headers
        const ofKey = response.get('ratelimit')
        if (ratelimit && ofKey) incoming.headers.ratelimit = `${ofKey}, ${ratelimit}`
        // Event streams, and files on a slow connection, may be silent for longer.
        if (!incoming.headers['content-type']?.includes('json')) incoming.socket.setTimeout(0)
        if (complete)
          sendCompleted(incoming, request, response, complete).catch(error => fail(error, request, response))
      },
      error: fail,
    },
  }
  const proxy = openOnce(() => openProxy(options))
  return async (...call: Parameters<Proxy>) => (await proxy())(...call)
}

/** The first request loads the library, not the start: in one process few requests need it. */
async function openProxy(options: Options<Request, Response>): Promise<Proxy> {
  const { createProxyMiddleware } = await import('http-proxy-middleware')
  return createProxyMiddleware(options)
}

async function sendCompleted(
  incoming: IncomingMessage,
  request: Request,
  response: Response,
  complete: Complete,
): Promise<void> {
  const body = await text(incoming)
  // To HEAD, and to a condition that holds.
  if (!body) return void response.status(incoming.statusCode ?? 200).end()
  const answer: Answer<object> = JSON.parse(body)
  if (answer.success) answer.data = await complete(answer.data, request, response)
  for (const name of ['ratelimit', 'retry-after', 'set-cookie'])
    if (incoming.headers[name]) response.set(name, incoming.headers[name])
  response.status(incoming.statusCode ?? 200).json(answer)
}
