import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Environment, runService } from '@voxscribe/service'
import { eventually, startTestBackings, testBus } from '@voxscribe/service/testing'
import express from 'express'
import mongoose from 'mongoose'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { notificationService } from './service.ts'

export interface ProviderCall {
  path: string
  headers: Record<string, unknown>
  /** JSON, a form, or the text of a multipart body. */
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what the test looks at
  body: any
}
type Trouble = { status: number; body: unknown } | 'hang' | 'hang up'

/** Stands in for the Graph API and for Twilio: takes everything, unless told otherwise for the next calls. */
async function startProviders() {
  const calls: ProviderCall[] = []
  const troubles: Trouble[] = []
  const app = express()
  app.use(express.json({ limit: '1mb' }), express.urlencoded(), express.text({ type: 'multipart/form-data' }))
  app.post('/*path', (request, response) => {
    const isRead = request.body?.status === 'read'
    calls.push({ path: request.path, headers: request.headers, body: request.body })
    const trouble = isRead ? undefined : troubles.shift()
    if (trouble === 'hang') return
    if (trouble === 'hang up') return void request.socket.destroy()
    if (trouble) return void response.status(trouble.status).json(trouble.body)
    if (isRead) return void response.json({ success: true })
    if (request.path.endsWith('/media')) return void response.json({ id: `upload-${calls.length}` })
    const id = `out-${calls.length}`
    if (request.path.endsWith('.json')) return void response.status(201).json({ sid: id, status: 'queued' })
    response.json({ messaging_product: 'whatsapp', contacts: [], messages: [{ id }] })
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** What the next calls meet, one after another. */
    trouble: (...next: Trouble[]) => troubles.push(...next),
    graphError: (code: number, status = 400) => ({
      status,
      body: { error: { message: `(#${code}) no`, type: 'OAuthException', code, fbtrace_id: 'A' } },
    }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A mail server that keeps what it gets, parsed. */
async function startMailServer() {
  const mails: Email[] = []
  const refusals: { at: 'recipient' | 'data'; code: number }[] = []
  const refusal = (at: 'recipient' | 'data') => {
    const [next] = refusals
    if (next?.at !== at) return undefined
    refusals.shift()
    return Object.assign(new Error('refused'), { responseCode: next.code })
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const refused = refusal('data')
        if (!refused) mails.push(await PostalMime.parse(Buffer.concat(chunks)))
        done(refused)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    to: (address: string) => mails.filter(mail => mail.to?.some(to => to.address === address)),
    /** Refuses the next mails. */
    refuse: (...next: typeof refusals) => refusals.push(...next),
    hasRefusedAll: () => refusals.length === 0,
    stop: () => new Promise<void>(resolve => server.close(resolve)),
  }
}

/** Runs notification with everything outside played by the test. */
export async function startNotification(settings: Environment = {}) {
  const backings = await startTestBackings()
  const others = await testBus('notification')
  const providers = await startProviders()
  const mailServer = await startMailServer()
  const env: Environment = {
    ...backings.env,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_ACCESS_TOKEN: 'graph-token',
    WHATSAPP_GRAPH_URL: providers.url,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'twilio-token',
    TWILIO_WHATSAPP_NUMBER: '+14155238886',
    TWILIO_API_URL: providers.url,
    CHAT_TIMEOUT: '500ms',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Voxscribe <no-reply@voxscribe.test>',
    SUPPORT_EMAIL: 'support@voxscribe.test',
    PUBLIC_URL: 'https://voxscribe.test',
    RATE_LIMITS: 'off',
    ...settings,
  }
  const running = await runService(notificationService, env, { bus: others.bus })
  const database = await mongoose
    .createConnection(backings.mongoUrl, { dbName: `${env.MONGO_DB_PREFIX}_notification` })
    .asPromise()

  const sentTo = (address: string) =>
    providers.calls.filter(
      ({ body }) =>
        body?.to === address || body?.recipient === address || body?.To === `whatsapp:+${address}`,
    )
  return {
    url: running.url,
    others,
    /** A collection as it is stored. */
    stored: (name: string) => database.collection<{ _id: string; [field: string]: unknown }>(name),
    providers,
    mailServer,
    publish: others.publish,
    /** What went to one chat, without marks of reading. */
    sentTo,
    /** The texts that went to one chat, once there are so many. */
    texts: (address: string, count = 1): Promise<string[]> =>
      eventually(() => {
        const texts = sentTo(address).map(({ body }) => body.text?.body ?? body.Body)
        return texts.length >= count && texts
      }),
    /** The newest mail to an address, once there are so many. */
    mail: (address: string, count = 1): Promise<Email> =>
      eventually(() => mailServer.to(address).length >= count && mailServer.to(address).at(-1)),
    /** The event among the dead letters, once it is there. */
    deadLetter: (id: string) =>
      eventually(async () => (await others.deadLetters()).find(letter => letter.id === id)),
    stop: async () => {
      await others.close()
      await running.stop()
      await database.close()
      await Promise.all([providers.stop(), mailServer.stop()])
      await backings.stop()
    },
  }
}
export type Notification = Awaited<ReturnType<typeof startNotification>>
