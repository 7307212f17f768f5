import { REFUSAL_BYTES_MAX } from '@voxscribe/service'
import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios'

/** Opens a provider's API, whose refusals are answers. Calls take `timeoutMs` in all; axios' own limit is per byte. */
export function openProvider(config: CreateAxiosDefaults, timeoutMs: number): AxiosInstance {
  const api = axios.create({
    ...config,
    timeout: timeoutMs,
    maxRedirects: 0,
    // As for the providers whose libraries know of none.
    proxy: false,
    maxContentLength: REFUSAL_BYTES_MAX,
    validateStatus: () => true,
  })
  api.interceptors.request.use(request => ({ ...request, signal: AbortSignal.timeout(timeoutMs) }))
  return api
}
