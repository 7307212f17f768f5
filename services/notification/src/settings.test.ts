import { readSettings } from '@voxscribe/service'
import { notificationSettings } from './settings.ts'

const needed = {
  MONGO_URL: 'mongodb://127.0.0.1:1',
  SMTP_URL: 'smtp://127.0.0.1:25',
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_ACCESS_TOKEN: 'token',
}

test('when only what is needed is given, then the rest has defaults', () => {
  expect(readSettings(notificationSettings, needed)).toMatchObject({
    WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
    WHATSAPP_GRAPH_VERSION: 'v26.0',
    RATE_LIMIT_CONTACT: { points: 10, seconds: 3600 },
  })
})

test.each([
  [{ SMTP_URL: '' }, 'SMTP_URL: is needed'],
  [{ SMTP_URL: 'http://mail' }, 'SMTP_URL: must be an address such as smtp://'],
  [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM: must be such as'],
  [{ SUPPORT_EMAIL: 'help' }, 'SUPPORT_EMAIL: must be an e-mail address'],
  [{ WHATSAPP_PHONE_NUMBER_ID: '' }, 'WHATSAPP_PHONE_NUMBER_ID: is needed'],
  [{ TWILIO_ACCOUNT_SID: 'x' }, 'TWILIO_AUTH_TOKEN: is needed for Twilio'],
  [{ TELEGRAM_BOT_TOKEN: '1:x' }, 'TELEGRAM_WEBHOOK_SECRET: is needed for Telegram'],
  [{ TELEGRAM_BOT_TOKEN: 'x' }, 'TELEGRAM_BOT_TOKEN: must be a token of BotFather'],
  [{ WHATSAPP_GRAPH_URL: 'https://graph.facebook.com/v26.0' }, 'WHATSAPP_GRAPH_URL: must be an origin only'],
])('when %j is given, then the start stops with %s', (wrong, message) => {
  expect(() => readSettings(notificationSettings, { ...needed, ...wrong })).toThrow(message)
})
