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
import {
  callPeer,
  type Given,
  type PeerAnswer,
  type PeerHeaders,
  peerAnswer,
  requestPeer,
} from '@voxscribe/service/peers'
import type { Request } from 'express'
import type { GatewaySettings } from './settings.ts'

export type Peer = Exclude<Service, 'gateway'>

export type Peers = ReturnType<typeof createPeers>

/** Calls of the other services; a call that fails or takes too long returns undefined. */
export function createPeers(settings: GatewaySettings) {
  const urlOf = (service: Peer) => settings[`${service.toUpperCase() as Uppercase<Peer>}_URL`]
  const urlFor = (endpoint: EndpointShape) => urlOf(endpoint.service as Peer)
  const call = <E extends EndpointShape>(
    endpoint: E,
    given: Given<E>,
    headers: PeerHeaders,
    timeout?: number,
  ) => callPeer(urlFor(endpoint), endpoint, given, { headers, timeout })

  return {
    urlOf,
    call,
    /** Fetches something on the caller's behalf; undefined also for a refusal. */
    async ask<E extends EndpointShape>(endpoint: E, given: Given<E>, headers: PeerHeaders) {
      const answer = await call(endpoint, given, headers)
      return answer?.body.success ? answer.body.data : undefined
    },
    /** Fetches a file as text; undefined also for a refusal. */
    async file<E extends EndpointShape>(endpoint: E, given: Given<E>, headers: PeerHeaders) {
      const options = { headers, timeout: 30_000, responseType: 'text' } as const
      const answer = await requestPeer<string>(urlFor(endpoint), endpoint, given, options)
      return answer?.status === 200 ? answer.data : undefined
    },
    /** Passes the form of an upload on to ingestion, a stream as it comes. */
    async upload(data: Readable | FormData, options: { headers: PeerHeaders; signal: AbortSignal }) {
      const form = { data, maxBodyLength: Number.POSITIVE_INFINITY, ...options }
      type Sent = Answer<{ transcription: Transcription }>
      const answer = await requestPeer<Sent>(urlFor(api.upload), api.upload, {}, form)
      return answer && peerAnswer(answer)
    },
    /** Sends something to a service that answers with a file; returns that as a stream, or a refusal. */
    async stream<E extends EndpointShape>(
      endpoint: E,
      given: Given<E>,
      headers: PeerHeaders,
      signal: AbortSignal,
    ): Promise<{ file: IncomingMessage } | PeerAnswer<never> | undefined> {
      const options = { headers, signal, responseType: 'stream' } as const
      const answer = await requestPeer<IncomingMessage>(urlFor(endpoint), endpoint, given, options)
      if (!answer) return undefined
      if (answer.status === 200) return { file: answer.data }
      const body = await json(answer.data).catch(() => undefined)
      return body ? peerAnswer({ ...answer, data: body as Failure }) : undefined
    },
  }
}

/** Headers that keep a request's trace together: the id in the logs, and OpenTelemetry's parent where it is on. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Headers of a call that is made for the caller of a request. */
export const onBehalfOf = (request: Request): PeerHeaders => ({
  ...traceOf(request),
  authorization: request.headers.authorization,
})
