import { PATHS } from '@voxscribe/contracts/paths'
import { errorFrom, networkErrorFrom } from './errors.ts'
import type { Answered, DataFor, EndpointKey } from './types.ts'

export interface Parts {
  params?: Record<string, string>
  query?: object
  body?: unknown
  signal?: AbortSignal
  /** The version that a change was made to. */
  ifMatch?: number
  /** A file and its fields, in place of a body. */
  form?: FormData
  /** Repeated with the same key, the request takes effect once. */
  key?: string
  /** Called with the share that has been sent, 0 to 1. */
  onShare?(share: number): void
}

export interface Download {
  content: Blob
  fileName: string | undefined
}

/** Fetches a file, of the things that the body names if there is one; a refusal is read like any other answer. */
export async function fetchFile(path: string, accessToken: string | null, body?: object): Promise<Download> {
  const { http } = await import('./http.ts')
  const headers = accessToken ? { Authorization: `Bearer ${accessToken}` } : {}
  const response = await http
    .request<Blob>({ method: body ? 'POST' : 'GET', url: path, data: body, responseType: 'blob', headers })
    .catch(cause => {
      throw networkErrorFrom(cause)
    })
  if (response.status >= 300) throw errorFrom(response.status, await jsonIn(response.data))
  return { content: response.data, fileName: fileNameIn(String(response.headers['content-disposition'])) }
}

/** Returns undefined for a text that is not JSON, such as a proxy's error page. */
async function jsonIn(content: Blob): Promise<unknown> {
  try {
    return JSON.parse(await content.text())
  } catch {
    return undefined
  }
}

/** Returns the name in a `Content-Disposition` header (RFC 6266). */
function fileNameIn(disposition: string): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  const [, plain] = /filename="([^"]+)"/i.exec(disposition) ?? []
  return encoded ? decodeURIComponent(encoded) : plain
}

/** Sends a single request, without a session or a second try. The HTTP library is loaded with the first one. */
export async function send<K extends EndpointKey>(
  key: K,
  parts: Parts,
  accessToken: string | null,
): Promise<Answered<DataFor<K>>> {
  const [method, path] = PATHS[key]
  const { http } = await import('./http.ts')
  const response = await http
    .request({
      method,
      url: path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts.params?.[name] ?? '')),
      params: parts.query,
      data: parts.form ?? parts.body,
      signal: parts.signal,
      ...(parts.form && { timeout: 0, onUploadProgress: ({ progress = 0 }) => parts.onShare?.(progress) }),
      headers: {
        ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
        ...(parts.form && { 'Content-Type': 'multipart/form-data' }),
        ...(parts.key && { 'Idempotency-Key': parts.key }),
        ...(parts.ifMatch !== undefined && { 'If-Match': `"${parts.ifMatch}"` }),
      },
    })
    .catch(cause => {
      throw parts.signal?.aborted ? cause : networkErrorFrom(cause)
    })
  const answer: unknown = response.data
  const { success, data, message } = Object(answer)
  if (response.status >= 300 || success !== true) throw errorFrom(response.status, answer)
  return { data, message: typeof message === 'string' ? message : '', headers: response.headers }
}
