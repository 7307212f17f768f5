import { api, type DataOf } from '@voxscribe/contracts/http'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { CURRENCY, PLANS } from '@voxscribe/contracts/plans'
import { chatUrlOf, hasPasskeys, implement, offerOf, type Route } from '@voxscribe/service'
import type { Peers } from './peers.ts'
import type { GatewaySettings } from './settings.ts'

const DAY_MS = 86_400_000

const NONE: DataOf<typeof api.speech> = {
  engines: [],
  languages: [],
  speakers: false,
  preview: false,
  try: false,
  textModel: false,
}

/** Settings of the web application, so that its build needs none. */
export function configRoute(settings: GatewaySettings, peers: Peers): Route {
  const { SANDBOX_URL: sandboxUrl } = settings
  let priceId = ''
  let telegramUrl: string | null = null
  return implement(api.config, async () => {
    const [offer, bot, heard, onOffer] = await Promise.all([
      priceId ? undefined : peers.ask(api.priceOnOffer, {}, {}),
      telegramUrl ? undefined : peers.ask(api.telegramBot, {}, {}),
      // A model may be added or removed at any time.
      peers.ask(api.speech, {}, {}),
      peers.ask(api.numberOnOffer, {}, {}),
    ])
    // Billing may still be creating the price, and Telegram naming the bot; once known, neither changes.
    priceId ||= offer?.priceId ?? ''
    telegramUrl ??= bot?.url ?? null
    const { textModel, preview, try: takesTries, ...speech } = heard ?? NONE
    const number = onOffer?.number || settings.WHATSAPP_NUMBER
    return {
      data: {
        whatsappNumber: number,
        chatUrl: chatUrlOf(number, sandboxUrl),
        telegramUrl,
        sandbox: Boolean(sandboxUrl),
        priceId,
        supportEmail: settings.SUPPORT_EMAIL,
        maxFileBytes: MAX_FILE_BYTES,
        retentionDays: settings.RETENTION_DAYS,
        deadLetterDays: Math.ceil(settings.DEAD_LETTER_TTL / DAY_MS),
        ...offerOf(settings),
        paidMinutes: PLANS.monthly.minutes,
        price: PLANS.monthly.cents / 100,
        currency: CURRENCY,
        signIn: {
          passwords: !settings.OIDC_ONLY,
          oidc: settings.OIDC_NAME ?? null,
          signUp: settings.SIGN_UP,
          passkeys: hasPasskeys(settings.PUBLIC_URL),
        },
        legal: {
          privacy: settings.PRIVACY_URL ?? null,
          terms: settings.TERMS_URL ?? null,
          cookies: settings.COOKIES_URL ?? null,
        },
        speech,
        textModel,
        preview,
        try: takesTries,
      },
    }
  })
}
