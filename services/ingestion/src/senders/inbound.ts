import { derivedId, type Source } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { z } from 'zod'

/** The sender of a message: at least one of the two is known. */
export interface Sender {
  channel: Source['channel']
  /** Digits as the provider reports them; null when the sender hides the number. */
  phone: string | null
  /** WhatsApp's business-scoped user id; null on channels without one. */
  whatsappUserId: string | null
}

/** One key for each telephone line, however it is written. */
export const phoneKey = (digits: string): string => `phone:${lineOf(digits)}`

/** Returns the digits of such a key. */
export const digitsOf = (key: string | null): string => (key ?? '').replace('phone:', '')

/** Returns the keys of a sender, first that of the number, which accounts register with. */
export const senderKeys = ({ phone, whatsappUserId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(whatsappUserId ? [`id:${whatsappUserId}`] : []),
]

/** A message of either provider. */
export interface InboundMessage {
  /** The provider's message id. */
  id: string
  sender: Sender
  /** Text or caption. */
  text: string | null
  media: InboundMedia[]
  /** The provider's id of the message that it quotes. */
  quoted?: string
  /** Whether it carries only what can't be transcribed: a picture, a PDF, a place, a contact. */
  isSoundless?: boolean
}

export const InboundMedia = z.object({
  /** WhatsApp: the media id. Twilio: the media's address. */
  providerMediaId: z.string(),
  fileName: z.string(),
  /** As the webhook gives it: base64 or hex; null when it does not. */
  sha256: z.string().nullable(),
})
export type InboundMedia = z.infer<typeof InboundMedia>

/** How long a note waits for its sender to be linked; Meta keeps its media as long. */
export const NOTE_WAITS_MS = 7 * 86_400_000

/** Returns the id of a message's receipt, the same for each delivery. */
export const receiptId = (channel: Source['channel'], messageId: string): string => `${channel}:${messageId}`

/** Returns the id of a note, which its media and its transcription have. */
export const mediaIdOf = (receipt: string, index: number): string =>
  derivedId('record', receipt, String(index))
