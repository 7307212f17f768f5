import { endpoints } from './endpoints.ts'
import { errorFrom, networkErrorFrom } from './errors.ts'
import type { Answered, DataFor, EndpointKey } from './types.ts'

interface Parts {
  params?: Record<string, string>
  query?: object
  body?: unknown
  signal?: AbortSignal
  /** The version that a change was made to. */
  ifMatch?: number
}

/** One request, as it is: no session, no second try. The HTTP library comes with the first one. */
export async function send<K extends EndpointKey>(
  key: K,
  parts: Parts,
  accessToken: string | null,
): Promise<Answered<DataFor<K>>> {
  const [method, path] = endpoints[key]
  const { http } = await import('./http.ts')
  const response = await http
    .request({
      method,
      url: path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts.params?.[name] ?? '')),
      params: parts.query,
      data: parts.body,
      signal: parts.signal,
      headers: {
        ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
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
