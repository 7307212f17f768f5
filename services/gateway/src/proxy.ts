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

/** Webhooks are forwarded byte for byte, because their signatures cover the raw body. */
const serviceOfWebhook: ReadonlyMap<string, Peer> = new Map([
  ...MESSENGER_NAMES.map(name => [name, 'ingestion'] as const),
  ['stripe', 'billing'],
])

/** Limit without a byte in either direction; the slowest call is a purchase that waits for Stripe. */
const TIMEOUT_MS = 30_000

const LONGEST_CALL_MS = 600_000
const LONGER_TIMEOUTS_MS = new Map<EndpointShape, number>([
  [api.upload, LONGEST_REQUEST_MS],
  // The caller sets the wait, up to the limit of all other calls; the response itself then takes a moment more.
  [api.transcription, 2 * TIMEOUT_MS],
  ...SLOW_CALLS.map(name => [api[name], LONGEST_CALL_MS] as const),
])
const CALLS = Object.values<EndpointShape>(api).filter(
  ({ access, service }) => access !== 'internal' && service !== 'gateway',
)

export type Pass = ReturnType<typeof createPass>

/** Forwards requests unchanged, as streams. A service in the same process gets them directly, which is cheaper. */
export function createPass(peers: Peers, localServices: LocalServices, log: Logger) {
  const proxies = new Map<string, Proxy>()
  return (service: Peer, timeoutMs = TIMEOUT_MS): RequestHandler => {
    const key = `${service} ${timeoutMs}`
    const proxy =
      proxies.get(key) ?? localServices[service] ?? proxyTo(peers.urlOf(service), log, { timeoutMs })
    proxies.set(key, proxy)
    return (request, response, next) => {
      // Express removes the mount path from the address, but services need all of it.
      request.url = request.originalUrl
      return proxy(toPassOn(request), response, next)
    }
  }
}

/** Forwards webhooks. Mounted early, because each handler mounted before costs time per webhook. */
export function mountWebhooks(app: Express, pass: Pass): void {
  for (const [name, service] of serviceOfWebhook) app.use(`/webhooks/${name}`, pass(service))
}

/** Forwards all other calls of the contract, and files that Twilio fetches for delivery. */
export function mountProxies(app: Express, pass: Pass): void {
  app.use('/webhooks/twilio-documents', pass('notification'))
  for (const [address, calls] of Map.groupBy(CALLS, addressOf)) {
    for (const endpoint of calls)
      app[endpoint.method.toLowerCase() as 'get'](
        address,
        pass(endpoint.service as Peer, LONGER_TIMEOUTS_MS.get(endpoint)),
      )
    // Two services may share an address, so neither can refuse the other's methods.
    refuseOtherMethods(
      app,
      address,
      calls.map(({ method }) => method),
    )
  }
}

type Proxy = (request: Request, response: Response, next: NextFunction) => unknown

/**
 * Headers about the caller's own connection (RFC 9110, section 7.6.1), except `Connection`, which the proxy handles.
 * Node's client throws for a `Trailer` without chunks, outside of any handler, which would end the process.
 */
const OF_CONNECTION = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']
/** Claims of the caller about its address, which count only as far as TRUST_PROXY allows. */
const OF_ADDRESS = ['x-forwarded-host', 'forwarded']

/** Removes the headers that are not for the service, and states the caller's address. */
export function toPassOn(request: Request): Request {
  for (const name of [...OF_CONNECTION, ...OF_ADDRESS]) delete request.headers[name]
  request.headers['x-forwarded-for'] = request.ip ?? ''
  return request
}

/** Returns the data of a successful response, with the gateway's additions. */
export type Complete = (data: object, request: Request, response: Response) => Promise<object>

/** Returns a proxy to a service; with `complete`, it reads the whole response first. */
export function proxyTo(
  target: string,
  log: Logger,
  { timeoutMs = TIMEOUT_MS, complete }: { timeoutMs?: number; complete?: Complete } = {},
) {
  // Logs only the first failure: providers retry, which could make thousands of lines a minute.
  let isAway = false
  function fail(error: unknown, request: Request, response: Response | Socket) {
    // Without the query, which may contain search words.
    if (!isAway) log.warn({ err: error, path: request.path }, 'a service did not answer')
    isAway = true
    if ('headersSent' in response && !response.headersSent) sendProblem(response, refusal('unavailable'))
    else response.destroy()
  }
  const options: Options<Request, Response> = {
    target,
    // The proxy's own agent allows 256 connections per service, so that many event streams would block all other calls.
    agent: target.startsWith('https:') ? secureAgent : globalAgent,
    proxyTimeout: timeoutMs,
    selfHandleResponse: complete !== undefined,
    on: {
      proxyRes: (incoming, request, response) => {
        isAway = false
        // Combines the key's limit with the service's own.
        const { ratelimit } = incoming.headers
        const ofKey = response.get('ratelimit')
        if (ratelimit && ofKey) incoming.headers.ratelimit = `${ofKey}, ${ratelimit}`
        // Event streams, and files over a slow connection, may be silent for longer.
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

/** Loads the library with the first request rather than at startup: in a single process few requests need it. */
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
  // A response to HEAD, or a 304, has no body.
  if (!body) return void response.status(incoming.statusCode ?? 200).end()
  const answer: Answer<object> = JSON.parse(body)
  if (answer.success) answer.data = await complete(answer.data, request, response)
  for (const name of ['ratelimit', 'retry-after', 'set-cookie'])
    if (incoming.headers[name]) response.set(name, incoming.headers[name])
  response.status(incoming.statusCode ?? 200).json(answer)
}
