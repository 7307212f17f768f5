import {
  type Answer,
  addressOf,
  type BodyOf,
  type DataOf,
  type EndpointShape,
  type QueryOf,
} from '@voxscribe/contracts/http'
import type { AxiosRequestConfig, AxiosResponse } from 'axios'
import { http } from './outward.ts'
import { Problem, refusal } from './problem.ts'

export interface Given<E extends EndpointShape> {
  params?: Record<string, string>
  query?: QueryOf<E>
  body?: BodyOf<E>
}

/** A service's answer, whatever its status. */
export interface PeerAnswer<Data> {
  status: number
  body: Answer<Data>
  retryAfter: string
}

export type PeerHeaders = Record<string, string | undefined>

const TIMEOUT_MS = 3_000

/** Sends a call to the service at `url`, for callers that read the response themselves; undefined if it fails. */
export const requestPeer = <Body>(
  url: string,
  endpoint: EndpointShape,
  { params, query, body }: Given<EndpointShape>,
  options: AxiosRequestConfig & { headers: PeerHeaders },
): Promise<AxiosResponse<Body> | undefined> =>
  http
    .request<Body>({
      baseURL: url,
      allowAbsoluteUrls: false,
      method: endpoint.method,
      url: addressOf(endpoint).replace(/:(\w+)/g, (_, name) => encodeURIComponent(params?.[name] ?? '')),
      params: query,
      data: body,
      ...options,
    })
    .catch(() => undefined)

export const peerAnswer = <Data>(
  answer: Pick<AxiosResponse<Answer<Data>>, 'status' | 'data' | 'headers'>,
): PeerAnswer<Data> => ({
  status: answer.status,
  body: answer.data,
  retryAfter: String(answer.headers['retry-after'] ?? ''),
})

/** Calls the service at `url`; undefined if that fails or takes longer than `timeout` (default: 3,000 ms). */
export async function callPeer<E extends EndpointShape>(
  url: string,
  endpoint: E,
  given: Given<E>,
  { headers = {}, timeout = TIMEOUT_MS }: { headers?: PeerHeaders; timeout?: number | undefined } = {},
): Promise<PeerAnswer<DataOf<E>> | undefined> {
  const answer = await requestPeer<Answer<DataOf<E>>>(url, endpoint, given, {
    headers,
    timeout,
    // The library's own timeout restarts with each byte.
    signal: AbortSignal.timeout(timeout),
  })
  return answer && peerAnswer(answer)
}

/** Returns the data of a service's answer. Throws its refusal, or 503 if it has failed or not answered. */
export function dataOf<Data>(answer: PeerAnswer<Data> | undefined): Data {
  if (!answer || answer.status >= 500) throw refusal('unavailable')
  const { status, body, retryAfter } = answer
  if (body.success) return body.data
  const { code, message, errors } = body
  throw new Problem(status, code, message, {
    errors,
    retryAfterSeconds: retryAfter ? Number(retryAfter) : undefined,
  })
}
