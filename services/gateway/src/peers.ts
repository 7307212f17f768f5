import type { Service } from '@voxscribe/contracts/events'
import { api, type EndpointShape, type Failure, type Success } from '@voxscribe/contracts/http'
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

export type Peers = ReturnType<typeof createPeers>

export function createPeers(settings: GatewaySettings) {
  const urls: Record<Peer, string> = {
    auth: settings.AUTH_URL,
    billing: settings.BILLING_URL,
    ingestion: settings.INGESTION_URL,
    transcription: settings.TRANSCRIPTION_URL,
    notification: settings.NOTIFICATION_URL,
  }
  // Every status is an answer, redirects are left to the caller, and no target leads away from the service.
  const http = axios.create({ validateStatus: () => true, maxRedirects: 0, allowAbsoluteUrls: false })
  return {
    urlOf: (service: Peer) => urls[service],
    /** Forwards a caller's request unchanged. Throws 503 when the service is down or takes longer than 20 s. */
    async forward<Data>(service: Peer, request: Request): Promise<PeerAnswer<Data>> {
      const answer = await http
        .request({
          baseURL: urls[service],
          url: request.originalUrl,
          method: request.method,
          data: Buffer.isBuffer(request.body) ? request.body : undefined,
          timeout: 20_000,
          headers: passedOn(request),
        })
        .catch(() => {
          throw partAway()
        })
      return { status: answer.status, headers: answer.headers as Record<string, string>, body: answer.data }
    },
    /** Fetches something from a service on the caller's behalf; returns undefined if that takes longer than 3 s or fails. */
    async ask<Data>(
      service: Peer,
      path: string,
      headers: Record<string, string | undefined>,
    ): Promise<Data | undefined> {
      try {
        const answer = await http.get(path, { baseURL: urls[service], headers, timeout: 3_000 })
        return answer.status === 200 ? answer.data.data : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** Headers that keep a request's trace together: the id in the logs, and OpenTelemetry's parent where it is on. */
export const traceOf = (request: Request): Record<string, string> =>
  named(request, 'x-request-id', 'traceparent')

const named = ({ headers }: Request, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])))

/** Headers that a service needs of a request; the forwarding header holds the address that the gateway trusts. */
const passedOn = (request: Request) => ({
  // The service refuses a body without a type; axios would declare it a form.
  'content-type': request.get('content-type') ?? false,
  ...named(request, 'authorization', 'cookie', 'content-length'),
  ...traceOf(request),
  'x-forwarded-for': request.ip ?? '',
})

/** Services by the first part of a path below /api, as the contract says; uploads are the exception. */
export const serviceOfPath: ReadonlyMap<string, Peer> = new Map(
  Object.values<EndpointShape>(api)
    .filter(endpoint => endpoint.service !== 'gateway' && endpoint !== api.upload)
    .map(endpoint => [endpoint.path.split('/')[1] ?? '', endpoint.service as Peer]),
)
