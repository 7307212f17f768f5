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

/** One key for each telephone line, however it is written. */
export const phoneKey = (digits: string): string => `phone:${lineOf(digits)}`

/** Returns the digits of such a key. */
export const digitsOf = (key: string | null): string => (key ?? '').replace('phone:', '')

const userIdKey = (whatsappUserId: string) => `id:${whatsappUserId}`

/** Returns the keys of a sender, first that of the number, which accounts register with. */
export const senderKeys = ({ phone, whatsappUserId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(whatsappUserId ? [userIdKey(whatsappUserId)] : []),
]
