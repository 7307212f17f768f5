import { derivedId } from '@voxscribe/contracts/events'
import type { Mail } from '../mail/mailer.ts'
import { confirmAddressMail } from '../mail/mails.ts'
import type { Outbound } from './outbound.ts'
import { i18nOf, type People, type Person } from './people.ts'
import type { Sent, SentEvent } from './sendings.ts'

interface Deps {
  outbound: Pick<Outbound, 'mail'>
  people: Pick<People, 'byId'>
  publicUrl: string
}

/** Mails to people, by whether their address is proved. */
export function createPersonMails({ outbound, people, publicUrl }: Deps) {
  return {
    /** Sends only to a proved address. Another one gets a daily request to confirm it, and the result is undefined. */
    async toProved(
      key: string,
      person: Person,
      mail: Mail,
      sentEvent?: SentEvent,
    ): Promise<Sent | undefined> {
      const { _id, email, provedEmail = email, confirmToken } = person
      if (provedEmail === email) return outbound.mail(key, mail, sentEvent)
      const day = new Date().toISOString().slice(0, 10)
      const url = `${publicUrl}/confirm-email?token=${confirmToken}`
      const confirmation = confirmAddressMail(i18nOf(person), person, url)
      if (confirmToken) await outbound.mail(`confirm:${derivedId('confirm', _id, email, day)}`, confirmation)
      return undefined
    },

    /** Sends a mail about an account's safety to its address, and to the last proved one. */
    async aboutSafety(key: string, userId: string, mail: Mail): Promise<void> {
      const proved = (await people.byId(userId))?.provedEmail ?? mail.to
      await outbound.mail(key, mail)
      if (proved !== mail.to) await outbound.mail(`${key}:proved`, { ...mail, to: proved })
    },
  }
}
export type PersonMails = ReturnType<typeof createPersonMails>
