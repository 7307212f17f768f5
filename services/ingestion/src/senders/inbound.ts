import { derivedId, type Source } from '@voxscribe/contracts/events'
import { z } from 'zod'
import { addressOf, type Sender } from './senders.ts'

/** A message as both providers' webhooks are read: what it says and what hangs on it. */
export interface InboundMessage {
  /** The provider's message id. */
  id: string
  sender: Sender
  /** Text or caption. */
  text: string | null
  media: InboundMedia[]
}

export const InboundMedia = z.object({
  /** WhatsApp: the media id. Twilio: the media's address. */
  providerMediaId: z.string(),
  fileName: z.string(),
  mime: z.string(),
  /** As the webhook gives it: base64 or hex; null when it does not. */
  sha256: z.string().nullable(),
})
export type InboundMedia = z.infer<typeof InboundMedia>

/** How long a note waits for its sender to be known. Meta keeps media as long after their webhook. */
export const NOTE_WAITS_MS = 7 * 86_400_000

/** One receipt for each message of a provider, whatever is redelivered. */
export const receiptId = (channel: Source['channel'], messageId: string): string => `${channel}:${messageId}`

/** The note's id: its media's and its transcription's. */
export const mediaIdOf = (receipt: string, index: number): string =>
  derivedId('record', receipt, String(index))

export const sourceOf = ({ id, sender }: InboundMessage): Source => ({
  channel: sender.channel,
  address: addressOf(sender),
  messageId: id,
})
