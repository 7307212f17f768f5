import { isSame, keepRawBody, refusal, refuseOtherMethods, timedWebhook } from '@voxscribe/service'
import type { TelegramApi } from '@voxscribe/service/telegram'
import type { Express } from 'express'
import { rawBodyOf, type WebhookDeps } from './requests.ts'
import { readUpdate } from './telegram-update.ts'

interface Deps extends WebhookDeps {
  telegram: TelegramApi
}

/** `POST /webhooks/telegram`, if there is a bot. Accepts updates that can't be parsed, as Telegram would retry them. */
export function mountTelegram(app: Express, { settings, telegram, accept, log }: Deps): void {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: secret = '' } = settings
  if (!token) return
  app.post(
    '/webhooks/telegram',
    timedWebhook('telegram'),
    (request, _response, next) => {
      // Checked before the body is read.
      if (!isSame(request.get('x-telegram-bot-api-secret-token') ?? '', secret)) throw refusal('unauthorized')
      next()
    },
    keepRawBody,
    async (request, response) => {
      const update = readUpdate(rawBodyOf(request), telegram.bot)
      if (!update) log.warn('a Telegram update was not a message')
      else await accept(update.message)
      response.type('text/plain').send('OK')
      const { callbackId: callback_query_id } = update ?? {}
      if (!callback_query_id) return
      // A courtesy: the button stops showing progress.
      await telegram
        .ask(api => api.answerCallbackQuery({ callback_query_id }))
        .catch(err => log.debug({ err }, 'could not answer a pressed button'))
    },
  )
  refuseOtherMethods(app, '/webhooks/telegram', ['POST'])
}
