import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { Service } from '@voxscribe/contracts/events'
import {
  type Answer,
  addressOf,
  api,
  type BodyOf,
  type DataOf,
  type EndpointShape,
  type Failure,
  type QueryOf,
  type Transcription,
} from '@voxscribe/contracts/http'
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios'
import type { Request } from 'express'
import type { GatewaySettings } from './settings.ts'

export type Peer = Exclude<Service, 'gateway'>

type Headers = Record<string, string | undefined>

/** The answer of a service, whatever its status. */
export interface PeerAnswer<Data> {
  status: number
  body: Answer<Data>
  retryAfter: string
}

interface Given<E extends EndpointShape> {
  params?: Record<string, string>
  query?: QueryOf<E>
  body?: BodyOf<E>
}

export type Peers = ReturnType<typeof createPeers>

/** Calls of the other services; a call that fails or takes too long returns undefined. */
export function createPeers(settings: GatewaySettings) {
  const urlOf = (service: Peer) => settings[`${service.toUpperCase() as Uppercase<Peer>}_URL`]
  // Every status is an answer, and no target leads away from the service.
  const http = axios.create({
    validateStatus: () => true,
    maxRedirects: 0,
    allowAbsoluteUrls: false,
    // HTTP_PROXY would lead to the machine of the proxy.
    proxy: false,
  })
  const request = <Body>(
    endpoint: EndpointShape,
    { params, query, body }: Given<EndpointShape>,
    options: AxiosRequestConfig & { headers: Headers },
  ) =>
    http
      .request<Body>({
        baseURL: urlOf(endpoint.service as Peer),
        method: endpoint.method,
        url: addressOf(endpoint).replace(/:(\w+)/g, (_, name) => encodeURIComponent(params?.[name] ?? '')),
        params: query,
        data: body,
        ...options,
      })
      .catch(() => undefined)
  const answerOf = <Data>(
    answer: Pick<AxiosResponse<Answer<Data>>, 'status' | 'data' | 'headers'> | undefined,
  ): PeerAnswer<Data> | undefined =>
    answer && {
      status: answer.status,
      body: answer.data,
      retryAfter: String(answer.headers['retry-after'] ?? ''),
    }

  async function call<E extends EndpointShape>(
    endpoint: E,
    given: Given<E>,
    headers: Headers,
    timeout = 3_000,
  ): Promise<PeerAnswer<DataOf<E>> | undefined> {
    return answerOf(await request<Answer<DataOf<E>>>(endpoint, given, { headers, timeout }))
  }

  return {
    urlOf,
    call,
    /** Fetches something on the caller's behalf; undefined also for a refusal. */
    async ask<E extends EndpointShape>(endpoint: E, given: Given<E>, headers: Headers) {
      const answer = await call(endpoint, given, headers)
      return answer?.body.success ? answer.body.data : undefined
    },
    /** Fetches a file as text; undefined also for a refusal. */
    async file<E extends EndpointShape>(endpoint: E, given: Given<E>, headers: Headers) {
      const options = { headers, timeout: 30_000, responseType: 'text' } as const
      const answer = await request<string>(endpoint, given, options)
      return answer?.status === 200 ? answer.data : undefined
    },
    /** Passes the form of an upload on to ingestion, a stream as it comes. */
    async upload(data: Readable | FormData, options: { headers: Headers; signal: AbortSignal }) {
      const form = { data, maxBodyLength: Number.POSITIVE_INFINITY, ...options }
      return answerOf(await request<Answer<{ transcription: Transcription }>>(api.upload, {}, form))
    },
    /** Sends something to a service that answers with a file; returns that as a stream, or a refusal. */
    async stream<E extends EndpointShape>(
      endpoint: E,
      given: Given<E>,
      headers: Headers,
      signal: AbortSignal,
    ): Promise<{ file: IncomingMessage } | PeerAnswer<never> | undefined> {
      const options = { headers, signal, responseType: 'stream' } as const
      const answer = await request<IncomingMessage>(endpoint, given, options)
      if (!answer) return undefined
      if (answer.status === 200) return { file: answer.data }
      const body = await json(answer.data).catch(() => undefined)
      return body ? answerOf({ ...answer, data: body as Failure }) : undefined
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
