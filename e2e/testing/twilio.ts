import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { serve } from '@voxscribe/messaging/testing'
import axios from 'axios'

const ACCOUNT = 'AC1'
const TOKEN = 'token'
const NUMBER = '+14155238886'
const settingsAt = (origin: string) => ({
  TWILIO_ACCOUNT_SID: ACCOUNT,
  TWILIO_AUTH_TOKEN: TOKEN,
  TWILIO_WHATSAPP_NUMBER: NUMBER,
  TWILIO_API_URL: origin,
})

/** Settings of an account that can't be reached. */
export const UNREACHED_TWILIO = settingsAt('http://127.0.0.1:9')

/** Returns the signature header of a webhook with this form. */
export function twilioSignature(appUrl: string, form: string) {
  const fields = [...new URLSearchParams(form)].sort(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${appUrl}/webhooks/twilio${fields.flat().join('')}`
  return { 'x-twilio-signature': createHmac('sha1', TOKEN).update(signed).digest('base64') }
}

export type Twilio = Awaited<ReturnType<typeof startTwilio>>

/** Starts a stand-in for a Twilio account, which serves the files of people's notes and accepts the answers. */
export async function startTwilio() {
  const files = new Map<string, Buffer>()
  const sent: Record<string, string>[] = []
  const server = await serve(async (request, response) => {
    const { method, url = '' } = request
    const file = files.get(url)
    if (method === 'POST') {
      sent.push(Object.fromEntries(new URLSearchParams(await text(request))))
      response.writeHead(201, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ sid: `SM${randomUUID()}`, status: 'queued' }))
    }
    response.writeHead(file ? 200 : 404, { 'content-type': 'audio/ogg' }).end(file)
  })
  return {
    settings: settingsAt(server.url),
    /** Returns the texts sent to a number (digits). */
    textsTo: (number: string) =>
      sent.filter(({ To }) => To === `whatsapp:+${number}`).map(({ Body = '' }) => Body),
    async sendNote(appUrl: string, number: string, path: string): Promise<void> {
      const media = `/2010-04-01/Accounts/${ACCOUNT}/Media/ME${randomUUID()}`
      files.set(media, await readFile(path))
      const form = new URLSearchParams({
        MessageSid: `MM${randomUUID()}`,
        AccountSid: ACCOUNT,
        From: `whatsapp:+${number}`,
        To: `whatsapp:${NUMBER}`,
        Body: '',
        NumMedia: '1',
        MediaUrl0: `${server.url}${media}`,
        MediaContentType0: 'audio/ogg',
      }).toString()
      await axios.post(`${appUrl}/webhooks/twilio`, form, { headers: twilioSignature(appUrl, form) })
    },
    stop: server.stop,
  }
}
