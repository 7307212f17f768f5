import { api } from '@voxscribe/contracts/http'
import { defineService, implement } from '@voxscribe/service'
import { openDeps } from './deps.ts'
import { createErase } from './erase.ts'
import { createHandlers } from './handlers.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSettings } from './settings.ts'

/** Chat replies, e-mail, hooks, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: parts => {
    const { settings, rateLimits } = parts
    const deps = openDeps(parts)
    const { twilio, bot, hooks, typing, mailer, messages, numberOnOffer } = deps
    return {
      handlers: createHandlers(deps),
      erase: createErase(deps),
      routes: [
        ...notificationRoutes(messages, rateLimits('contact', settings.RATE_LIMIT_CONTACT)),
        implement(api.numberOnOffer, async () => ({ data: { number: await numberOnOffer() } })),
        implement(api.telegramBot, async () => ({ data: { url: (await bot?.url()) ?? null } })),
        implement(api.exportOfNotification, async ({ query: { userId } }) => ({
          data: { deliveries: await hooks.sentFor(userId) },
        })),
        ...hooks.routes,
      ],
      mount: app => twilio?.mount(app),
      jobs: [...hooks.jobs, ...(bot ? [bot.job] : [])],
      stopping() {
        typing.stop()
        hooks.stop()
      },
      async close() {
        await hooks.settled()
        await mailer.close()
      },
    }
  },
})
