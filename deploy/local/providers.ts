import { type Part, refuseInPublic, SANDBOX_PRICE_ID, startSandbox } from '@voxscribe/sandbox'
import type { Environment, Logger } from '@voxscribe/service'
import { sandboxSecrets } from './secrets.ts'
import type { LocalSettings } from './settings.ts'

/** Simulates every provider without real settings. Returns undefined if none is simulated, as with `SANDBOX=off`. */
export async function startProviders(settings: LocalSettings, env: Environment, log: Logger) {
  if (!settings.SANDBOX) return undefined
  const secrets = sandboxSecrets(settings.DATA_DIR)
  const whatsapp =
    settings.WHATSAPP_ACCESS_TOKEN || settings.WHATSAPP_GRAPH_URL ? undefined : whatsappLine(env, secrets)
  // Only together with WhatsApp's: an installation with a real WhatsApp doesn't need a messenger it didn't ask for.
  const telegram =
    whatsapp && !settings.TELEGRAM_BOT_TOKEN
      ? { token: `1:${secrets.telegramToken}`, secret: secrets.telegramSecret, username: 'voxscribe_bot' }
      : undefined
  const stripe =
    settings.STRIPE_SECRET_KEY || settings.STRIPE_API_URL
      ? undefined
      : { secretKey: secrets.stripeKey, webhookSecret: env.STRIPE_WEBHOOK_SECRET || secrets.stripeWebhook }
  const mail = settings.SMTP_URL ? undefined : { smtpPort: 0 }
  const parts = Object.entries({ whatsapp, stripe, mail }).flatMap(([part, on]) => (on ? [part as Part] : []))
  if (!parts.length) return undefined
  const publicUrl = settings.PUBLIC_URL || `http://localhost:${settings.PORT}`
  refuseInPublic(publicUrl, parts, env, env.SANDBOX === 'on')

  const sandbox = await startSandbox({
    host: settings.SANDBOX_HOST,
    port: settings.SANDBOX_PORT,
    dataDir: `${settings.DATA_DIR}/sandbox`,
    appUrl: `http://127.0.0.1:${settings.PORT}`,
    // Sign-ins are kept per origin, so the link must use the address in the person's browser.
    appPublicUrl: publicUrl,
    log,
    whatsapp,
    telegram,
    stripe,
    mail,
  })
  return {
    simulated: Object.entries({ WhatsApp: whatsapp, Telegram: telegram, Stripe: stripe, mail }).flatMap(
      ([name, on]) => (on ? [name] : []),
    ),
    url: sandbox.url,
    stop: sandbox.stop,
    /** Settings with which the services reach them. */
    env: {
      ...(whatsapp && {
        WHATSAPP_NUMBER: whatsapp.number,
        WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
        WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
        WHATSAPP_APP_SECRET: whatsapp.appSecret,
        WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
        WHATSAPP_GRAPH_URL: sandbox.graphUrl,
        SANDBOX_URL: sandbox.url,
      }),
      ...(telegram && {
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_WEBHOOK_SECRET: telegram.secret,
        TELEGRAM_API_URL: sandbox.telegramUrl,
        TELEGRAM_CHAT_URL: `${sandbox.url}/t.me`,
      }),
      ...(stripe && {
        STRIPE_SECRET_KEY: stripe.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
        STRIPE_API_URL: sandbox.stripeUrl,
        STRIPE_PRICE_ID: SANDBOX_PRICE_ID,
      }),
      ...(mail && { SMTP_URL: sandbox.smtpUrl }),
      HOOKS_ALLOW_ORIGINS: sandbox.origins.join(),
    },
  }
}

/** Returns the simulated number. Each setting may be given without a Meta account; the others are made up once. */
const whatsappLine = (env: Environment, secrets: ReturnType<typeof sandboxSecrets>) => ({
  number: (env.WHATSAPP_NUMBER || '15550783881').replace(/\D/g, ''),
  phoneNumberId: env.WHATSAPP_PHONE_NUMBER_ID || '106540352242922',
  moreNumberIds: env.WHATSAPP_PHONE_NUMBER_IDS?.match(/\d+/g) ?? [],
  accessToken: secrets.accessToken,
  appSecret: env.WHATSAPP_APP_SECRET || secrets.appSecret,
  verifyToken: env.WHATSAPP_VERIFY_TOKEN || secrets.verifyToken,
})
