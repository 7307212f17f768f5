import type { HandlersFor } from '@voxscribe/contracts/events'
import { sentenceOf } from '@voxscribe/contracts/reasons'
import { disownedText, linkedText, strangerText } from '../chat/chat-texts.ts'
import { disownedMail } from '../mail/mails.ts'
import type { Deps } from './deps.ts'

/** Sends the messages about which account a chat belongs to. */
export function createSenderHandlers({ outbound, people, claims, publicUrl }: Deps) {
  return {
    async SenderUnknown({ id, data, occurredAt }) {
      // The message overtook its sender's sign-up event: ingestion announces the note once that arrives.
      if (await people.justClaimed(data.source.address, new Date(occurredAt))) return
      const { channel, address } = data.source
      if (!(await claims.daily(`stranger:${channel}:${address}`, id))) return
      await outbound.chat(`unknown:${id}`, data.source, strangerText(data.noteWaits, publicUrl))
    },
    async SenderLinked({ id, data, occurredAt }) {
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      const person = await people.byId(data.userId)
      await outbound.chat(`linked:${id}`, data.source, linkedText(person?.firstName))
    },
    async NumberDisowned({ id, data }) {
      await people.forgetChat(data.userId)
      await outbound.chat(`disowned:${id}:chat`, data.source, disownedText(publicUrl))
      const person = await people.byId(data.userId)
      if (person) await outbound.mail(`disowned:${id}:mail`, disownedMail(person, data.phone, publicUrl))
    },
    async LinkRefused({ id, data }) {
      await outbound.chat(`link-refused:${id}`, data.source, sentenceOf(data.reason))
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
