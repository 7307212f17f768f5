import type { Documents, RateLimits } from '@voxscribe/service'
import type { NotificationSettings } from '../settings.ts'
import { createDeliveries } from './deliveries.ts'
import { hookRoutes } from './hook-routes.ts'
import { createHooks } from './hooks.ts'

interface Deps {
  settings: NotificationSettings
  documents: Documents
  rateLimits: RateLimits
}

/** Opens the hooks: their calls, and what is delivered to them. */
export function openHooks({ settings, documents, rateLimits }: Deps) {
  const now = () => new Date()
  const hooks = createHooks(documents, settings.HOOKS_ALLOW_PRIVATE, now)
  const deliveries = createDeliveries(documents, hooks.model, now)
  const limit = rateLimits('hooks', settings.RATE_LIMIT_HOOKS)
  return {
    routes: hookRoutes({ hooks, deliveries, limit, look: () => {} }),
  }
}
