import { offerOf, type Parts } from '@voxscribe/service'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { createNumberOnOffer } from './chat/numbers.ts'
import { openTelegram } from './chat/telegram.ts'
import { createTelegramBot } from './chat/telegram-bot.ts'
import { openTwilio } from './chat/twilio.ts'
import { openWhatsApp } from './chat/whatsapp.ts'
import { openMailer } from './mail/mailer.ts'
import { createContactMessages } from './routes.ts'
import { createAnswers } from './sending/answers.ts'
import { createBalances } from './sending/balances.ts'
import { createOutbound, createSendClaims } from './sending/outbound.ts'
import { createPeople } from './sending/people.ts'
import { createPersonMails } from './sending/person-mails.ts'
import { createSendings } from './sending/sendings.ts'
import { createTyping, TYPING_MS } from './sending/typing.ts'
import type { NotificationSettings } from './settings.ts'
import { openHooks } from './webhooks/open-hooks.ts'

export type Deps = ReturnType<typeof openDeps>

/** Opens the dependencies of notification's handlers, calls and jobs. */
export function openDeps(parts: Parts<NotificationSettings>) {
  const { settings, documents, log } = parts
  const { PUBLIC_URL: publicUrl } = settings
  const people = createPeople(documents)
  const sendings = createSendings(documents, settings.SEND_LEASE)
  const mailer = openMailer(settings.SMTP_URL, settings.MAIL_FROM)
  const twilio = settings.TWILIO_ACCOUNT_SID ? openTwilio(settings, documents, log) : undefined
  const telegram = settings.TELEGRAM_BOT_TOKEN ? openTelegramApi(settings, settings.CHAT_TIMEOUT) : undefined
  const channels = {
    whatsapp: openWhatsApp(settings, log),
    twilio,
    telegram: telegram && openTelegram(telegram, log),
  }
  const outbound = createOutbound({ channels, mailer, sendings, prices: settings.MESSAGE_PRICES, log })
  const mails = createPersonMails({ outbound, people, publicUrl })
  const answers = createAnswers({ documents, sendings, outbound, people, mails, publicUrl })
  return {
    people,
    sendings,
    mailer,
    twilio,
    bot: telegram && createTelegramBot(telegram, settings),
    outbound,
    mails,
    answers,
    claims: createSendClaims(documents),
    typing: createTyping({
      show: outbound.markRead,
      everyMs: source => outbound.channelOf(source).typingMs ?? TYPING_MS,
      isOver: answers.isSent,
    }),
    balanceOf: createBalances(settings.BILLING_URL),
    hooks: openHooks(parts),
    messages: createContactMessages(documents),
    /** Digits of the number for new people; empty without one. */
    numberOnOffer: createNumberOnOffer(settings, people, log),
    publicUrl,
    passwords: !settings.OIDC_ONLY,
    /** The sign-up page, for unknown senders; unset unless `SIGN_UP` is `open`. */
    signupUrl: settings.SIGN_UP === 'open' ? `${publicUrl}/signup` : undefined,
    /** The sandbox's address for a browser, while it stands in for WhatsApp. */
    sandboxUrl: settings.SANDBOX_URL,
    supportEmail: settings.SUPPORT_EMAIL,
    /** Whether summaries and translations are offered. */
    hasTextModel: settings.TEXT_MODEL !== undefined,
    offer: offerOf(settings),
  }
}
