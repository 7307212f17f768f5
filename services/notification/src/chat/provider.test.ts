import { serve } from '@voxscribe/service/testing'
import { openTwilioAccount } from './twilio.ts'
import { openGraph } from './whatsapp.ts'

const whatsapp = { WHATSAPP_GRAPH_VERSION: 'v25.0', WHATSAPP_ACCESS_TOKEN: 'token' }
const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token' }

test.each([
  ['WhatsApp', (url: string) => openGraph({ ...whatsapp, WHATSAPP_GRAPH_URL: url }, 200)],
  ['Twilio', (url: string) => openTwilioAccount({ ...twilio, TWILIO_API_URL: url }, 200)],
])('when %s answers a byte at a time, then the call ends in time', async (_, open) => {
  const server = await serve((_request, response) => {
    const trickle = setInterval(() => response.write(' '), 50)
    // A bounded call ends long before this.
    const whole = setTimeout(() => response.end(), 5_000)
    response.once('close', () => {
      clearInterval(trickle)
      clearTimeout(whole)
    })
  })
  const api = open(server.url)
  await expect(api.post('/messages', 'hello')).rejects.toThrow()
  await server.stop()
})
