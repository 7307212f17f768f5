/** A messenger that brings notes and takes their answers. */
interface Messenger {
  /** Name that the page shows for notes that came through it. */
  label: string
  /** Kind of its user ids. An id is only valid within one business, and Twilio's business need not be ours. */
  idKind: string
  /** Whether we are billed for its messages. */
  isBilled: boolean
}

export const MESSENGERS = {
  whatsapp: { label: 'WhatsApp', idKind: 'id', isBilled: true },
  twilio: { label: 'WhatsApp (Twilio)', idKind: 'twilio-id', isBilled: true },
  telegram: { label: 'Telegram', idKind: 'telegram-id', isBilled: false },
} as const satisfies Record<string, Messenger>
export type MessengerName = keyof typeof MESSENGERS
export const MESSENGER_NAMES = Object.keys(MESSENGERS) as [MessengerName, ...MessengerName[]]

/** Channels through which notes arrive. */
export const NOTE_SOURCES = [...MESSENGER_NAMES, 'web', 'api'] as const
