import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EventOf,
  MediaAnnounced,
  type Source,
  UserRegistered,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { type Answer, json, startTestSandbox } from '@voxscribe/sandbox/testing'
import { type Environment, openBlobs, temporaryFolder } from '@voxscribe/service'
import { eventually, forAll, startAlone } from '@voxscribe/service/testing'
import { TEMPORARY_PREFIX } from './media/file.ts'
import { mediaIdOf, receiptId } from './senders/inbound.ts'
import { ingestionService } from './service.ts'
import { recording } from './testing/recording.ts'
import { twilioSignature } from './webhooks/twilio-webhook.ts'

const SECRET = 'app_secret'
const TOKEN = 'graph-token'
const NUMBER_ID = '106540352242922'
const TWILIO_TOKEN = 'twilio-token'
const WHATSAPP = {
  number: '15550783881',
  phoneNumberId: NUMBER_ID,
  accessToken: TOKEN,
  appSecret: SECRET,
}

export const signatureOf = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface From {
  from?: string | undefined
  from_user_id?: string | undefined
}
let count = 0
/** Returns a number or a name that no other case uses. */
export const unique = (prefix: string) => `${prefix}${String(++count).padStart(4, '0')}`
export const newPhone = () => unique('1650555')

export const textMessage = (from: From, body: string) => ({
  ...from,
  id: unique('wamid.'),
  timestamp: '1739321024',
  type: 'text',
  text: { body },
})
export const voiceNote = (from: From, more: object = {}, id = unique('wamid.')) => ({
  ...from,
  id,
  timestamp: '1739321024',
  type: 'audio',
  audio: { mime_type: 'audio/ogg; codecs=opus', id: `media-${id}`, voice: true, ...more },
})
export const changeOf = (messages: unknown[], phoneNumberId = NUMBER_ID) => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
    contacts: [],
    messages,
  },
})
export const bodyOf = (...changes: unknown[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', changes }],
})

/** Status reports on our messages. */
export function statusesOf(...statuses: unknown[]) {
  const change = changeOf([])
  return bodyOf({ ...change, value: { ...change.value, messages: undefined, statuses } })
}

/** A text message as Twilio posts it. */
export const twilioText = (phone: string, Body: string) => ({
  MessageSid: unique('SM'),
  From: `whatsapp:+${phone}`,
  WaId: phone,
  Body,
  NumMedia: '0',
})

/** Returns auth's event data for an account. */
export const accountOf = (
  userId: string,
  phone: string | null,
  revision: number,
  linkCode = 'VX-22222222',
  phoneClaimedAt = new Date().toISOString(),
  boundBy?: string,
  more: Partial<EventOf<'UserUpdated'>['data']> = {},
) => ({
  userId,
  phone,
  phoneClaimedAt,
  linkCode,
  ...(boundBy && { boundBy }),
  language: 'de',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  uiLanguage: 'en' as const,
  revision,
  ...more,
})

/** Id of the media in a WhatsApp message. */
export const mediaIdFor = (messageId: string, index = 0, channel: Source['channel'] = 'whatsapp') =>
  mediaIdOf(receiptId(channel, messageId), index)

/** The announcement of a note from one of this account's numbers. */
export const announcedTo = (userId: string, { id, from = '', audio }: ReturnType<typeof voiceNote>) =>
  MediaAnnounced.create({
    mediaId: mediaIdFor(id),
    userId,
    providerMediaId: audio.id,
    ...('sha256' in audio && { sha256: String(audio.sha256) }),
    fileName: 'note.ogg',
    source: { channel: 'whatsapp', address: from, messageId: id },
  })

/** Path at which Graph describes media. */
export const infoPath = (mediaId: string) => `/v26.0/${mediaId}`
/** Path of a file whose responses the test sets. */
export const filePath = (mediaId: string) => `/files/${mediaId}`

/** Runs ingestion with the sandbox; the test writes the webhooks. */
export async function startIngestion(settings: Environment = {}) {
  const sandbox = await startTestSandbox({ whatsapp: WHATSAPP })
  const dataDir = await mkdtemp(join(tmpdir(), 'ingestion-test-'))
  const env: Environment = {
    DATA_DIR: dataDir,
    WHATSAPP_PHONE_NUMBER_ID: NUMBER_ID,
    WHATSAPP_ACCESS_TOKEN: TOKEN,
    WHATSAPP_APP_SECRET: SECRET,
    WHATSAPP_VERIFY_TOKEN: 'verify me',
    WHATSAPP_GRAPH_URL: sandbox.origin,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: TWILIO_TOKEN,
    TWILIO_API_URL: sandbox.origin,
    TELEGRAM_API_URL: sandbox.origin,
    PUBLIC_URL: 'https://voxscribe.test',
    // Nothing listens there.
    TRANSCRIPTION_URL: 'http://127.0.0.1:9',
    ...settings,
  }
  const announcements: string[] = []
  const alone = await startAlone(ingestionService, env, bus => ({
    ...bus,
    publish: event => {
      if (event.type === MediaAnnounced.name) announcements.push((event.data as { mediaId: string }).mediaId)
      return bus.publish(event)
    },
  }))
  const { others, stored } = alone
  const blobs = openBlobs({ DATA_DIR: dataDir, S3_REGION: 'us-east-1' })

  /** Sets the responses of a path, one after another; the last one stays. */
  const on = (path: string, ...answers: Answer[]) => sandbox.script(`GET ${path}`, ...answers)
  async function upload(file: Uint8Array): Promise<string> {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new Blob([new Uint8Array(file)]), 'file')
    const headers = { authorization: `Bearer ${TOKEN}` }
    const path = `${sandbox.origin}${infoPath(NUMBER_ID)}/media`
    const answer = await fetch(path, { method: 'POST', headers, body: form })
    return ((await answer.json()) as { id: string }).id
  }

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${alone.url}/webhooks/whatsapp`, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const deliver = (body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return post(text, { 'x-hub-signature-256': signatureOf(text) })
  }
  const known = (userId: string, revision: number) =>
    eventually(() => stored('accounts').findOne({ _id: userId, revision: { $gte: revision } }))
  const mediaRecord = (mediaId: string) => stored('media').findOne({ _id: mediaId })

  const say = (...messages: unknown[]) => deliver(bodyOf(changeOf(messages)))
  /** Stores a file at WhatsApp under the id that the test's webhook names. */
  function offer(mediaId: string, file: Uint8Array) {
    const uploaded = upload(file)
    on(infoPath(mediaId), async (_response, request, next) => {
      request.url = infoPath(await uploaded)
      next()
    })
  }

  /** Offers a file, after other responses; `end` sends its second half. */
  function offerSlowly(id: string, ...first: Answer[]) {
    const rest: (() => void)[] = []
    on(infoPath(id), info(id))
    on(filePath(id), ...first, response => {
      response.write(recording().subarray(0, 1000))
      rest.push(() => response.end(recording().subarray(1000)))
    })
    return { begun: () => eventually(() => rest.length === 1), end: () => rest[0]?.() }
  }
  /** Graph's description of media whose file's responses the test sets. */
  const info = (mediaId: string, more: object = {}): Answer =>
    json(200, {
      messaging_product: 'whatsapp',
      url: `${sandbox.origin}${filePath(mediaId)}`,
      id: mediaId,
      ...more,
    })

  /** Publishes an account as auth does, and waits until it's known. Returns its link code. */
  async function register(
    userId: string,
    phone: string | null,
    linkCode = unique('VX-ABCD').replaceAll('0', 'Z').replaceAll('1', 'Y'),
    occurredAt = new Date().toISOString(),
  ) {
    const data = { ...accountOf(userId, phone, 0, linkCode, occurredAt), registeredAt: occurredAt }
    await others.publish({ ...UserRegistered.create(data), occurredAt })
    await known(userId, 0)
    return linkCode
  }

  return {
    ...alone,
    offerSlowly,
    info,
    offer,
    /** A note that WhatsApp can deliver. */
    noteFrom(from: From, more: object = {}, file = recording()) {
      const note = voiceNote(from, more)
      offer(note.audio.id, file)
      return { ...note, mediaId: mediaIdFor(note.id) }
    },
    /** A note as Twilio posts it; its media are at a path of the sandbox. */
    twilioNote(phone: string, more: Record<string, string> = {}) {
      const text = twilioText(phone, '')
      const path = `/2010-04-01/Accounts/AC1/Messages/${text.MessageSid}/Media/ME1`
      sandbox.script(`DELETE ${path}`, response => response.status(204).end())
      const media = { NumMedia: '1', MediaUrl0: `${sandbox.origin}${path}`, MediaContentType0: 'audio/ogg' }
      const rest = { AccountSid: 'AC1', ProfileName: 'Ada & Söhne', SomethingNew: 'yes' }
      const form = { ...text, ...media, ...rest, ...more }
      return { form, sid: text.MessageSid, path, mediaId: mediaIdFor(text.MessageSid, 0, 'twilio') }
    },
    /** The event about a message, once it's published. */
    unknown: (messageId: string) =>
      eventually(() => others.sent('SenderUnknown').find(({ data }) => data.source.messageId === messageId)),
    linked: (messageId: string) =>
      eventually(() => others.sent('SenderLinked').find(({ data }) => data.source.messageId === messageId)),
    refused: (messageId: string) =>
      eventually(() => others.sent('MessageRefused').find(({ data }) => data.source.messageId === messageId)),
    commanded: (messageId: string) =>
      eventually(() =>
        others.sent('ChatCommandReceived').find(({ data }) => data.source.messageId === messageId),
      ),
    receipt: (messageId: string, channel: Source['channel'] = 'whatsapp') =>
      stored('receipts').findOne({ _id: receiptId(channel, messageId) }),
    sandbox,
    on,
    /** Number of requests for a file at an address that Graph returned. */
    downloads: (mediaId: string) =>
      sandbox
        .callsTo(infoPath(mediaId))
        .flatMap(({ answer }) => (answer?.url ? sandbox.callsTo(new URL(answer.url).pathname) : [])),
    blobs,
    /** Number of announcements with this media id, including repeated ones. */
    announced: (mediaId: string) => announcements.filter(id => id === mediaId).length,
    /** A raw POST to the WhatsApp webhook. */
    post,
    /** A signed POST to the WhatsApp webhook. */
    deliver,
    /** Delivers messages in one webhook, as Meta does. */
    say,
    /** A form as Twilio posts it, signed for the public address. */
    sayByTwilio: (form: Record<string, string>, signature?: string | null) => {
      const right = twilioSignature(TWILIO_TOKEN, 'https://voxscribe.test/webhooks/twilio', form)
      return fetch(`${alone.url}/webhooks/twilio`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: signature === null ? {} : { 'x-twilio-signature': signature ?? right },
      })
    },
    register,
    /** A new account that claims a number. */
    async account(phone = newPhone()) {
      const [userId, claimedAt] = [unique('user-'), new Date()]
      return {
        userId,
        phone,
        claimedAt,
        code: await register(userId, phone, undefined, claimedAt.toISOString()),
      }
    },
    /** Publishes a change of an account as auth does, and waits until it's known. */
    async change(...news: Parameters<typeof accountOf>) {
      const [userId, , revision] = news
      await others.publish(UserUpdated.create(accountOf(...news)))
      await known(userId, revision)
    },
    known,
    /** Waits until the media are stored. */
    received: (mediaId: string) =>
      eventually(() => others.sent('MediaReceived').find(({ data }) => data.mediaId === mediaId)?.data),
    /** Waits until the media are rejected. */
    rejected: (mediaId: string) =>
      eventually(() => others.sent('MediaRejected').find(({ data }) => data.mediaId === mediaId)?.data),
    mediaRecord,
    /** Announces a note's media as if they had been announced this long ago. */
    announcedAgo: (event: ReturnType<typeof announcedTo>, ms: number) =>
      others.publish({ ...event, id: randomUUID(), occurredAt: new Date(Date.now() - ms).toISOString() }),
    /** Files that a download has left on the disk. */
    temporaryFiles: async (mediaId: string) =>
      (await readdir(temporaryFolder())).filter(name => name.startsWith(`${TEMPORARY_PREFIX}${mediaId}`)),
    stop: async () => {
      await alone.stop()
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type Ingestion = Awaited<ReturnType<typeof startIngestion>>

/** One instance for all cases of a file. */
export const ingestionForAll = (settings?: Environment): Ingestion => forAll(() => startIngestion(settings))
