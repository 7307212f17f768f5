import type { Source } from '@voxscribe/contracts/events'

/** Who wrote: at least one of the two is known. */
export interface Sender {
  channel: Source['channel']
  /** Digits as the provider reports them; null when the sender hides the number. */
  phone: string | null
  /** WhatsApp's business-scoped user id; null on channels without one. */
  whatsappUserId: string | null
}

/** What an answer is addressed to. */
export const addressOf = ({ phone, whatsappUserId }: Sender): string => phone ?? whatsappUserId ?? ''

/**
 * One spelling for each telephone line. WhatsApp's ids keep a mobile digit that Mexico (1) has dropped and
 * Argentina (9) uses only from abroad, and lack the 9 that Brazil has put before mobile numbers. A Brazilian landline
 * begins with 2 to 5, so it never meets a mobile number here.
 */
export function phoneKey(digits: string): string {
  const line = digits
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1')
    .replace(/^55(\d{2})9([6-9]\d{7})$/, '55$1$2')
  return `phone:${line}`
}

const userIdKey = (whatsappUserId: string) => `id:${whatsappUserId}`

/** The keys a sender is known by, the number first: it is what people registered with. */
export const senderKeys = ({ phone, whatsappUserId }: Sender): string[] => [
  ...(phone ? [phoneKey(phone)] : []),
  ...(whatsappUserId ? [userIdKey(whatsappUserId)] : []),
]
