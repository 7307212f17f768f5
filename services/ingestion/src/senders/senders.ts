import type { Source } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'

/** The sender of a message: at least one of the two is known. */
export interface Sender {
  channel: Source['channel']
  /** Digits as the provider reports them; null when the sender hides the number. */
  phone: string | null
  /** WhatsApp's business-scoped user id; null on channels without one. */
  whatsappUserId: string | null
}

/** Returns the address of an answer to the sender. */
export const addressOf = ({ phone, whatsappUserId }: Sender): string => phone ?? whatsappUserId ?? ''

/** One key for each telephone line, however it is written. */
export const phoneKey = (digits: string): string => `phone:${lineOf(digits)}`

/** The number of such a key. */
export const digitsOf = (key: string | null): string => (key ?? '').replace('phone:', '')

const userIdKey = (whatsappUserId: string) => `id:${whatsappUserId}`

/** The keys a sender is known by, the number first: it is what people registered with. */
export const senderKeys = ({ phone, whatsappUserId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(whatsappUserId ? [userIdKey(whatsappUserId)] : []),
]
