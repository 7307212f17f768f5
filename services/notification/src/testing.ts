import { randomUUID } from 'node:crypto'
import {
  type EventOf,
  SenderUnknown,
  type Source,
  TranscriptionCompleted,
  UserRegistered,
} from '@voxscribe/contracts/events'
import type { Mail } from '@voxscribe/sandbox'
import { type Answer, json, simulated, startTestSandbox } from '@voxscribe/sandbox/testing'
import type { Environment } from '@voxscribe/service'
import { eventually, forAll, startAlone } from '@voxscribe/service/testing'
import { notificationService } from './service.ts'

const NUMBER_ID = '106540352242922'
const GRAPH_TOKEN = 'graph-token'
const WHATSAPP = {
  number: '15550783881',
  phoneNumberId: NUMBER_ID,
  moreNumberIds: ['106540352242923'],
  accessToken: GRAPH_TOKEN,
  appSecret: 'secret',
}

let count = 0
const digits = () => String(++count).padStart(4, '0')

/** Returns the registration of a new account, with a new number and address. */
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
    uiLanguage: 'en' as const,
    revision: 0,
  }
}
export type Account = ReturnType<typeof newAccount> & Pick<EventOf<'UserRegistered'>['data'], 'lateAnswers'>

export const registered = (account: Account = newAccount()) =>
  UserRegistered.create({ ...account, registeredAt: new Date().toISOString() })

/** A message in a chat that no other case uses. */
export function newSource(more: Partial<Source> = {}): Source {
  const mine = digits()
  return { channel: 'whatsapp', address: `1650555${mine}`, messageId: `wamid.${mine}`, ...more }
}

/** A completed note of six seconds. */
export const completed = (source: Source, more: Partial<EventOf<'TranscriptionCompleted'>['data']> = {}) =>
  TranscriptionCompleted.create({
    transcriptionId: randomUUID(),
    userId: 'u1',
    seconds: 6.4,
    audioSeconds: 6.4,
    title: 'Hello world',
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

/** Plays Twilio for a message, which it accepts. */
const taken: Answer = (response, request, next) =>
  json(201, { sid: `SM${randomUUID()}`, status: 'queued' })(response, request, next)

/** Returns the text of a message to either provider; for a template, its value. */
const textIn = ({ text, interactive, document, template, Body, ContentVariables }: AnyBody): string =>
  text?.body ??
  interactive?.body.text ??
  document?.caption ??
  template?.components[0].parameters[0].text ??
  Body ??
  ContentVariables

// biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
type AnyBody = any

/** Runs notification with the sandbox. */
export async function startNotification(settings: Environment = {}) {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: secret = '' } = settings
  const telegram = token ? { telegram: { token, secret, username: 'voxscribe_bot' } } : {}
  const sandbox = await startTestSandbox({ whatsapp: WHATSAPP, ...telegram, mail: { smtpPort: 0 } })
  const { inbox: mailServer, graphUrl = '', smtpUrl } = sandbox
  if (!mailServer || !smtpUrl) throw new Error('The sandbox has no mail server')
  const troubles: Answer[] = []
  const readTroubles: Answer[] = []
  const sends = {
    [`POST /v26.0/${NUMBER_ID}/messages`]: simulated,
    [`POST /v26.0/${NUMBER_ID}/media`]: simulated,
    'POST /2010-04-01/Accounts/AC1/Messages.json': taken,
  }
  for (const [path, usual] of Object.entries(sends)) {
    sandbox.script(path, (response, request, next) => {
      const isRead = request.body?.status === 'read'
      const answer = (isRead ? readTroubles : troubles).shift() ?? usual
      return answer(response, request, next)
    })
  }
  const env: Environment = {
    WHATSAPP_PHONE_NUMBER_ID: NUMBER_ID,
    WHATSAPP_ACCESS_TOKEN: GRAPH_TOKEN,
    WHATSAPP_GRAPH_URL: graphUrl,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'twilio-token',
    TWILIO_WHATSAPP_NUMBER: '+14155238886',
    TWILIO_API_URL: graphUrl,
    TELEGRAM_API_URL: graphUrl,
    CHAT_TIMEOUT: '5s',
    SEND_LEASE: '2s',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Voxscribe <no-reply@voxscribe.test>',
    SUPPORT_EMAIL: 'support@voxscribe.test',
    PUBLIC_URL: 'https://voxscribe.test',
    BILLING_URL: 'http://127.0.0.1:9',
    WHATSAPP_NUMBER: WHATSAPP.number,
    RATE_LIMITS: 'off',
    ...settings,
  }
  const alone = await startAlone(notificationService, env)
  const { others } = alone

  const sentTo = (address: string) =>
    sandbox.calls.filter(
      ({ body }) =>
        body?.to === address || body?.recipient === address || body?.To === `whatsapp:+${address}`,
    )
  return {
    ...alone,
    sandbox,
    /** Calls the sandbox's own API for Telegram. */
    telegram: async (path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body && { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${sandbox.origin}/api/telegram${path}`, sent)).json()
    },
    mailServer,
    /** Sets the responses to the next sends, one after another. */
    trouble: (...next: Answer[]) => void troubles.push(...next),
    /** Sets the responses to the next read marks. */
    readTrouble: (...next: Answer[]) => void readTroubles.push(...next),
    /** Messages sent to one chat, without read marks. */
    sentTo,
    /** The texts sent to one chat, once there are that many. */
    texts: (address: string, count = 1): Promise<string[]> =>
      eventually(() => {
        const texts = sentTo(address).map(({ body }) => textIn(body))
        return texts.length >= count && texts
      }),
    /** Expects this many messages in a chat once everything published before is handled. */
    async quietly(address: string, count: number): Promise<void> {
      const [note, stranger] = [newSource(), newSource()]
      await others.publish(completed(note))
      await others.publish(SenderUnknown.create({ isNote: false, noteWaits: false, source: stranger }))
      await eventually(() => sentTo(note.address).length && sentTo(stranger.address).length)
      expect(sentTo(address)).toHaveLength(count)
    },
    /** The newest mail to an address, once there are that many. */
    mail: (address: string, count = 1): Promise<Mail> =>
      eventually(() => mailServer.to(address).length >= count && mailServer.to(address).at(-1)),
    /** A person whose welcome mail has arrived. */
    async register(account: Account = newAccount()): Promise<Account> {
      await others.publish(registered(account))
      await eventually(() => mailServer.to(account.email).length > 0)
      return account
    },
    stop: async () => {
      await alone.stop()
      await sandbox.stop()
    },
  }
}
export type Notification = Awaited<ReturnType<typeof startNotification>>

/** One instance for all cases of a file. */
export const notificationForAll = (settings?: Environment): Notification =>
  forAll(() => startNotification(settings))
