import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { Service } from '@voxscribe/contracts/events'
import { type Answer, api, type EndpointShape, type Transcription } from '@voxscribe/contracts/http'
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

/** Calls to the other services; a call that fails or times out returns undefined. */
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
    /** Fetches data on the caller's behalf; undefined for a refusal as well. */
    async ask<E extends EndpointShape>(endpoint: E, given: Given<E>, headers: PeerHeaders) {
      const answer = await call(endpoint, given, headers)
      return answer?.body.success ? answer.body.data : undefined
    },
    /** Forwards an upload's form to ingestion, as a stream if it arrives as one. */
    async upload(data: Readable | FormData, options: { headers: PeerHeaders; signal: AbortSignal }) {
      const form = { data, maxBodyLength: Number.POSITIVE_INFINITY, ...options }
      type Sent = Answer<{ transcription: Transcription }>
      const answer = await requestPeer<Sent>(urlFor(api.upload), api.upload, {}, form)
      return answer && peerAnswer(answer)
    },
    /** Sends a request whose response is a file. Returns the file as a stream, or the refusal. */
    async file<E extends EndpointShape>(
      endpoint: E,
      given: Given<E>,
      headers: PeerHeaders,
      signal: AbortSignal,
    ): Promise<PeerAnswer<IncomingMessage> | undefined> {
      const options = { headers, signal, responseType: 'stream' } as const
      const answer = await requestPeer<IncomingMessage>(urlFor(endpoint), endpoint, given, options)
      if (!answer) return undefined
      const isFile = answer.status === 200
      const body: unknown = isFile
        ? { success: true, message: 'OK', data: answer.data }
        : await json(answer.data).catch(() => undefined)
      return body ? peerAnswer({ ...answer, data: body as Answer<IncomingMessage> }) : undefined
    },
  }
}

/** Headers that continue a request's trace: the id in the logs, and OpenTelemetry's parent if it's enabled. */
export const traceOf = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'traceparent'].flatMap(name => (headers[name] ? [[name, String(headers[name])]] : [])),
  )

/** Headers for calls on behalf of a request's caller. */
export const onBehalfOf = (request: Request): PeerHeaders => ({
  ...traceOf(request),
  authorization: request.headers.authorization,
})
