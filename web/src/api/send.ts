import type { DataFor, EndpointKey } from '@voxscribe/contracts/calls'
import { PATHS, SLOW_CALLS } from '@voxscribe/contracts/paths'
import { errorFrom, networkErrorFrom } from './errors.ts'

export interface Parts {
  params?: Record<string, string>
  query?: object
  body?: unknown
  signal?: AbortSignal
  /** The version that the change is based on. */
  ifMatch?: number
  /** A file and its fields, instead of a body. */
  form?: FormData
  /** A file that is the whole body. */
  file?: Blob
  /** Idempotency key: repeated with the same key, the request takes effect once. */
  key?: string
  /** Called with the share sent so far, 0 to 1. */
  onShare?(share: number): void
  /** Set if the response is a file, which the browser keeps on disk when it is large. */
  responseType?: 'blob'
  /** Called with the bytes received so far and the approximate total, NaN if unknown. */
  onBytes?(received: number, expected: number): void
}

export interface Answered<Data> {
  data: Data
  message: string
  headers: Record<string, unknown>
}

export interface Download {
  content: Blob
  fileName: string | undefined
}

/** Fetches a file. A refusal is parsed like any other response. */
export async function fetchFile(
  key:
    | 'exportTranscription'
    | 'exportConversation'
    | 'exportTranscriptions'
    | 'exportAccount'
    | 'quoteTranscription',
  parts: Parts,
  accessToken: string | null,
): Promise<Download> {
  const { status, data, headers } = await request(key, { ...parts, responseType: 'blob' }, accessToken)
  // A proxy's error page isn't JSON.
  if (status >= 300)
    throw errorFrom(
      status,
      await data
        .text()
        .then(JSON.parse)
        .catch(() => undefined),
      headers['retry-after'],
    )
  const { parse } = await import('content-disposition')
  return {
    content: data,
    fileName: parse(String(headers['content-disposition'])).parameters.filename || undefined,
  }
}

/** Sends a single request, without a session or a retry. */
export async function send<K extends EndpointKey>(
  key: K,
  parts: Parts,
  accessToken: string | null,
): Promise<Answered<DataFor<K>>> {
  const { status, data: answer, headers } = await request(key, parts, accessToken)
  const { success, data, message } = Object(answer)
  if (status >= 300 || success !== true) throw errorFrom(status, answer, headers['retry-after'])
  return { data, message: typeof message === 'string' ? message : '', headers }
}

const isSlow = (key: EndpointKey): boolean => SLOW_CALLS.some(call => call === key)

/** Loads the HTTP library with the first request; a failure to load it means that there is no network. */
async function request(key: EndpointKey, parts: Parts, accessToken: string | null) {
  const [method, path] = PATHS[key]
  const { http } = await import('./http.ts').catch(cause => {
    throw networkErrorFrom(cause)
  })
  return http
    .request({
      method,
      url: path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts.params?.[name] ?? '')),
      params: parts.query,
      data: parts.form ?? parts.file ?? parts.body,
      signal: parts.signal,
      responseType: parts.responseType,
      // Transfers of files take as long as the connection needs.
      ...((parts.form || parts.responseType || isSlow(key)) && { timeout: 0 }),
      onDownloadProgress: ({ loaded, event }) =>
        parts.onBytes?.(loaded, Number(event?.target.getResponseHeader('x-expected-bytes') ?? Number.NaN)),
      ...(parts.form && { onUploadProgress: ({ progress = 0 }) => parts.onShare?.(progress) }),
      headers: {
        ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
        ...(parts.form && { 'Content-Type': 'multipart/form-data' }),
        ...(parts.file && { 'Content-Type': parts.file.type }),
        ...(parts.key && { 'Idempotency-Key': parts.key }),
        ...(parts.ifMatch !== undefined && { 'If-Match': `"${parts.ifMatch}"` }),
      },
    })
    .catch(cause => {
      throw parts.signal?.aborted ? cause : networkErrorFrom(cause)
    })
}
