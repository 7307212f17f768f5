import { MESSENGERS } from '@voxscribe/contracts/channels'
import { derivedId, type Source } from '@voxscribe/contracts/events'
import { NOTE_WAITS_DAYS } from '@voxscribe/contracts/limits'
import { endingOf, plainMime } from '@voxscribe/contracts/media'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { z } from 'zod'

/** The sender of a message: at least one of the two is known. */
export interface Sender {
  channel: Source['channel']
  /** Digits as the provider reports them; null when the sender hides the number. */
  phone: string | null
  /** The messenger's own: a business-scoped user id of WhatsApp, the address of a Telegram user; null when it gives none. */
  messengerId: string | null
}

/** One key for each telephone line, however it is written. */
export const phoneKey = (digits: string): string => `phone:${lineOf(digits)}`

export const digitsOf = (key: string | null): string => (key ?? '').replace('phone:', '')

/** Returns the keys of a sender; the first is the number, which accounts register with. */
export const senderKeys = ({ channel, phone, messengerId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(messengerId ? [`${MESSENGERS[channel].idKind}:${messengerId}`] : []),
]

/** Whether two keys are of one kind and differ: nobody has two numbers, or two user ids of a kind, at once. */
export const areRivals = (one: string, other: string): boolean =>
  one !== other && one.split(':')[0] === other.split(':')[0]

export interface InboundMessage {
  id: string
  sender: Sender
  numberId?: string
  topicId?: number
  text: string | null
  media: InboundMedia[]
  /** The provider's id of the message that it quotes. */
  quoted?: string
  /** The language of its sender's messenger (IETF tag), where that tells. */
  language?: string
  isInGroup?: boolean
  /** The provider's id of the message that its person revokes with it. */
  revokes?: string
  /** Its person has left the number that it comes from, for this one if known. */
  leftFor?: string | null
  /** Whether it carries only what can't be transcribed: a picture, a PDF, a place, a contact. */
  isSoundless?: boolean
  /** Whether the messenger could not hand on what it carries. */
  isUnavailable?: boolean
}

export const InboundMedia = z.object({
  /** WhatsApp: the media id. Twilio: the media's address. Telegram: the file id. */
  providerMediaId: z.string(),
  fileName: z.string(),
  /** As the webhook gives it: base64 or hex; null when it does not. */
  sha256: z.string().nullable(),
})
export type InboundMedia = z.infer<typeof InboundMedia>

/** How long a note waits for its sender to be linked; Meta keeps its media as long. */
export const NOTE_WAITS_MS = NOTE_WAITS_DAYS * 86_400_000

/** Returns the id of a message's receipt, the same for each delivery. */
export const receiptId = (channel: Source['channel'], messageId: string): string => `${channel}:${messageId}`

/** Returns the id of a note, which its media and its transcription have. */
export const mediaIdOf = (receipt: string, index: number): string =>
  derivedId('record', receipt, String(index))

/** Whether a type is a picture or a text, which no note is sent as. */
export const hasNoSound = (mime: string): boolean =>
  /^(image|text)\/|^application\/pdf$/.test(plainMime(mime))

/** A name for what came without one: `Voice note 2026-11-20 14.05.ogg`, UTC. */
export function nameFor(what: 'Voice note' | 'Audio' | 'Video', sentAt: Date, mime: string): string {
  const [day = '', time = ''] = sentAt.toISOString().split('T')
  const ending = endingOf(mime)
  return `${what} ${day} ${time.slice(0, 5).replace(':', '.')}${ending ? `.${ending}` : ''}`
}

/** A sender's file name is shown, never used as a path: no folders, no control characters, 200 characters. */
export function cleanName(given: string): string {
  const name = given.split(/[\\/]/).at(-1) ?? ''
  // With the marks that turn text round: they would make one ending look like another.
  const readable = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim()
  return Array.from(readable).slice(0, 200).join('')
}
