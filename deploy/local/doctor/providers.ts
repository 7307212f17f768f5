import { CURRENCY, INTERVAL, PRICE_CENTS } from '@voxscribe/contracts/plans'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { openStripe } from '../../../services/billing/src/stripe/calls.ts'
import { STRIPE_VERSION } from '../../../services/billing/src/stripe/version.ts'
import { openTwilioAccount } from '../../../services/notification/src/chat/twilio.ts'
import { openMailer } from '../../../services/notification/src/mail/mailer.ts'
import { type Check, check, ok, wrong } from './check.ts'
import type { DoctorSettings } from './settings.ts'

const TIMEOUT_MS = 10_000
/** Events without which a plan or a payment would be wrong; docs/providers.md has all. */
const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
]

/** Versions of a release differ in their dates, and have objects of one shape. */
const isOfRelease = (version: string) => version.split('.')[1] === STRIPE_VERSION.split('.')[1]

export function twilioCheck(settings: DoctorSettings): Check {
  const { TWILIO_ACCOUNT_SID: accountSid } = settings
  const next = 'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN from the first page of Twilio’s console.'
  return check('twilio', next, async () => {
    const { status, data } = await openTwilioAccount(settings, TIMEOUT_MS).get('/Messages.json?PageSize=1')
    if (status < 300) return ok(`account ${accountSid} takes the token`)
    return wrong(`Twilio answers ${status}, code ${data?.code}`, next)
  })
}

export function telegramChecks(settings: DoctorSettings): Check[] {
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

export function stripeChecks(settings: DoctorSettings): Check[] {
  const {
    STRIPE_SECRET_KEY: secretKey = '',
    STRIPE_API_URL: apiUrl,
    STRIPE_PRICE_ID: priceId = '',
  } = settings
  // A call is tried twice.
  const stripe = () => openStripe({ secretKey, apiUrl, timeoutMs: TIMEOUT_MS / 2 })
  const url = `${settings.PUBLIC_URL}/webhooks/stripe`
  const newPrice = `Make a price of ${PRICE_CENTS / 100} ${CURRENCY.toUpperCase()} a ${INTERVAL} (Product catalogue), and set STRIPE_PRICE_ID to its id.`
  const newWebhook = `In Workbench → Webhooks, send the events of docs/providers.md to ${url}, in API version ${STRIPE_VERSION}.`

  async function lookAtPrice() {
    const { active, unit_amount, currency, recurring } = await (await stripe()).prices.retrieve(priceId)
    const saw = `${active ? '' : 'archived, '}${(unit_amount ?? 0) / 100} ${currency} a ${recurring?.interval}`
    const isRight = saw === `${PRICE_CENTS / 100} ${CURRENCY} a ${INTERVAL}`
    return isRight ? ok(saw) : wrong(saw, newPrice)
  }

  async function lookAtWebhook() {
    const { data } = await (await stripe()).webhookEndpoints.list({ limit: 100 })
    const found = data.find(endpoint => endpoint.url === url && endpoint.status === 'enabled')
    if (!found) return wrong(`none of ${data.length} is enabled and goes to ${url}`, newWebhook)
    const sent = new Set<string>(found.enabled_events)
    const missing = sent.has('*') ? [] : EVENTS.filter(event => !sent.has(event))
    if (missing.length) return wrong(`it lacks ${missing.join(', ')}`, newWebhook)
    const version = found.api_version ?? 'the account’s default'
    return isOfRelease(version) ? ok(`it goes to ${url}`) : wrong(`its API version is ${version}`, newWebhook)
  }

  const newKey = `Set STRIPE_SECRET_KEY from Developers → API keys. ${newPrice}`
  return [
    check('stripe-price', newKey, lookAtPrice),
    check('stripe-webhook', newWebhook, lookAtWebhook, 'public-url', 'stripe-price'),
  ]
}

export function mailCheck({ SMTP_URL: smtpUrl, MAIL_FROM: from }: DoctorSettings): Check {
  const next = 'Set SMTP_URL to smtp://USER:PASSWORD@HOST:587 as your mail provider states it.'
  return check('smtp', next, async () => {
    const mailer = openMailer(smtpUrl, from)
    await mailer.verify().finally(() => mailer.close())
    return ok(`${new URL(smtpUrl).host} signs us in; mails come from ${from}`)
  })
}
