import {
  type EventOf,
  type HandlersFor,
  messageOf,
  type NoteSource,
  OwnershipAsked,
  type Source,
} from '@voxscribe/contracts/events'
import {
  ACCOUNT_BLOCKED,
  DAY_IS_FULL,
  DELETED,
  DOUBTFUL,
  ENGLISH_ONLY,
  type Reason,
  reason as reasonOf,
  sentenceOf,
} from '@voxscribe/contracts/reasons'
import type { I18n } from '@voxscribe/languages'
import type { Choices } from '../chat/chat.ts'
import {
  commandChoices,
  delayedText,
  failureText,
  languageChoices,
  ownershipText,
  rejectionText,
  summaryOf,
  transcriptSaid,
  waitingText,
} from '../chat/chat-texts.ts'
import { DAY_MS } from '../delivery/outbound.ts'
import { i18nOf, otherLanguagesOf, type Person } from '../delivery/people.ts'
import type { Deps } from './deps.ts'
import { chatKey } from './on-senders.ts'

const MINUTE_MS = 60_000
/** Longer than an event is retried. */
const DELETION_KEPT_MS = 60 * DAY_MS

/** Reasons of rejections that hold for all of a person's notes: said once a day. */
const OF_THE_DAY = [ACCOUNT_BLOCKED, DAY_IS_FULL]

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

/** Sends the outcomes of notes to their chats. The keys are the note's, not the event's: one note, one answer. */
export function createNoteHandlers({ outbound, answers, people, claims, hooks }: Deps) {
  const speaks = async (userId: string) => i18nOf(await people.byId(userId))
  const deletionOf = (id: string) => `deleted:${id}`

  /** Leaves out what the person was already told about this installation today. */
  async function withoutRepeats({ id, data }: EventOf<'TranscriptionCompleted'>) {
    const isOfInstallation = ({ code }: Reason) => code === ENGLISH_ONLY
    if (!data.notices.some(isOfInstallation)) return data
    if (await claims.onceIn(DAY_MS, `${ENGLISH_ONLY}:${data.userId}`, id)) return data
    return { ...data, notices: data.notices.filter(notice => !isOfInstallation(notice)) }
  }

  /** Returns what the first answer to a claimed number ends with: whose account it is; else nothing. */
  async function ownerIn(event: Answered, { claimed }: Source): Promise<string> {
    const { userId } = event.data
    const person = claimed && (await people.of(userId, event))
    if (!person) return ''
    const { phoneClaimedAt } = person
    // OwnershipAsked is in the same write, so ingestion knows of the question before the person can answer.
    const asked = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
    const asks = await claims.once(`ownership:${userId}:${phoneClaimedAt}`, event.id, asked)
    return asks ? `\n\n${ownershipText(i18nOf(person), person.email)}` : ''
  }

  async function fails(
    event: Answered,
    transcriptionId: string,
    key: string,
    source: Source,
    why: (i18n: I18n) => string,
  ): Promise<void> {
    const { userId } = event.data
    await people.rememberChat(userId, source, event.occurredAt)
    const text = why(await speaks(userId)) + (await ownerIn(event, source))
    const answer = { transcriptionId, userId, source, title: '', text, summary: '' }
    await answers.give(`failed:${key}`, answer)
  }

  /** Says, once for a note and once a minute in a chat, that its text takes a while. */
  async function reassure(
    id: string,
    { source, userId }: { source: Source; userId: string },
    textIn: (i18n: I18n) => string,
  ): Promise<void> {
    if (await answers.isGiven(id)) return
    const isFirst = await claims.onceIn(MINUTE_MS, `reassured:${chatKey(source)}`, id)
    if (isFirst) await outbound.chat(`waiting:${id}`, source, textIn(await speaks(userId)))
  }

  return {
    async TranscriptionCompleted(event) {
      const { transcriptionId, userId, title, language } = event.data
      if (await claims.isHeld(deletionOf(transcriptionId))) return
      await hooks.announce('transcription.completed', event, event.data.item)
      const source = messageToAnswer(event.data)
      if (!source) return
      const answer = async () => {
        const [said, person] = await Promise.all([withoutRepeats(event), people.byId(userId)])
        const i18n = i18nOf(person)
        const summary = summaryOf(i18n, said) + (await ownerIn(event, source))
        const text = transcriptSaid(i18n, said)
        const choices = choicesFor(i18n, event.data, person)
        const note = { transcriptionId, userId, source, title, text, summary, choices }
        await answers.give(`completed:${keyOf(event.data)}`, note)
      }
      await Promise.all([answer(), people.rememberChat(userId, source, event.occurredAt, language)])
    },
    async TranscriptionFailed(event) {
      const { transcriptionId, reason } = event.data
      if (reason.code === DELETED || (await claims.isHeld(deletionOf(transcriptionId)))) return
      await hooks.announce('transcription.failed', event, event.data.item)
      const source = messageToAnswer(event.data)
      if (!source) return
      const why = (i18n: I18n) =>
        event.data.asked ? sentenceOf(i18n, reasonOf('refresh_failed', reason)) : failureText(i18n, reason)
      await fails(event, transcriptionId, keyOf(event.data), source, why)
    },
    async MediaRejected(event) {
      const { mediaId, userId, source, fileName, reason } = event.data
      const key = `rejected:${reason.code}:${userId}`
      if (OF_THE_DAY.includes(reason.code) && !(await claims.onceIn(DAY_MS, key, event.id))) return
      await fails(event, mediaId, mediaId, source, i18n => rejectionText(i18n, fileName, reason))
    },
    MessageFailed: event => answers.failed(event),
    async MediaAnnounced({ data }) {
      await outbound.markRead(data.source)
    },
    MediaDelayed: ({ data }) => reassure(data.mediaId, data, i18n => delayedText(i18n, data.fileName)),
    NoteQueued: ({ data }) => reassure(keyOf(data), data, i18n => waitingText(i18n, data.waitSeconds)),
    /** Of a note that was withdrawn, too. Its texts that come late, or are tried again, go nowhere. */
    async TranscriptionDeleted(event) {
      const { mediaId: id } = event.data
      await claims.onceIn(DELETION_KEPT_MS, deletionOf(id), event.id)
      await Promise.all([answers.forget(id), hooks.forgetNote(id)])
      await hooks.announce('transcription.deleted', event, { id })
    },
    NoteWithdrawn: ({ data }) => answers.forget(data.mediaId),
  } satisfies Partial<HandlersFor<'notification'>>
}

/** Offers another language for a doubtful text, where more than English can be recognised, and help for none. */
function choicesFor(
  i18n: I18n,
  { text, language, notices }: EventOf<'TranscriptionCompleted'>['data'],
  person: Person | null,
): Choices | undefined {
  if (!text.trim()) return commandChoices(i18n)
  const has = (code: string) => notices.some(notice => notice.code === code)
  if (!person || !has(DOUBTFUL) || has(ENGLISH_ONLY)) return undefined
  return languageChoices(i18n, otherLanguagesOf(person, language))
}

interface Attempt {
  transcriptionId: string
  attempt: number
  source: NoteSource
  asked?: Source | undefined
}

/**
 * A refresh that was asked for in the chat answers that command. Any other was asked for in the web application and is
 * seen there; its chat may be someone else's by now.
 */
const messageToAnswer = ({ attempt, source, asked }: Attempt): Source | null =>
  asked ?? (attempt > 1 ? null : messageOf(source))

/** One answer for each attempt that is answered. */
const keyOf = ({
  transcriptionId,
  attempt = 1,
}: Pick<Attempt, 'transcriptionId'> & Partial<Attempt>): string =>
  attempt > 1 ? `${transcriptionId}:${attempt}` : transcriptionId
