import type { Envelope } from '@voxscribe/contracts/events'
import type { HookEvent } from '@voxscribe/contracts/http'
import type { Parts } from '@voxscribe/service'
import type { NotificationSettings } from '../settings.ts'
import { createDeliveries, presentDelivery } from './deliveries.ts'
import { createDelivering } from './delivering.ts'
import { hookRoutes } from './hook-routes.ts'
import { ADDRESSES, createHooks } from './hooks.ts'
import { createSend } from './send.ts'

/** Interval for due retries and for deliveries freed from dead processes; new ones start at once. */
const POLL_EVERY_MS = 2_000

/** Returns the routes, jobs and events of hooks. */
export function openHooks({
  settings,
  documents,
  rateLimits,
  log,
  closed,
}: Pick<Parts<NotificationSettings>, 'settings' | 'documents' | 'rateLimits' | 'log' | 'closed'>) {
  const now = () => new Date()
  const isPrivateAllowed = (url: string) =>
    settings.HOOKS_ALLOW_PRIVATE || settings.HOOKS_ALLOW_ORIGINS.includes(new URL(url).origin)
  const hooks = createHooks(documents, isPrivateAllowed, now, rateLimits('hook-addresses', ADDRESSES, true))
  const deliveries = createDeliveries(documents, hooks.model, now)
  const delivering = createDelivering({
    documents,
    hooks: hooks.model,
    deliveries,
    send: createSend({ isPrivateAllowed, timeoutMs: settings.HOOK_TIMEOUT }),
    leaseMs: settings.SEND_LEASE,
    closed,
    now,
    log,
  })
  const limit = rateLimits('hooks', settings.RATE_LIMIT_HOOKS)
  return {
    routes: hookRoutes({ hooks, deliveries, limit, look: delivering.look }),
    jobs: [{ name: 'deliver-to-hooks', everyMs: POLL_EVERY_MS, run: delivering.look, firstMs: 0 }],
    stop: delivering.stop,
    settled: delivering.settled,

    /** Sends a note's event to its owner's hooks. Idempotent per event. */
    async announce(
      type: HookEvent,
      event: Envelope<{ userId: string }>,
      data: { id: string } | undefined,
    ): Promise<void> {
      // Events of earlier versions have no item.
      if (!data) return
      if (await deliveries.announce(event.data.userId, type, event, data)) void delivering.look()
    },

    /** Returns everything sent to a person's hooks, with the addresses, newest first. */
    async sentFor(userId: string) {
      const urls = new Map((await hooks.of(userId)).map(({ _id, url }) => [_id, url]))
      return (await deliveries.allOf(userId)).map(delivery => {
        const { answer: _, ...sent } = presentDelivery(delivery)
        return { ...sent, url: urls.get(delivery.hookId) ?? '' }
      })
    },

    forgetNote: (noteId: string) => deliveries.forget({ noteId }),

    turnOffBefore: hooks.turnOffBefore,
  }
}
