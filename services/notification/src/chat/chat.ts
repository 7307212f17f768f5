import type { Source } from '@voxscribe/contracts/events'

/** Buttons below a message: WhatsApp takes three, with titles of at most 20 characters that differ. */
export interface Choices {
  /** `id` arrives as the text of the reply, which quotes the message. */
  buttons: { id: string; title: string }[]
  /** Stands above the buttons. */
  question?: string
  /** Stands below the text where there are no buttons. */
  inWords?: string
}

/** One message to one person, short enough for its channel. */
export interface ChatMessage {
  /** As `Source` has it. */
  address: string
  numberId?: string | undefined
  topicId?: number | undefined
  text: string
  /** The provider's id of the message to quote; not every channel can. */
  quote?: string | undefined
  /** A file, which the text then stands below. */
  file?: { name: string; content: string | Buffer } | undefined
  choices?: Choices | undefined
  /** Whether the text goes out as the value of the approved template, which alone is delivered outside the 24 hours. */
  asTemplate?: boolean | undefined
}

/** Codes of a refusal because the person has not written for 24 hours: WhatsApp's and Twilio's. */
export const WINDOW_CLOSED = ['131047', '63016']

/** Codes of failures that are our account's: until an operator acts, WhatsApp carries nothing in any way. */
export const ACCOUNT_STOPPED = ['131031', '131042', '131048']

/** Returns a text with what stands below it, if anything. */
export const withBelow = (text: string, below: string | undefined): string =>
  below ? `${text}\n\n${below}` : text

/** Returns a text as the value of a template, in which line breaks are refused. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Returns the media type of a file. WhatsApp takes subtitles and Markdown as plain text. */
export function mimeOf(name: string): string {
  if (name.endsWith('.pdf')) return 'application/pdf'
  return name.endsWith('.docx') ? DOCX : 'text/plain'
}

/** Outcome of sending a message. Refused: sending it again would be refused again. */
export type SendResult =
  | { outcome: 'sent'; id: string }
  | { outcome: 'refused'; code: string; message: string }

/** A way to answer people in their chat. Every method throws when trying again later may help. */
export interface ChatChannel {
  /** Longest text of one message, in UTF-16 code units. */
  maxLength: number
  /** Whether there is an approved template. */
  hasTemplate: boolean
  send(message: ChatMessage): Promise<SendResult>
  /** Marks a message as read where that is known, and may show for a while that an answer is being typed. */
  markRead?(source: Source, isTyping: boolean): Promise<void>
  /** Takes note of the code with which a message failed that was accepted. */
  countFailure?(code: string): void
  /** After how long typing is shown again while work goes on. */
  typingMs?: number
}
