import type { Readable } from 'node:stream'
import type { Service } from '@voxscribe/contracts/events'
import { type Answer, api, type EndpointShape } from '@voxscribe/contracts/http'
import axios from 'axios'
import type { Request } from 'express'
import type { GatewaySettings } from './settings.ts'

export type Peer = Exclude<Service, 'gateway'>

type Headers = Record<string, string | undefined>

export type Peers = ReturnType<typeof createPeers>

export function createPeers(settings: GatewaySettings) {
  const urlOf = (service: Peer) => settings[`${service.toUpperCase() as Uppercase<Peer>}_URL`]
  // Every status is an answer, and no target leads away from the service.
  const http = axios.create({ validateStatus: () => true, maxRedirects: 0, allowAbsoluteUrls: false })
  return {
    urlOf,
    /** Fetches something from a service on the caller's behalf; returns undefined if that takes longer than 3 s or fails. */
    async ask<Data>(service: Peer, path: string, headers: Headers): Promise<Data | undefined> {
      try {
        const answer = await http.get(path, { baseURL: urlOf(service), headers, timeout: 3_000 })
        return answer.status === 200 ? answer.data.data : undefined
      } catch {
        return undefined
      }
    },
    /** Fetches a file from a service as text, or undefined as `ask` does. */
    async file(service: Peer, path: string, headers: Headers): Promise<string | undefined> {
      const options = { baseURL: urlOf(service), headers, timeout: 30_000, responseType: 'text' as const }
      const answer = await http.get<string>(path, options).catch(() => undefined)
      return answer?.status === 200 ? answer.data : undefined
    },
    /** Passes a body on to a service, a stream as it comes; undefined when that fails or is aborted. */
    pass: <Data>(
      service: Peer,
      path: string,
      body: Readable | FormData,
      { headers, signal }: { headers: Headers; signal: AbortSignal },
    ) =>
      http
        .post<Data>(path, body, {
          baseURL: urlOf(service),
          headers,
          signal,
          maxBodyLength: Number.POSITIVE_INFINITY,
        })
        .catch(() => undefined),
    /** Sends something to a service; returns its answer, whatever its status, or undefined as `ask` does. */
    async tell<Data>(service: Peer, path: string, body: object, headers: Record<string, string>) {
      try {
        const answer = await http.post<Answer<Data>>(path, body, {
          baseURL: urlOf(service),
          headers,
          timeout: 3_000,
        })
        const retryAfter = String(answer.headers['retry-after'] ?? '')
        return { status: answer.status, body: answer.data, retryAfter }
      } catch {
        return undefined
      }
    },
  }
}

/** Headers that keep a request's trace together: the id in the logs, and OpenTelemetry's parent where it is on. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Services by the first part of a path below /api, from the contract; uploads are the exception. */
export const serviceOfPath: ReadonlyMap<string, Peer> = new Map(
  Object.values<EndpointShape>(api)
    .filter(endpoint => endpoint.service !== 'gateway' && endpoint !== api.upload)
    .map(endpoint => [endpoint.path.split('/')[1] ?? '', endpoint.service as Peer]),
)
