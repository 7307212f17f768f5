/** A messenger that brings notes and takes their answers. */
interface Messenger {
  /** Its name on the page, for notes that came by it. */
  label: string
  /** The kind of its own ids of people: an id is one business', which Twilio's is not ours by necessity. */
  idKind: string
  /** Whether somebody bills us for a message. */
  isBilled: boolean
}

export const MESSENGERS = {
  whatsapp: { label: 'WhatsApp', idKind: 'id', isBilled: true },
  twilio: { label: 'WhatsApp (Twilio)', idKind: 'twilio-id', isBilled: true },
  telegram: { label: 'Telegram', idKind: 'telegram-id', isBilled: false },
} as const satisfies Record<string, Messenger>
export type MessengerName = keyof typeof MESSENGERS
export const MESSENGER_NAMES = Object.keys(MESSENGERS) as [MessengerName, ...MessengerName[]]

/** Channels by which notes come. */
export const NOTE_SOURCES = [...MESSENGER_NAMES, 'web', 'api'] as const
