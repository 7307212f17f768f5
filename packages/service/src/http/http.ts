import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Service } from '@voxscribe/contracts/events'
import { addressOf, type Failure } from '@voxscribe/contracts/http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { isStorageAway } from '../database/blobs.ts'
import { isDatabaseAway, isDiskFull } from '../database/errors.ts'
import { type Logger, withTrace } from '../observe/log.ts'
import { httpSeconds } from '../observe/metrics.ts'
import { endServerSpan, inServerSpan, startServerSpan } from '../observe/tracing.ts'
import { withBodyTimeout } from './body-timeout.ts'
import { invalidField, Problem, refusal } from './problem.ts'
import type { Route } from './routes.ts'
import type { Admission } from './tokens.ts'

interface HttpOptions {
  service: Service
  routes: Route[]
  admit: Admission
  log: Logger
  trustProxy: number | boolean | string
  /** Mounts handlers that run before the JSON routes: webhooks that need the raw body, proxies, static files. */
  mount?: (app: Express) => void
}

/** Creates the service's HTTP app: trace id, webhooks, the contract's routes, 404, 405, and errors in the envelope. */
export function createHttpApp({ service, routes, admit, log, trustProxy, mount }: HttpOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', trustProxy)
  app.use(traced(service, log))
  app.use(takePathsOnly)
  mount?.(app)
  for (const route of routes) {
    const { method, body, bodyMax, bodyFile } = route.endpoint
    const address = app.route(addressOf(route.endpoint))
    const answer: RequestHandler = async (request, response) => {
      const { data, message = 'OK', status, headers = {}, send } = await route.answer(request, admit)
      if (send) return send(response)
      response
        .set(headers)
        .status(status ?? route.endpoint.status ?? 200)
        .json({ success: true, message, data })
    }
    address[method.toLowerCase() as 'get'](...(body && !bodyFile ? jsonBody(bodyMax) : []), answer)
  }
  for (const [address, known] of Map.groupBy(routes, ({ endpoint }) => addressOf(endpoint))) {
    const methods = known.map(({ endpoint }) => endpoint.method)
    refuseOtherMethods(app, address, methods)
  }
  app.use(() => {
    throw refusal('not_found')
  })
  const asFailure: ErrorRequestHandler = (error, request, response, _next) => {
    // Express's error for a client that left during a file, and the error of work that is aborted because of that.
    if (request.socket.destroyed && (error.code === 'ECONNABORTED' || error.name === 'AbortError')) return
    if (!response.headersSent) return sendProblem(response, problemOf(error, log))
    // Express would print the error with all its properties, such as tokens.
    log.error({ err: error }, 'a response was cut off')
    response.destroy()
  }
  app.use(asFailure)
  return app
}

/** Refuses targets that are an address, `*` or `//host`, which could lead a forwarding proxy elsewhere. */
const takePathsOnly: RequestHandler = (request, _response, next) => {
  if (!/^\/(?![/\\])/.test(request.url)) throw invalidField('', 'not_a_path')
  next()
}

/** Refuses methods that the handlers of an address don't take, with 405. Mount it after them. */
export function refuseOtherMethods(app: Express, path: string, allowed: string[]): void {
  app.all(path, (_request, response) => {
    response.set('allow', allowed.join(', '))
    throw refusal('method_not_allowed')
  })
}

const jsonBody = (limit: number | string = '100kb'): RequestHandler[] => [
  (request, _response, next) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
    if (hasBody && !request.is('application/json')) {
      throw refusal('not_as_json')
    }
    next()
  },
  withBodyTimeout(express.json({ limit, strict: false })),
]

/** Returns the id that follows a request through all services: a well-formed `x-request-id`, else the W3C trace id. */
function givenTraceId({ headers }: Request): string | undefined {
  const given = headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{8,100}$/.test(given)) return given
  const [, hex] = /^00-([0-9a-f]{32})-/.exec(String(headers.traceparent ?? '')) ?? []
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function traced(service: Service, log: Logger): RequestHandler {
  return (request, response, next) => {
    const given = givenTraceId(request)
    const traceId = given ?? randomUUID()
    const span = startServerSpan(request, service, traceId, given === undefined)
    request.headers['x-request-id'] = traceId
    response.set('x-request-id', traceId)
    const started = performance.now()
    const elapsed = () => (performance.now() - started) / 1000
    let seconds: number | undefined
    // The time that a stream of events or a file then takes depends on the client.
    whenAnswered(response, () => {
      seconds = elapsed()
      // RFC 9110, section 11.6.1. Some clients treat a 401 without it as a broken connection.
      if (response.statusCode === 401 && !response.get('www-authenticate'))
        response.set('www-authenticate', 'Bearer')
    })
    const route = () => request.route?.path ?? request.baseUrl ?? ''
    response.on('finish', () => {
      const { method } = request
      const status = response.statusCode
      httpSeconds.observe({ service, method, route: route(), status }, seconds ?? elapsed())
      withTrace(traceId, () =>
        log.info({ method, path: request.path, status, seconds: elapsed() }, 'answered'),
      )
    })
    // The span ends even if the caller disconnects before the answer.
    if (span) response.on('close', () => endServerSpan(span, route(), request, response.statusCode))
    inServerSpan(span, request, () => withTrace(traceId, next))
  }
}

/** Calls back once the head is written or the connection is gone; pipelined answers finish much later. */
export function whenAnswered(response: ServerResponse, answered: () => void): void {
  const { writeHead } = response
  let isAnswered = false
  const end = () => {
    if (!isAnswered) answered()
    isAnswered = true
  }
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    end()
    return writeHead.apply(response, head)
  }) as typeof writeHead
  response.once('close', end)
}

/** Returns a signal that aborts once a call's connection is gone, whether it was answered or not. */
export function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => left.abort())
  return left.signal
}

export function sendProblem(response: Response, problem: Problem): void {
  const { status, message, code, errors, retryAfterSeconds, limit } = problem
  if (retryAfterSeconds !== undefined) response.set('retry-after', String(retryAfterSeconds))
  if (limit) response.set('ratelimit', `"${limit}";r=0;t=${retryAfterSeconds}`)
  response.status(status).json({ success: false, message, code, errors } satisfies Failure)
}

/** Converts errors of Express and the body parser. Unexpected ones are logged in full; callers see no details. */
function problemOf(error: unknown, log: Logger): Problem {
  if (error instanceof Problem) return error
  const { type, status } = error as { type?: string; status?: number }
  if (type === 'entity.too.large') return refusal('too_large')
  if (type === 'encoding.unsupported') return refusal('compressed')
  if (type === 'charset.unsupported') return refusal('not_in_utf8')
  if (type === 'entity.parse.failed') return invalidField('', 'not_json')
  if (status === 404) return refusal('not_found')
  if (status && status >= 400 && status < 500) return invalidField('', 'request_unreadable')
  log.error({ err: error }, 'a request failed')
  if (isDiskFull(error)) return refusal('disk_full')
  return refusal(isDatabaseAway(error) || isStorageAway(error) ? 'unavailable' : 'server_error')
}
