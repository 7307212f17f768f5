import { type Check, check, ok, onlyWith, wrong } from '@voxscribe/service'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { openTwilioAccount } from './chat/twilio.ts'
import { whatsappChecks } from './chat/whatsapp-checks.ts'
import { openMailer } from './mail/mailer.ts'
import type { NotificationSettings } from './settings.ts'

const TIMEOUT_MS = 10_000

/** Checks for the doctor. */
export const checks = (settings: Parameters<typeof whatsappChecks>[0]): Check[] => [
  ...onlyWith('WHATSAPP_ACCESS_TOKEN', 'the sandbox stands in', ...whatsappChecks(settings)),
  ...onlyWith('TWILIO_ACCOUNT_SID', 'Twilio is off', twilioCheck(settings)),
  ...onlyWith('TELEGRAM_BOT_TOKEN', 'Telegram is off', ...telegramChecks(settings)),
  ...onlyWith('SMTP_URL', 'the sandbox stands in', mailCheck(settings)),
]

function twilioCheck(settings: NotificationSettings): Check {
  const { TWILIO_ACCOUNT_SID: accountSid } = settings
  const next = 'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN from the first page of Twilio’s console.'
  return check('twilio', next, async () => {
    const { status, data } = await openTwilioAccount(settings, TIMEOUT_MS).get('/Messages.json?PageSize=1')
    if (status < 300) return ok(`account ${accountSid} takes the token`)
    return wrong(`Twilio answers ${status}, code ${data?.code}`, next)
  })
}

function telegramChecks(settings: NotificationSettings): Check[] {
  const url = `${settings.PUBLIC_URL}/webhooks/telegram`
  const newToken = 'Set TELEGRAM_BOT_TOKEN to the token that @BotFather gave for the bot.'
  const restart = `Restart notification with PUBLIC_URL set to an https address: it sets the webhook to ${url}.`
  const telegram = openTelegramApi(settings, TIMEOUT_MS)

  async function lookAtWebhook() {
    const { url: set, last_error_message: failed } = await telegram.ask(api => api.getWebhookInfo())
    if (set !== url) return wrong(`updates go to ${set || 'nowhere'}`, restart)
    return failed ? wrong(`Telegram could not deliver: ${failed}`, restart) : ok(`updates go to ${url}`)
  }

  return [
    check('telegram', newToken, async () => ok(`@${(await telegram.ask(api => api.getMe())).username}`)),
    check('telegram-webhook', restart, lookAtWebhook, 'public-url', 'telegram'),
  ]
}

function mailCheck({ SMTP_URL: smtpUrl, MAIL_FROM: from }: NotificationSettings): Check {
  const next = 'Set SMTP_URL to smtp://USER:PASSWORD@HOST:587 as your mail provider states it.'
  return check('smtp', next, async () => {
    const mailer = openMailer(smtpUrl, from)
    await mailer.verify().finally(() => mailer.close())
    return ok(`${new URL(smtpUrl).host} signs us in; mails come from ${from}`)
  })
}
