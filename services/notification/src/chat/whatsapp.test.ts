import { readSettings, startManagement } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import axios from 'axios'
import { notificationSettings } from '../settings.ts'
import { openWhatsApp } from './whatsapp.ts'

test('when nothing was refused yet, then its alarms count from 0', async () => {
  openWhatsApp(
    readSettings(notificationSettings, {
      MONGO_URL: 'mongodb://127.0.0.1:1',
      SMTP_URL: 'smtp://127.0.0.1',
      WHATSAPP_PHONE_NUMBER_ID: '1',
      WHATSAPP_ACCESS_TOKEN: 'token',
    }),
    silentLog,
  )
  const management = await startManagement(0, '127.0.0.1')
  const { data } = await axios.get(`http://127.0.0.1:${management.port}/metrics`)
  expect(data).toContain('whatsapp_alarms_total{code="190"} 0')
  await management.close()
})
