import { api } from '@voxscribe/contracts/http'
import { defineService, deleteLeftovers, implement } from '@voxscribe/service'
import { openDeps } from './deps.ts'
import { createErase } from './erase.ts'
import { createHandlers } from './handlers.ts'
import { endWaiting } from './media/twilio-media.ts'
import { uploadRoute } from './media/upload-route.ts'
import { MESSENGERS } from './messengers.ts'
import { ingestionSettings } from './settings.ts'
import { createIntake } from './webhooks/accept.ts'

/** Receives voice notes from chats and uploads: finds the sender's account, checks the file and stores it. */
export const ingestionService = defineService({
  name: 'ingestion',
  settings: ingestionSettings,
  async build(parts) {
    const { settings, log } = parts
    const deps = openDeps(parts)
    const { media } = deps
    const intake = createIntake(deps, settings.SUPPORT_EMAIL, log, settings.TEXT_MODEL !== undefined)
    await deleteLeftovers()
    const everyMs = settings.RETENTION_CHECK_EVERY
    return {
      handlers: createHandlers(deps),
      erase: createErase(deps),
      routes: [
        uploadRoute(deps),
        implement(api.exportOfIngestion, async ({ query: { userId } }) => ({
          data: { senders: await deps.bindings.keysOf(userId) },
        })),
      ],
      mount: app => {
        for (const { mount } of Object.values(MESSENGERS)) mount(app, { ...deps, ...intake })
      },
      health: { 'media store': deps.blobs.health },
      jobs: [
        { name: 'end-waiting', everyMs, run: () => endWaiting(deps) },
        { name: 'retention', everyMs, run: media.expire },
        { name: 'delete-temporary-leftovers', everyMs, run: deleteLeftovers },
        { name: 'delete-stored-leftovers', everyMs, run: media.deleteLeftovers },
      ],
    }
  },
})
