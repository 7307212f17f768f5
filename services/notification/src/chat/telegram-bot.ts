import { setTimeout as wait } from 'node:timers/promises'
import { type I18n, UI_LANGUAGES } from '@voxscribe/languages'
import { commandFor, INTENTS } from '@voxscribe/languages/chat'
import { i18nFor } from '@voxscribe/languages/node'
import { type Job, type Offer, offerOf, openOnce } from '@voxscribe/service'
import type { TelegramApi } from '@voxscribe/service/telegram'
import type { NotificationSettings } from '../settings.ts'

/** Delayed until after startup, because loading the client and making ten calls takes 40 ms. */
const FIRST_MS = 1_000
/** Interval until Telegram has responded; after that, the job has nothing to do. */
const AGAIN_MS = 60_000
const UPDATES = ['message', 'edited_message', 'callback_query'] as const
/** How long a page waits for the bot's name while Telegram is unavailable. */
const NAME_MS = 1_000
/** Parallel webhooks; others wait at Telegram. */
const CONNECTIONS = 40

/** The menu's commands, with descriptions in the app's language; the command words are the same in every language. */
const menuOf = (i18n: I18n, { freeMinutes }: Offer) =>
  INTENTS.flatMap(command => {
    const { menu } = commandFor(command)
    const isNeeded = command !== 'minutes' || freeMinutes !== null
    return menu && isNeeded ? [{ command, description: i18n.t(menu) }] : []
  })

/** Sets up the bot at Telegram: its name, the address for its updates, and its menu in every language. */
export function createTelegramBot(telegram: TelegramApi, settings: NotificationSettings) {
  const { PUBLIC_URL: publicUrl, TELEGRAM_WEBHOOK_SECRET: secret_token = '' } = settings
  const nameOf = openOnce(async () => (await telegram.ask(api => api.getMe())).username)
  let isIntroduced = false

  async function introduce(): Promise<void> {
    if (isIntroduced) return
    await nameOf()
    // Telegram only calls https addresses; without one, the doctor explains how to set the webhook.
    if (publicUrl.startsWith('https:')) {
      const url = `${publicUrl}/webhooks/telegram`
      const webhook = { url, secret_token, allowed_updates: UPDATES, max_connections: CONNECTIONS }
      await telegram.ask(api => api.setWebhook(webhook))
    }
    for (const language of UI_LANGUAGES) {
      const menu = {
        commands: menuOf(i18nFor(language), offerOf(settings)),
        ...(language !== 'en' && { language_code: language }),
      }
      await telegram.ask(api => api.setMyCommands(menu))
    }
    isIntroduced = true
  }

  return {
    /** Resolves with the address that opens the chat; null while Telegram hasn't returned the bot's name. */
    async url(): Promise<string | null> {
      const late = wait(NAME_MS, undefined, { ref: false })
      const name = await Promise.race([nameOf().catch(() => undefined), late])
      return name ? `${settings.TELEGRAM_CHAT_URL}/${name}` : null
    },
    job: {
      name: 'introduce-telegram-bot',
      everyMs: AGAIN_MS,
      firstMs: FIRST_MS,
      run: introduce,
    } satisfies Job,
  }
}
