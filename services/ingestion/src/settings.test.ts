import { readSettings } from '@voxscribe/service'
import { ingestionSettings } from './settings.ts'

const env = {
  MONGO_URL: 'mongodb://127.0.0.1',
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_ACCESS_TOKEN: 't',
  WHATSAPP_APP_SECRET: 's',
  WHATSAPP_VERIFY_TOKEN: 'v',
}

test('when only what is needed is set, then the rest has its usual value', () => {
  expect(readSettings(ingestionSettings, env)).toMatchObject({
    WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
    WHATSAPP_GRAPH_VERSION: 'v26.0',
    WHATSAPP_MEDIA_HOSTS: ['*.fbsbx.com', '*.whatsapp.net'],
    TWILIO_API_URL: 'https://api.twilio.com',
    RETENTION_DAYS: 30,
    MEDIA_DOWNLOAD_TIMEOUT: 60_000,
    MEDIA_IDLE_TIMEOUT: 15_000,
  })
})

test('when settings are wrong, then each is named', () => {
  const wrong = {
    WHATSAPP_GRAPH_URL: 'https://graph.facebook.com/v26.0',
    WHATSAPP_MEDIA_HOSTS: 'https://fbsbx.com',
    RETENTION_DAYS: '0',
    MEDIA_IDLE_TIMEOUT: '15',
  }
  const read = () => readSettings(ingestionSettings, wrong)
  const needed = ['MONGO_URL', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN']
  for (const name of [...Object.keys(wrong), ...needed]) expect(read).toThrow(`${name}: `)
})

test('when only half of Twilio is set, then the other half is asked for', () => {
  const read = (half: object) => () => readSettings(ingestionSettings, { ...env, ...half })
  expect(read({ TWILIO_ACCOUNT_SID: 'AC1' })).toThrow('TWILIO_AUTH_TOKEN: is needed for Twilio')
  expect(read({ TWILIO_AUTH_TOKEN: 'x' })).toThrow('TWILIO_ACCOUNT_SID: is needed for Twilio')
})

test('when Telegram has no secret, then it is asked for', () => {
  const read = () => readSettings(ingestionSettings, { ...env, TELEGRAM_BOT_TOKEN: '1:x' })
  expect(read).toThrow('TELEGRAM_WEBHOOK_SECRET: is needed for Telegram')
})
