import { startManagement } from '@voxscribe/service'
import { silentLog } from '@voxscribe/service/testing'
import axios from 'axios'
import { openWhatsApp } from './whatsapp.ts'

test('when nothing was refused yet, then its alarms count from 0', async () => {
  openWhatsApp({
    graphUrl: 'http://127.0.0.1:1',
    version: 'v26.0',
    phoneNumberId: '1',
    accessToken: 'token',
    timeoutMs: 1_000,
    log: silentLog,
  })
  const management = await startManagement(0, '127.0.0.1')
  const { data } = await axios.get(`http://127.0.0.1:${management.port}/metrics`)
  expect(data).toContain('whatsapp_alarms_total{code="190"} 0')
  await management.close()
})
