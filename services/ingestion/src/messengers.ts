import type { MessengerName } from '@voxscribe/contracts/channels'
import type { Express } from 'express'
import type { Deps, FetchMedia } from './deps.ts'
import { fetchFromTelegram } from './media/telegram-media.ts'
import { deleteAtTwilio, fetchFromTwilio } from './media/twilio-media.ts'
import { fetchFromWhatsApp } from './media/whatsapp-media.ts'
import type { Intake } from './webhooks/accept.ts'
import { mountTelegram } from './webhooks/telegram-webhook.ts'
import { mountTwilio } from './webhooks/twilio-webhook.ts'
import { mountWhatsApp } from './webhooks/whatsapp-webhook.ts'

interface Messenger {
  /** Serves its webhook, if configured. */
  mount(app: Express, deps: Deps & Intake): void
  fetch: FetchMedia
  /** Deletes the messenger's copy of media. Idempotent. */
  delete?(deps: Deps, mediaId: string): Promise<void>
}

export const MESSENGERS: Record<MessengerName, Messenger> = {
  whatsapp: { mount: mountWhatsApp, fetch: fetchFromWhatsApp },
  twilio: { mount: mountTwilio, fetch: fetchFromTwilio, delete: deleteAtTwilio },
  telegram: { mount: mountTelegram, fetch: fetchFromTelegram },
}
