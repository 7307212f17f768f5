import type { Source } from '@voxscribe/contracts/events'

/** Buttons below a message. WhatsApp allows three, with different titles of at most 20 characters. */
export interface Choices {
  /** `id` arrives as the text of the reply, which quotes the message. */
  buttons: { id: string; title: string }[]
  /** Shown above the buttons. */
  question?: string
  /** Shown below the text on channels without buttons. */
  inWords?: string
}

/** One message to one person, within the channel's length limit. */
export interface ChatMessage {
  /** The address from `Source`. */
  address: string
  numberId?: string | undefined
  topicId?: number | undefined
  text: string
  /** The provider's id of the message to quote; some channels can't quote. */
  quote?: string | undefined
  /** A file, with the text as its caption. */
  file?: { name: string; content: string | Buffer } | undefined
  choices?: Choices | undefined
  /** Whether the text is sent as the value of the approved template, which alone is delivered after the 24 hours. */
  asTemplate?: boolean | undefined
}

/** WhatsApp's and Twilio's codes for a refusal because the person hasn't written for 24 hours. */
export const WINDOW_CLOSED = ['131047', '63016']

/** Codes of failures caused by our account: until an operator acts, WhatsApp delivers nothing in any way. */
export const ACCOUNT_STOPPED = ['131031', '131042', '131048']

/** Appends a paragraph to a text, if there is one. */
export const withBelow = (text: string, below: string | undefined): string =>
  below ? `${text}\n\n${below}` : text

/** Returns a text as a template's value, in which line breaks aren't allowed. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Returns the media type of a file. WhatsApp accepts subtitles and Markdown as plain text. */
export function mimeOf(name: string): string {
  if (name.endsWith('.pdf')) return 'application/pdf'
  return name.endsWith('.docx') ? DOCX : 'text/plain'
}

/** Outcome of sending a message. `refused`: sending it again would be refused as well. */
export type SendResult =
  | { outcome: 'sent'; id: string }
  | { outcome: 'refused'; code: string; message: string }

/** A channel for replies to people in their chat. All methods throw if a retry may help. */
export interface ChatChannel {
  /** Longest text of one message, in UTF-16 code units. */
  maxLength: number
  /** Whether there is an approved template. */
  hasTemplate: boolean
  send(message: ChatMessage): Promise<SendResult>
  /** Marks a message as read if the channel can, and may show typing for a while. */
  markRead?(source: Source, isTyping: boolean): Promise<void>
  /** Counts the code of a message that failed after it was accepted. */
  countFailure?(code: string): void
  /** Interval for showing typing again while work continues. */
  typingMs?: number
}
