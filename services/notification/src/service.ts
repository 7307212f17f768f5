import { api } from '@voxscribe/contracts/http'
import { defineService, implement } from '@voxscribe/service'
import { openTelegramApi } from '@voxscribe/service/telegram'
import { createNumberOnOffer } from './chat/numbers.ts'
import { openTelegram } from './chat/telegram.ts'
import { createTelegramBot } from './chat/telegram-bot.ts'
import { openTwilio } from './chat/twilio.ts'
import { openWhatsApp } from './chat/whatsapp.ts'
import { createErase } from './erase.ts'
import { createHandlers } from './handlers.ts'
import { openMailer } from './mail/mailer.ts'
import { createContactMessages, notificationRoutes } from './routes.ts'
import { createAnswers } from './sending/answers.ts'
import { createBalances } from './sending/balances.ts'
import { createOutbound, createSendClaims } from './sending/outbound.ts'
import { createPeople } from './sending/people.ts'
import { createPersonMails } from './sending/person-mails.ts'
import { createSendings } from './sending/sendings.ts'
import { createTyping, TYPING_MS } from './sending/typing.ts'
import { notificationSettings } from './settings.ts'
import { openHooks } from './webhooks/open-hooks.ts'

/** WhatsApp replies, e-mail, contact form. */
export const notificationService = defineService({
  name: 'notification',
  settings: notificationSettings,
  build: ({ settings, documents, rateLimits, log, closed }) => {
    const { PUBLIC_URL: publicUrl, SUPPORT_EMAIL: supportEmail, SANDBOX_URL: sandboxUrl } = settings
    // Without a broker there is no other process.
    const isAlone = !settings.RABBITMQ_URL
    const people = createPeople(documents)
    const sendings = createSendings(documents, settings.SEND_LEASE)
    const mailer = openMailer(settings.SMTP_URL, settings.MAIL_FROM)
    const twilio = settings.TWILIO_ACCOUNT_SID ? openTwilio(settings, documents, log) : undefined
    const telegram = settings.TELEGRAM_BOT_TOKEN
      ? openTelegramApi(settings, settings.CHAT_TIMEOUT)
      : undefined
    const bot = telegram && createTelegramBot(telegram, settings)
    const channels = {
      whatsapp: openWhatsApp(settings, log),
      ...(twilio && { twilio }),
      ...(telegram && { telegram: openTelegram(telegram, log) }),
    }
    const outbound = createOutbound({
      channels,
      mailer,
      sendings,
      ...(settings.MESSAGE_PRICES && { prices: settings.MESSAGE_PRICES }),
      log,
    })
    const mails = createPersonMails({ outbound, people, publicUrl })
    const answers = createAnswers({ documents, sendings, outbound, people, mails, publicUrl, isAlone })
    const claims = createSendClaims(documents)
    const typing = createTyping({
      show: outbound.markRead,
      everyMs: source => outbound.channelOf(source).typingMs ?? TYPING_MS,
      isOver: answers.isGiven,
    })
    const balanceOf = createBalances(settings.BILLING_URL)
    const hooks = openHooks({ settings, documents, rateLimits, log, closed })
    const messages = createContactMessages(documents)
    const hasTextModel = settings.TEXT_MODEL !== undefined
    const numberOnOffer = createNumberOnOffer(settings, people, log)
    const addresses = { publicUrl, supportEmail, sandboxUrl, numberOnOffer }
    const deps = {
      outbound,
      mails,
      answers,
      balanceOf,
      typing,
      people,
      claims,
      hooks,
      ...addresses,
      hasTextModel,
    }
    return {
      handlers: createHandlers(deps),
      erase: createErase({ ...deps, sendings, messages }),
      routes: [
        ...notificationRoutes(messages, rateLimits('contact', settings.RATE_LIMIT_CONTACT)),
        implement(api.numberOnOffer, async () => ({ data: { number: await numberOnOffer() } })),
        implement(api.telegramBot, async () => ({ data: { url: bot?.url() ?? null } })),
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
