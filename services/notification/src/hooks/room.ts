import type { Envelope } from '@voxscribe/contracts/events'
import type { HookEvent } from '@voxscribe/contracts/http'
import type { Documents, Logger, RateLimits } from '@voxscribe/service'
import type { NotificationSettings } from '../settings.ts'
import { createDeliveries } from './deliveries.ts'
import { createDelivering } from './delivering.ts'
import { hookRoutes } from './hook-routes.ts'
import { createHooks } from './hooks.ts'
import { createSend } from './send.ts'

/** What is added here is looked at at once; this finds what has become due, and what dead processes have left. */
const LOOK_EVERY_MS = 1_000

interface Deps {
  settings: NotificationSettings
  documents: Documents
  rateLimits: RateLimits
  log: Logger
}

export type HookRoom = ReturnType<typeof openHooks>

/** Opens the hooks: their calls, and the work on what they are sent. */
export function openHooks({ settings, documents, rateLimits, log }: Deps) {
  const now = () => new Date()
  const isPrivateAllowed = settings.HOOKS_ALLOW_PRIVATE
  const hooks = createHooks(documents, isPrivateAllowed, now)
  const deliveries = createDeliveries(documents, hooks.model, now)
  const delivering = createDelivering({
    hooks: hooks.model,
    deliveries,
    send: createSend({ isPrivateAllowed, timeoutMs: settings.HOOK_TIMEOUT }),
    leaseMs: settings.SEND_LEASE,
    now,
    log,
  })
  const limit = rateLimits('hooks', settings.RATE_LIMIT_HOOKS)
  return {
    routes: hookRoutes({ hooks, deliveries, limit, look: delivering.look }),
    jobs: [{ name: 'deliver-to-hooks', everyMs: LOOK_EVERY_MS, run: delivering.lookAround }],
    stop: delivering.stop,
    settled: delivering.settled,

    /** Sends a person's hooks what has happened to a note; once for an event. */
    async announce(
      type: HookEvent,
      event: Envelope<{ userId: string }>,
      data: { id: string } | undefined,
    ): Promise<void> {
      // Events of before this had no item.
      if (!data) return
      await deliveries.announce(event.data.userId, type, event, data)
      void delivering.look()
    },

    /** Forgets what hooks were, or are to be, told of a note. */
    forgetNote: (noteId: string) => deliveries.forget({ noteId }),

    /** Removes a person's hooks, with all that was sent to them. */
    async erase(userId: string): Promise<void> {
      await hooks.model.deleteMany({ userId })
      await deliveries.forget({ userId })
    },
  }
}
