import { MESSENGERS } from '@voxscribe/contracts/channels'
import { derivedId, type Envelope, type Source } from '@voxscribe/contracts/events'
import { countryOfNumber } from '@voxscribe/contracts/phone-lines'
import { Permanent } from '@voxscribe/messaging'
import {
  claimOnce,
  counter,
  type Documents,
  inSpan,
  insertOnce,
  type Logger,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { ChatChannel, ChatMessage, SendResult } from '../chat/chat.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import type { MessagePrices } from '../settings.ts'
import type { AnswerInChat, Sendings, Sent, SentEvent } from './sendings.ts'

/** A chat. Without a message to quote, we begin the conversation. */
type Chat = Pick<Source, 'channel' | 'address' | 'numberId' | 'topicId'> & { messageId?: string | undefined }

/** A hash, because the numbers of strangers aren't stored. */
export const chatKey = ({ channel, address }: Chat): string => derivedId('chat', channel, address)

interface Deps {
  /** The configured channels. */
  channels: Partial<Record<Source['channel'], ChatChannel>>
  mailer: Mailer
  sendings: Sendings
  /** US dollars per message, by kind and country. */
  prices?: MessagePrices
  log: Logger
}

const sentTotal = counter({
  name: 'notifications_total',
  help: 'Messages that went out, were refused for good, or failed and are tried again',
  labelNames: ['channel', 'outcome'],
})

export const messagesSent = counter({
  name: 'messages_sent_total',
  help: 'Messages of WhatsApp that went out: text, file or template, by country of the number',
  labelNames: ['kind', 'country'],
})
export const messagesCost = counter({
  name: 'messages_cost_dollars_total',
  help: 'What these messages have cost, by MESSAGE_PRICES',
  labelNames: ['kind', 'country'],
})

/** Sends all messages of this service, each once per key. */
export function createOutbound({ channels, mailer, sendings, prices = {}, log }: Deps) {
  async function once(
    key: string,
    channel: string,
    address: string,
    send: () => Promise<SendResult>,
    of: { answer?: AnswerInChat | undefined; sentEvent?: SentEvent | undefined } = {},
  ): Promise<Sent> {
    const result = await sendings
      .once(key, address, () => inSpan(`send by ${channel}`, send), of)
      .catch(error => {
        sentTotal.inc({ channel, outcome: 'failed' })
        throw error
      })
    if (result.isRepeat) return result
    sentTotal.inc({ channel, outcome: result.outcome })
    if (result.outcome === 'refused') log.warn({ key, channel, ...result }, 'a message was refused')
    return result
  }

  /** Counts a chat message and its price. People without a number have no country. */
  function countSent({ address, asTemplate, file }: ChatMessage): void {
    const kind = asTemplate ? 'template' : file ? 'file' : 'text'
    const country = (/^\d+$/.test(address) && countryOfNumber(address)) || 'unknown'
    messagesSent.inc({ kind, country })
    const price = prices[kind]?.[country] ?? prices[kind]?.['*'] ?? 0
    if (price) messagesCost.inc({ kind, country }, price)
  }

  function channelOf({ channel }: Pick<Chat, 'channel'>): ChatChannel {
    const open = channels[channel]
    if (!open) throw new Permanent(`There are no settings for ${channel}`)
    return open
  }

  return {
    channelOf: channelOf as (
      chat: Pick<Chat, 'channel'>,
    ) => Pick<ChatChannel, 'maxLength' | 'hasTemplate' | 'typingMs'>,

    chat(
      key: string,
      to: Chat,
      text: string,
      {
        answer,
        sentEvent,
        ...more
      }: Pick<ChatMessage, 'file' | 'choices' | 'asTemplate'> & {
        answer?: AnswerInChat
        sentEvent?: SentEvent
      } = {},
    ): Promise<Sent> {
      const channel = channelOf(to)
      const { address, numberId, topicId, messageId: quote } = to
      const message = { address, numberId, topicId, text, quote, ...more }
      const send = async () => {
        const result = await channel.send(message)
        if (result.outcome === 'sent' && MESSENGERS[to.channel].isBilled) countSent(message)
        return result
      }
      return once(key, to.channel, to.address, send, { answer, sentEvent })
    },

    /** A courtesy, whose failure loses nothing. */
    markRead: async (source: Source, isTyping: boolean): Promise<void> => {
      await channels[source.channel]
        ?.markRead?.(source, isTyping)
        .catch(err => log.debug({ err }, 'could not mark as read'))
    },

    mail: (key: string, mail: Mail, sentEvent?: SentEvent): Promise<Sent> =>
      once(key, 'mail', mail.to, () => mailer.send(mail, key), { sentEvent }),

    /** Counts a message that failed after its provider accepted it. */
    failed(channel: Source['channel'], code: string): void {
      sentTotal.inc({ channel, outcome: 'failed' })
      channels[channel]?.countFailure?.(code)
      log.warn({ channel, code }, 'a message failed after it was sent')
    },
  }
}
export type Outbound = ReturnType<typeof createOutbound>

/** A message that is sent only once, or once a day, and the event that caused it. */
const Claim = z.object({
  /** The kind, with the person or period. */
  _id: z.string(),
  eventId: z.string(),
  /** The account that it's about; unset for a chat or a note. */
  userId: z.string().optional(),
  /** When it may be claimed again; unset: never. */
  until: z.date().optional(),
})

export const DAY_MS = 86_400_000
const claimSchema = schemaOf(Claim)
  .index({ until: 1 }, { expireAfterSeconds: 0 })
  .index({ userId: 1 }, { sparse: true })

/** Claims for sending messages. Idempotent: the event that holds a claim gets it again. */
export function createSendClaims(documents: Documents) {
  const claims = documents.outboxModel('claims', claimSchema, { owner: 'userId' })
  return {
    /** Claims for good, and publishes `event` in the same write. */
    async once(_id: string, eventId: string, event: Envelope, userId: string): Promise<boolean> {
      const isNew = await insertOnce(claims, { _id, eventId, userId, outbox: [event] })
      return isNew || (await claims.exists({ _id, eventId })) !== null
    },
    /** Whether any event holds it. */
    isHeld: async (_id: string): Promise<boolean> => (await claims.exists({ _id })) !== null,
    /** Claims for `ms`; after that, another event may claim it. */
    onceIn: (ms: number, _id: string, eventId: string, userId?: string): Promise<boolean> =>
      claimOnce(
        claims,
        { _id, eventId, userId, until: new Date(Date.now() + ms), outbox: [] },
        { $or: [{ eventId }, { until: { $lte: new Date() } }] },
      ),
  }
}
