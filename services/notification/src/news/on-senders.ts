import { AnswerSent, type EventOf, type HandlersFor, type Source } from '@voxscribe/contracts/events'
import { ACCOUNT_BLOCKED } from '@voxscribe/contracts/reasons'
import { i18nFor } from '@voxscribe/languages/node'
import type { Choices } from '../chat/chat.ts'
import {
  cancelChoices,
  commandChoices,
  commandText,
  disownedText,
  excerptOf,
  linkedText,
  meaningChoices,
  namesOfLanguages,
  noteChoices,
  refusedText,
  strangerText,
  unclearChoices,
  unclearText,
  yesOrNo,
} from '../chat/chat-texts.ts'
import { fileOf, fileRefusedText, languageChosenText, outcomeText } from '../chat/command-texts.ts'
import type { Deps } from '../deps.ts'
import { disownedMail } from '../mail/mails.ts'
import { chatKey, DAY_MS } from '../sending/outbound.ts'
import { i18nOf, i18nOfStranger, languagesToChoose, type Person } from '../sending/people.ts'

const TEN_MINUTES_MS = 600_000
const HOUR_MS = 3_600_000

/** Interval for repeating a refusal in a chat, so that many pictures at once get one reply. */
const ONCE_IN_MS: Record<string, number> = { nothing_to_hear: TEN_MINUTES_MS, [ACCOUNT_BLOCKED]: DAY_MS }

/** Replies to texts, and sends the messages about which account a chat belongs to. */
export function createSenderHandlers(deps: Deps) {
  const { outbound, mails, people, claims, publicUrl, signupUrl, hasTextModel, offer } = deps
  const here = { publicUrl, hasTextModel, offer }
  /** Returns the texts in the language of the chat's person; for an unknown sender, in their country's language. */
  async function i18nIn(source: Source) {
    const person = await people.inChat(source)
    return person ? i18nOf(person) : i18nOfStranger(source)
  }

  function choicesBelow(
    { outcome, transcriptionId }: EventOf<'NoteCommandDone'>['data'],
    person: Person | null,
  ): Choices | undefined {
    const i18n = i18nOf(person)
    if (outcome.kind === 'choices') return namesOfLanguages(i18n, languagesToChoose(person, outcome.taken))
    if (outcome.kind === 'cancel') return cancelChoices(i18n, offer)
    if (outcome.kind === 'meant') return yesOrNo(i18n)
    if (outcome.kind === 'which') return meaningChoices(i18n, outcome.language)
    if (outcome.kind === 'offer')
      return transcriptionId ? noteChoices(i18n, hasTextModel) : commandChoices(i18n, offer)
    return undefined
  }

  /** Whether another message in this chat wasn't understood within the last hour. Idempotent per event. */
  const wasUnclear = async (source: Source, about: 'hint' | 'offer', eventId: string): Promise<boolean> =>
    !(await claims.onceIn(HOUR_MS, `${about}:${chatKey(source)}`, eventId))

  return {
    async SenderUnknown({ id, data, occurredAt }) {
      // The message overtook its sender's sign-up event; ingestion announces the note once that arrives.
      const { isNote, noteWaits, isRival, source } = data
      if (!isRival && (await people.justClaimed(source.address, occurredAt))) return
      const { address } = source
      // A rival has a separate limit, because the number's owner may have been invited a moment ago.
      const who = `stranger${isRival ? '-rival' : ''}`
      const isFirst = await claims.onceIn(HOUR_MS, `${who}:${chatKey(source)}`, id)
      // An invitation sent for a note isn't repeated for a text.
      if (isNote && !(await claims.onceIn(TEN_MINUTES_MS, `${who}-note:${chatKey(source)}`, id))) return
      if (!isNote && !isFirst) return
      const text = strangerText(i18nOfStranger(source), { noteWaits, address, signupUrl, offer })
      await outbound.chat(`unknown:${id}`, source, text)
    },
    async SenderLinked({ id, data, occurredAt }) {
      await people.rememberChat(data.userId, data.source, occurredAt)
      // The reply to the waiting note says so.
      if (data.notes) return people.sayLinked(data.userId, true)
      const person = await people.byId(data.userId)
      await outbound.chat(`linked:${id}`, data.source, linkedText(i18nOf(person), person?.firstName))
    },
    async NumberDisowned({ id, data }) {
      await people.forgetChat(data.userId)
      const person = await people.byId(data.userId)
      const i18n = i18nOf(person)
      await outbound.chat(`disowned:${id}:chat`, data.source, disownedText(i18n, signupUrl))
      if (!person) return
      const mail = disownedMail(i18n, person, data, deps)
      await mails.aboutSafety(`disowned:${id}:mail`, data.userId, mail)
    },
    async MessageRefused({ id, data }) {
      const { reason, source } = data
      const key = `refused:${reason.code}:${chatKey(source)}`
      const ms = ONCE_IN_MS[reason.code]
      if (ms && !(await claims.onceIn(ms, key, id))) return
      const text = refusedText(await i18nIn(source), reason, publicUrl)
      await outbound.chat(`message-refused:${id}`, source, text)
    },
    async LanguageChosen({ id, data }) {
      const text = languageChosenText(i18nFor(data.uiLanguage), data.uiLanguage)
      await outbound.chat(`language:${id}`, data.source, text)
    },
    /** A quote of the command or of its reply refers to the same note. */
    async NoteCommandDone(event) {
      const { userId, transcriptionId, outcome, source } = event.data
      const person = await people.byId(userId)
      const [i18n, key] = [i18nOf(person), `command:${event.id}`]
      const isUnclear = outcome.kind === 'offer'
      const isAgain = isUnclear && (await wasUnclear(source, transcriptionId ? 'offer' : 'hint', event.id))
      const said = isAgain
        ? unclearText(i18n)
        : isUnclear && !transcriptionId
          ? i18n.t('I didn’t understand that. Send “help” to see what I can do.')
          : outcomeText(i18n, outcome, publicUrl)
      const isTooLong = said.length > outbound.channelOf(source).maxLength
      const file = fileOf(i18n, outcome, isTooLong, () => outcomeText(i18n, outcome, publicUrl, text => text))
      const choices =
        isAgain && !transcriptionId ? unclearChoices(i18n, offer) : choicesBelow(event.data, person)
      const isOpen =
        outcome.kind === 'meant' ||
        outcome.kind === 'todos' ||
        ((outcome.kind === 'found' || outcome.kind === 'answered') && outcome.notes.length > 1)
      const searchId = isOpen ? (event.causeId ?? undefined) : undefined
      const about = searchId ?? transcriptionId
      const quotable = (transcriptionId: string) => (messageId: string) => {
        const messageIds = [messageId, source.messageId]
        return AnswerSent.causedBy(event, { transcriptionId, userId, way: 'command', messageIds, searchId })
      }
      const answer = await outbound.chat(key, source, file ? excerptOf(said) : said, {
        file,
        choices,
        ...(about && { sentEvent: quotable(about) }),
      })
      if (answer.outcome === 'refused' && file)
        await outbound.chat(`${key}:text`, source, fileRefusedText(i18n, publicUrl))
    },
    /** Replies to commands. A message that isn't understood gets the full reply once an hour, then a shorter one. */
    async BalanceTold({ id, data }) {
      const { command, source } = data
      const i18n = await people.i18n(data.userId)
      const isAgain = command === 'hint' && (await wasUnclear(source, 'hint', id))
      const unclear = isAgain ? unclearChoices(i18n, offer) : commandChoices(i18n, offer)
      const choices = command === 'hint' ? unclear : undefined
      const text = isAgain ? unclearText(i18n) : commandText[command](i18n, data, here)
      await outbound.chat(`balance:${id}`, source, text, { choices })
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
