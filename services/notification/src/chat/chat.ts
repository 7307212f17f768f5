/** One message to one person, short enough for its channel. */
export interface ChatMessage {
  /** Digits of the number, or a WhatsApp user id. */
  address: string
  text: string
  /** The provider's id of the message to quote; not every channel can. */
  quote?: string | undefined
  /** A file, which the text then stands below. */
  file?: { name: string; content: string | Buffer } | undefined
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Returns the media type of a file. WhatsApp takes subtitles as plain text. */
export const mimeOf = (name: string): string => (name.endsWith('.docx') ? DOCX : 'text/plain')

/** Outcome of sending a message. Refused: sending it again would be refused again. */
export type Delivery = { outcome: 'sent'; id: string } | { outcome: 'refused'; code: string; message: string }

/** A way to answer people in their chat. Every method throws when trying again later may help. */
export interface ChatChannel {
  /** Longest text of one message, in UTF-16 code units. */
  maxLength: number
  send(message: ChatMessage): Promise<Delivery>
  /** Shows the sender that the message has been taken note of; missing where there is no such thing. */
  markRead?(messageId: string): Promise<void>
}
