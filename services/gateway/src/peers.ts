import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { Service } from '@voxscribe/contracts/events'
import { type Answer, api, type EndpointShape, type Failure } from '@voxscribe/contracts/http'
import axios, { type AxiosResponse } from 'axios'
import type { Request } from 'express'
import type { GatewaySettings } from './settings.ts'

export type Peer = Exclude<Service, 'gateway'>

type Headers = Record<string, string | undefined>

/** An answer, whatever its status. */
export interface Told<Data> {
  status: number
  body: Answer<Data>
  retryAfter: string
}

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
    /** Asks a service, or with a body sends something; returns its answer, whatever its status, or undefined as `ask` does. */
    async tell<Data>(
      service: Peer,
      path: string,
      data: object | undefined,
      headers: Headers,
      timeout = 3_000,
    ): Promise<Told<Data> | undefined> {
      try {
        const method = data ? 'POST' : 'GET'
        const options = { method, url: path, data, baseURL: urlOf(service), headers, timeout }
        const answer = await http.request<Answer<Data>>(options)
        return { status: answer.status, body: answer.data, retryAfter: retryAfterIn(answer) }
      } catch {
        return undefined
      }
    },
    /** Sends something to a service that answers with a file; returns that as a stream, a refusal, or undefined as `ask`. */
    async stream(
      service: Peer,
      path: string,
      data: object,
      headers: Headers,
      signal: AbortSignal,
    ): Promise<{ file: IncomingMessage } | Told<never> | undefined> {
      const options = { baseURL: urlOf(service), headers, signal, responseType: 'stream' as const }
      try {
        const answer = await http.post<IncomingMessage>(path, data, options)
        if (answer.status === 200) return { file: answer.data }
        const body = (await json(answer.data)) as Failure
        return { status: answer.status, body, retryAfter: retryAfterIn(answer) }
      } catch {
        return undefined
      }
    },
  }
}

const retryAfterIn = ({ headers }: AxiosResponse) => String(headers['retry-after'] ?? '')

/** Headers that keep a request's trace together: the id in the logs, and OpenTelemetry's parent where it is on. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Calls that another service answers than the others below the same first part. */
const exceptions: readonly EndpointShape[] = [api.upload, api.words, api.replaceWords]

/** Services by the first part of a path below /api, from the contract. */
export const serviceOfPath: ReadonlyMap<string, Peer> = new Map(
  Object.values<EndpointShape>(api)
    .filter(endpoint => endpoint.service !== 'gateway' && !exceptions.includes(endpoint))
    .map(endpoint => [endpoint.path.split('/')[1] ?? '', endpoint.service as Peer]),
)
