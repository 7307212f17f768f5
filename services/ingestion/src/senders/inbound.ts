import { MESSENGERS } from '@voxscribe/contracts/channels'
import { derivedId, type Source } from '@voxscribe/contracts/events'
import { NOTE_WAITS_DAYS } from '@voxscribe/contracts/limits'
import { endingOf, plainMime } from '@voxscribe/contracts/media'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { z } from 'zod'

/** The sender of a message; the number, the id or both are known. */
export interface Sender {
  channel: Source['channel']
  /** Digits as reported by the provider; null if the sender hides the number. */
  phone: string | null
  /** The messenger's id: WhatsApp's business-scoped user id, or a Telegram user's address; null if there is none. */
  messengerId: string | null
}

/** Returns one key per telephone line, however the number is written. */
export const phoneKey = (digits: string): string => `phone:${lineOf(digits)}`

export const digitsOf = (key: string | null): string => (key ?? '').replace('phone:', '')

/** Returns the keys of a sender; the number, with which accounts register, comes first. */
export const senderKeys = ({ channel, phone, messengerId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(messengerId ? [`${MESSENGERS[channel].idKind}:${messengerId}`] : []),
]

/** Whether two keys differ but are of one kind: a person has one number, and one user id of each kind, at a time. */
export const areConflicting = (one: string, other: string): boolean =>
  one !== other && one.split(':')[0] === other.split(':')[0]

export interface InboundMessage {
  id: string
  sender: Sender
  numberId?: string
  topicId?: number
  text: string | null
  media: InboundMedia[]
  /** The provider's id of the quoted message. */
  quoted?: string
  /** Whether that message is the person's own. */
  quotesOwn?: true
  /** The language of the sender's messenger (IETF tag), if it's reported. */
  language?: string
  isInGroup?: boolean
  /** Whether its words come from another chat: they order nothing. */
  isForwarded?: true
  /** The provider's id of the message that this one revokes. */
  revokes?: string
  /** The new number, or null if unknown, if the sender has left the number that the message comes from. */
  leftFor?: string | null
  /** Whether it has only content that can't be transcribed: a picture, a PDF, a location, a contact. */
  isSoundless?: boolean
  /** Whether the messenger could not deliver the content. */
  isUnavailable?: boolean
}

export const InboundMedia = z.object({
  /** WhatsApp: the media id. Twilio: the media's address. Telegram: the file id. */
  providerMediaId: z.string(),
  fileName: z.string(),
  /** As given by the webhook: base64 or hex; null if it isn't. */
  sha256: z.string().nullable(),
})
export type InboundMedia = z.infer<typeof InboundMedia>

/** How long a note waits for its sender to be linked; Meta keeps its media as long. */
export const NOTE_WAITS_MS = NOTE_WAITS_DAYS * 86_400_000

/** Returns the id of a message's receipt, the same for each delivery. */
export const receiptId = (channel: Source['channel'], messageId: string): string => `${channel}:${messageId}`

/** Returns the id that a note's media and its transcription share. */
export const mediaIdOf = (receipt: string, index: number): string =>
  derivedId('record', receipt, String(index))

/** Whether a type is a picture, a text or a PDF, which are never notes. */
export const hasNoSound = (mime: string): boolean =>
  /^(image|text)\/|^application\/pdf$/.test(plainMime(mime))

/** Returns a name for an unnamed file: `Voice note 2026-11-20 14.05.ogg`, UTC. */
export function nameFor(what: 'Voice note' | 'Audio' | 'Video', sentAt: Date, mime: string): string {
  const [day = '', time = ''] = sentAt.toISOString().split('T')
  const ending = endingOf(mime)
  return `${what} ${day} ${time.slice(0, 5).replace(':', '.')}${ending ? `.${ending}` : ''}`
}

/** Cleans a sender's file name for display, never for paths: no folders or control characters, 200 characters. */
export function cleanName(given: string): string {
  const name = given.split(/[\\/]/).at(-1) ?? ''
  // Includes the marks that reverse text, which could make a file name's ending look like another.
  const readable = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim()
  return Array.from(readable).slice(0, 200).join('')
}
