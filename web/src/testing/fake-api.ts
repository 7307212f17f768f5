import type { BodyFor, DataFor, EndpointKey } from '@voxscribe/contracts/calls'
import { PATHS } from '@voxscribe/contracts/paths'
import type { AxiosAdapter, InternalAxiosRequestConfig } from 'axios'
import { http } from '../api/http.ts'

export interface FakeRequest<K extends EndpointKey = EndpointKey> {
  key: K
  body: BodyFor<K>
  query: Record<string, unknown>
  params: Record<string, string>
  authorization: string | undefined
  ifMatch: string | undefined
  idempotencyKey: string | undefined
  /** Milliseconds until the request times out; 0: never. */
  timeout: number | undefined
}
export interface FakeAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}
type Answering<K extends EndpointKey> = (request: FakeRequest<K>) => FakeAnswer | Promise<FakeAnswer>
export type FakeHandlers = { [K in EndpointKey]?: Answering<K> }

export const ok = <K extends EndpointKey>(data: DataFor<K>, message = 'OK'): FakeAnswer => ({
  status: 200,
  body: { success: true, message, data },
})

/** A failed response; without a message, the client uses its own. */
export const failure = (status: number, message?: string, more: object = {}): FakeAnswer => ({
  status,
  body: { success: false, ...(message !== undefined && { message }), ...more },
})

/** Fails like a request without a response. */
export function noNetwork(): never {
  throw new Error('Network Error')
}

/** A response that waits until the test provides it. */
export function held(): { handler: () => Promise<FakeAnswer>; answer(answer: FakeAnswer): void } {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>()
  return { handler: () => promise, answer: resolve }
}

/** Rejects when a request is aborted. */
const abortOf = (signal: InternalAxiosRequestConfig['signal']) =>
  new Promise<never>((_, reject) => signal?.addEventListener?.('abort', () => reject(new Error('canceled'))))

const patterns = Object.entries(PATHS).map(([key, [method, path]]) => ({
  key: key as EndpointKey,
  method,
  pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

/**
 * Replaces the network below the HTTP library, so everything above it is the real code. Responds as the test says and
 * records every request; a call that the test didn't expect fails like a lost connection.
 */
export function fakeApi(handlers: FakeHandlers = {}) {
  const requests: FakeRequest[] = []
  const current: FakeHandlers = { ...handlers }
  const adapter: AxiosAdapter = async config => {
    const method = (config.method ?? 'get').toUpperCase()
    const called = patterns.find(entry => entry.method === method && entry.pattern.test(config.url ?? ''))
    const handler = called && (current[called.key] as Answering<EndpointKey> | undefined)
    const request = {
      key: called?.key,
      body: typeof config.data === 'string' ? JSON.parse(config.data) : config.data,
      query: { ...config.params },
      params: { ...called?.pattern.exec(config.url ?? '')?.groups },
      authorization: config.headers.get('Authorization')?.toString(),
      ifMatch: config.headers.get('If-Match')?.toString(),
      idempotencyKey: config.headers.get('Idempotency-Key')?.toString(),
      timeout: config.timeout,
    } as FakeRequest
    requests.push(request)
    if (!handler) throw new Error(`Nothing answers ${method} ${config.url}`)
    // Reports the progress of a download like a browser: half of the file has arrived.
    const expected = { getResponseHeader: () => '2000000' }
    config.onDownloadProgress?.({ loaded: 1_000_000, event: { target: expected } } as never)
    const { status, body, headers = {} } = await Promise.race([handler(request), abortOf(config.signal)])
    // The client gets a copy, as over a real connection.
    return { status, statusText: '', data: structuredClone(body), headers, config }
  }
  http.defaults.adapter = adapter
  return {
    requests,
    /** Returns the requests of one call so far. */
    of: <K extends EndpointKey>(key: K) => requests.filter(entry => entry.key === key) as FakeRequest<K>[],
    /** Replaces the responses of some calls from now on. */
    on(more: FakeHandlers) {
      Object.assign(current, more)
    },
  }
}
