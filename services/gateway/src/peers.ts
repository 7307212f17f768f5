import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { Service } from '@voxscribe/contracts/events'
import {
  type Answer,
  api,
  type EndpointShape,
  type Failure,
  type Transcription,
} from '@voxscribe/contracts/http'
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios'
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

/** Calls of the other services; a call that fails or takes too long returns undefined. */
export function createPeers(settings: GatewaySettings) {
  const urlOf = (service: Peer) => settings[`${service.toUpperCase() as Uppercase<Peer>}_URL`]
  // Every status is an answer, and no target leads away from the service.
  const http = axios.create({ validateStatus: () => true, maxRedirects: 0, allowAbsoluteUrls: false })
  const call = <Body>(service: Peer, url: string, options: AxiosRequestConfig) =>
    http.request<Body>({ baseURL: urlOf(service), url, ...options }).catch(() => undefined)
  const toldBy = <Data>(
    answer: Pick<AxiosResponse<Answer<Data>>, 'status' | 'data' | 'headers'> | undefined,
  ): Told<Data> | undefined =>
    answer && {
      status: answer.status,
      body: answer.data,
      retryAfter: String(answer.headers['retry-after'] ?? ''),
    }

  /** Asks a service, or with data sends something. */
  async function tell<Data>(
    service: Peer,
    path: string,
    data: object | undefined,
    headers: Headers,
    timeout = 3_000,
  ): Promise<Told<Data> | undefined> {
    const method = data ? 'POST' : 'GET'
    return toldBy(await call<Answer<Data>>(service, path, { method, data, headers, timeout }))
  }

  return {
    urlOf,
    tell,
    /** Fetches something from a service on the caller's behalf; undefined also for a refusal. */
    async ask<Data>(service: Peer, path: string, headers: Headers): Promise<Data | undefined> {
      const told = await tell<Data>(service, path, undefined, headers)
      return told?.body.success ? told.body.data : undefined
    },
    /** Fetches a file as text; undefined also for a refusal. */
    async file(service: Peer, path: string, headers: Headers): Promise<string | undefined> {
      const answer = await call<string>(service, path, { headers, timeout: 30_000, responseType: 'text' })
      return answer?.status === 200 ? answer.data : undefined
    },
    /** Passes the form of an upload on to ingestion, a stream as it comes. */
    async upload(data: Readable | FormData, options: { headers: Headers; signal: AbortSignal }) {
      const whole = { method: 'POST', data, maxBodyLength: Number.POSITIVE_INFINITY, ...options }
      return toldBy(
        await call<Answer<{ transcription: Transcription }>>('ingestion', `/api${api.upload.path}`, whole),
      )
    },
    /** Sends something to a service that answers with a file; returns that as a stream, or a refusal. */
    async stream(
      service: Peer,
      path: string,
      data: object,
      headers: Headers,
      signal: AbortSignal,
    ): Promise<{ file: IncomingMessage } | Told<never> | undefined> {
      const options = { method: 'POST', data, headers, signal, responseType: 'stream' as const }
      const answer = await call<IncomingMessage>(service, path, options)
      if (!answer) return undefined
      if (answer.status === 200) return { file: answer.data }
      const body = await json(answer.data).catch(() => undefined)
      return body ? toldBy({ ...answer, data: body as Failure }) : undefined
    },
  }
}

/** Headers that keep a request's trace together: the id in the logs, and OpenTelemetry's parent where it is on. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Headers of a call that is made for the caller of a request. */
export const onBehalfOf = (request: Request): Headers => ({
  ...traceOf(request),
  authorization: request.headers.authorization,
})

/** Calls that another service answers than the others below the same first part. */
const exceptions: readonly EndpointShape[] = [api.upload, api.words, api.replaceWords]

/** Services by the first part of a path below /api, from the contract. */
export const serviceOfPath: ReadonlyMap<string, Peer> = new Map(
  Object.values<EndpointShape>(api)
    .filter(endpoint => endpoint.service !== 'gateway' && !exceptions.includes(endpoint))
    .map(endpoint => [endpoint.path.split('/')[1] ?? '', endpoint.service as Peer]),
)
