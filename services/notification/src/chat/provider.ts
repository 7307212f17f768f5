import { REFUSAL_BYTES_MAX } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import type { AxiosInstance, CreateAxiosDefaults } from 'axios'

/** Opens a provider's API, whose refusals are responses. `timeoutMs` limits a whole call; axios' limit is per byte. */
export function openProvider(config: CreateAxiosDefaults, timeoutMs: number): AxiosInstance {
  const api = http.create({ ...config, timeout: timeoutMs, maxContentLength: REFUSAL_BYTES_MAX })
  api.interceptors.request.use(request => ({ ...request, signal: AbortSignal.timeout(timeoutMs) }))
  return api
}
