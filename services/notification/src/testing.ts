import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EventOf,
  type Source,
  TranscriptionCompleted,
  UserRegistered,
} from '@voxscribe/contracts/events'
import { type Mail, startSandbox } from '@voxscribe/sandbox'
import { type Environment, runService } from '@voxscribe/service'
import { eventually, silentLog, startTestBackings, testBus } from '@voxscribe/service/testing'
import mongoose from 'mongoose'
import { notificationService } from './service.ts'
import { startProvidersFake } from './testing/providers-fake.ts'

let count = 0
const digits = () => String(++count).padStart(4, '0')

/** Returns auth's news of a new account, each time with another number and address. */
export function newAccount() {
  const mine = digits()
  return {
    userId: `user-${mine}`,
    phone: `1202555${mine}`,
    phoneClaimedAt: '2026-11-20T10:00:00.000Z',
    linkCode: 'VX-ABCDEFGH',
    language: 'auto',
    email: `ada${mine}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    revision: 0,
  }
}
export type Account = ReturnType<typeof newAccount>

export const registered = (account = newAccount()) =>
  UserRegistered.create({ ...account, registeredAt: new Date().toISOString() })

/** A message in a chat that no other case writes in. */
export function newSource(more: Partial<Source> = {}): Source {
  const mine = digits()
  return { channel: 'whatsapp', address: `1650555${mine}`, messageId: `wamid.${mine}`, ...more }
}

/** A note of six seconds has become text. */
export const completed = (source: Source, more: Partial<EventOf<'TranscriptionCompleted'>['data']> = {}) =>
  TranscriptionCompleted.create({
    transcriptionId: randomUUID(),
    userId: 'u1',
    seconds: 6.4,
    audioSeconds: 6.4,
    text: 'Hello world.',
    words: 2,
    language: 'en',
    engine: 'fake',
    remainingSeconds: 1793.6,
    attempt: 1,
    notices: [],
    source,
    ...more,
  })

/** Runs notification with everything outside played by the test. */
export async function startNotification(settings: Environment = {}) {
  const backings = await startTestBackings()
  const others = await testBus('notification')
  const providers = await startProvidersFake()
  const dataDir = await mkdtemp(join(tmpdir(), 'notification-'))
  const appUrl = 'https://voxscribe.test'
  const sandbox = await startSandbox({ port: 0, dataDir, appUrl, log: silentLog, mail: { smtpPort: 0 } })
  const { inbox: mailServer, smtpUrl } = sandbox
  if (!mailServer || !smtpUrl) throw new Error('The sandbox has no mail server')
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
    SMTP_URL: smtpUrl,
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
    /** Messages that went to one chat, without marks of reading. */
    sentTo,
    /** The texts that went to one chat, once there are so many. */
    texts: (address: string, count = 1): Promise<string[]> =>
      eventually(() => {
        const texts = sentTo(address).map(({ body }) => body.text?.body ?? body.Body)
        return texts.length >= count && texts
      }),
    /** The newest mail to an address, once there are so many. */
    mail: (address: string, count = 1): Promise<Mail> =>
      eventually(() => mailServer.to(address).length >= count && mailServer.to(address).at(-1)),
    /** The event among the dead letters, once it is there. */
    deadLetter: (id: string) =>
      eventually(async () => (await others.deadLetters()).find(letter => letter.id === id)),
    stop: async () => {
      await others.close()
      await running.stop()
      await database.close()
      await Promise.all([providers.stop(), sandbox.stop()])
      await rm(dataDir, { recursive: true, force: true })
      await backings.stop()
    },
  }
}
export type Notification = Awaited<ReturnType<typeof startNotification>>
