import type { Source } from '@voxscribe/contracts/events'
import { Permanent } from '@voxscribe/messaging'
import { counter, inSpan, type Logger } from '@voxscribe/service'
import type { ChatChannel, ChatChannels, Delivery } from './chat/chat.ts'
import { splitText } from './chat/split-text.ts'
import type { Deliveries } from './deliveries.ts'
import type { Mail, Mailer } from './mail/mailer.ts'

/** A chat without a message to quote is one that we begin to write in. */
type Chat = Pick<Source, 'channel' | 'address'> & { messageId?: string | undefined }

interface Deps {
  channels: ChatChannels
  mailer: Mailer
  deliveries: Deliveries
  log: Logger
}

/** More messages than this are a nuisance in a chat; where the channel has files, a file comes instead. */
const MESSAGES_MAX = 4
/** The Cloud API's limit for what stands below a file. */
const CAPTION_MAX = 1024

const sentTotal = counter({
  name: 'notifications_total',
  help: 'Messages that went out or were refused for good',
  labelNames: ['channel', 'outcome'],
})

/** Everything that leaves this service. Each message goes out once for its key, its parts in order. */
export function createOutbound({ channels, mailer, deliveries, log }: Deps) {
  async function once(key: string, channel: string, send: () => Promise<Delivery>): Promise<void> {
    const delivery = await deliveries.once(key, () => inSpan(`send by ${channel}`, send))
    if (!delivery) return
    sentTotal.inc({ channel, outcome: delivery.outcome })
    if (delivery.outcome === 'refused') log.warn({ key, channel, ...delivery }, 'a message was refused')
  }

  function channelOf({ channel }: Chat): ChatChannel {
    const open = channels[channel]
    if (!open) throw new Permanent(`There are no settings for ${channel}`)
    return open
  }

  async function chat(key: string, to: Chat, text: string): Promise<void> {
    const channel = channelOf(to)
    for (const [part, piece] of splitText(text, channel.maxLength).entries()) {
      // Only the first part quotes: the others follow it.
      const quote = part === 0 ? to.messageId : undefined
      const message = { address: to.address, text: piece, quote }
      await once(`${key}:${part}`, to.channel, () => channel.sendText(message))
    }
  }

  return {
    chat,

    /** A transcript with its summary: as messages, or as a file when it is very long. */
    transcript: async (key: string, to: Chat, text: string, summary: string): Promise<void> => {
      const { sendDocument, maxLength } = channelOf(to)
      const whole = `${text}\n\n${summary}`
      if (!sendDocument || whole.length <= maxLength * MESSAGES_MAX) return chat(key, to, whole)
      const caption = summary.slice(0, CAPTION_MAX)
      const document = {
        address: to.address,
        quote: to.messageId,
        fileName: 'transcript.txt',
        content: text,
        caption,
      }
      await once(`${key}:file`, to.channel, () => sendDocument(document))
    },

    /** A courtesy: when it fails, nothing is lost. */
    markRead: async ({ channel, messageId }: Source): Promise<void> => {
      await channels[channel]
        ?.markRead?.(messageId)
        .catch(err => log.debug({ err }, 'could not mark as read'))
    },

    mail: (key: string, mail: Mail): Promise<void> => once(key, 'mail', () => mailer.send(mail, key)),
  }
}
export type Outbound = ReturnType<typeof createOutbound>
