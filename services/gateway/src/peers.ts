import type { Service } from '@voxscribe/contracts/events'
import { api, type Failure, type Success } from '@voxscribe/contracts/http'
import { partAway } from '@voxscribe/service'
import axios from 'axios'
import type { Request } from 'express'
import type { GatewaySettings } from './settings.ts'

export type Peer = Exclude<Service, 'gateway'>

/** A service's answer as it came. */
export interface PeerAnswer<Data> {
  status: number
  headers: Record<string, string>
  body: Success<Data> | Failure
}

export interface Peers {
  urlOf(service: Peer): string
  /** Sends a caller's request on as it is. Throws 503 when the service is away or takes longer than 20 s. */
  forward<Data>(service: Peer, request: Request): Promise<PeerAnswer<Data>>
  /** Asks a service for something on the caller's behalf; answers undefined when it is not to be had in 3 s. */
  ask<Data>(
    service: Peer,
    path: string,
    headers: Record<string, string | undefined>,
  ): Promise<Data | undefined>
}

export function createPeers(settings: GatewaySettings): Peers {
  const urls: Record<Peer, string> = {
    auth: settings.AUTH_URL,
    billing: settings.BILLING_URL,
    ingestion: settings.INGESTION_URL,
    transcription: settings.TRANSCRIPTION_URL,
    notification: settings.NOTIFICATION_URL,
  }
  // Every status is an answer, a redirect is the caller's to follow, and no target leads away from the service.
  const http = axios.create({ validateStatus: () => true, maxRedirects: 0, allowAbsoluteUrls: false })
  return {
    urlOf: service => urls[service],
    async forward(service, request) {
      const answer = await http
        .request({
          baseURL: urls[service],
          url: request.originalUrl,
          method: request.method,
          data: Buffer.isBuffer(request.body) ? request.body : undefined,
          headers: passedOn(request),
          timeout: 20_000,
        })
        .catch(() => {
          throw partAway()
        })
      return { status: answer.status, headers: answer.headers as Record<string, string>, body: answer.data }
    },
    async ask(service, path, headers) {
      try {
        const answer = await http.get(path, { baseURL: urls[service], headers, timeout: 3_000 })
        return answer.status === 200 ? answer.data.data : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** What keeps a request's trace together: the id in the logs, and OpenTelemetry's parent while there is tracing. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** What a service needs of a request; the forwarding header says the address that the gateway believes. */
const passedOn = (request: Request) => ({
  // A body of no known kind is refused by its service; axios would call it a form.
  'content-type': request.get('content-type') ?? false,
  ...(request.headers.authorization ? { authorization: request.headers.authorization } : {}),
  ...(request.headers.cookie ? { cookie: request.headers.cookie } : {}),
  ...traceOf(request),
  'x-forwarded-for': request.ip ?? '',
})

/** Who answers a path below /api, by its first part: the contract says so. */
export const serviceOfPath: ReadonlyMap<string, Peer> = new Map(
  Object.values(api)
    .filter(endpoint => endpoint.service !== 'gateway')
    .map(endpoint => [endpoint.path.split('/')[1] ?? '', endpoint.service as Peer]),
)
