import type { HandlersFor, Source } from '@voxscribe/contracts/events'
import { english } from '@voxscribe/languages'
import { commandText, disownedText, linkedText, refusedText, strangerText } from '../chat/chat-texts.ts'
import { DAY_MS } from '../delivery/outbound.ts'
import { i18nOf } from '../delivery/people.ts'
import { disownedMail } from '../mail/mails.ts'
import type { Deps } from './deps.ts'

const TEN_MINUTES_MS = 600_000
const HOUR_MS = 3_600_000

const chatKey = ({ channel, address }: Source) => `${channel}:${address}`

/** Replies to texts, and sends the messages about which account a chat belongs to. */
export function createSenderHandlers({ outbound, people, claims, publicUrl }: Deps) {
  return {
    async SenderUnknown({ id, data, occurredAt }) {
      // The message overtook its sender's sign-up event: ingestion announces the note once that arrives.
      if (await people.justClaimed(data.source.address, occurredAt)) return
      const { isNote, noteWaits, source } = data
      const [ms, what] = isNote ? [TEN_MINUTES_MS, 'stranger-note'] : [DAY_MS, 'stranger']
      if (!(await claims.onceIn(ms, `${what}:${chatKey(source)}`, id))) return
      await outbound.chat(
        `unknown:${id}`,
        source,
        strangerText(english, noteWaits, source.address, publicUrl),
      )
    },
    async SenderLinked({ id, data, occurredAt }) {
      await people.rememberChat(data.userId, data.source, occurredAt)
      const person = await people.byId(data.userId)
      await outbound.chat(`linked:${id}`, data.source, linkedText(i18nOf(person), person?.firstName))
    },
    async NumberDisowned({ id, data }) {
      await people.forgetChat(data.userId)
      await outbound.chat(
        `disowned:${id}:chat`,
        data.source,
        disownedText(i18nOf(await people.byId(data.userId)), publicUrl),
      )
      const person = await people.byId(data.userId)
      if (person)
        await outbound.mail(
          `disowned:${id}:mail`,
          disownedMail(i18nOf(person), person, data.phone, publicUrl),
        )
    },
    async MessageRefused({ id, data }) {
      const { reason, source } = data
      const key = `refused:${reason.code}:${chatKey(source)}`
      // Many pictures at once get one answer.
      if (reason.code === 'nothing_to_hear' && !(await claims.onceIn(TEN_MINUTES_MS, key, id))) return
      await outbound.chat(
        `message-refused:${id}`,
        source,
        refusedText(i18nOf(await people.inChat(source)), reason, publicUrl),
      )
    },
    /** Commands are always answered, what is not understood once an hour. */
    async BalanceTold({ id, data }) {
      const { command, source } = data
      if (command === 'hint' && !(await claims.onceIn(HOUR_MS, `hint:${chatKey(source)}`, id))) return
      await outbound.chat(
        `balance:${id}`,
        source,
        commandText[command](i18nOf(await people.byId(data.userId)), data, publicUrl),
      )
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
