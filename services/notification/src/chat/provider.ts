import { REFUSAL_BYTES_MAX } from '@voxscribe/service'
import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios'

/**
 * Opens the HTTP API of a provider. A call takes `timeoutMs` in all: the client's own limit starts again with each byte of
 * the answer. The caller reads refusals, too.
 */
export function openProvider(config: CreateAxiosDefaults, timeoutMs: number): AxiosInstance {
  const api = axios.create({
    ...config,
    timeout: timeoutMs,
    maxRedirects: 0,
    maxContentLength: REFUSAL_BYTES_MAX,
    validateStatus: () => true,
  })
  api.interceptors.request.use(request => ({ ...request, signal: AbortSignal.timeout(timeoutMs) }))
  return api
}
