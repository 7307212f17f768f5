import {
  type EventOf,
  type HandlersFor,
  messageOf,
  type NoteSource,
  OwnershipAsked,
  type Source,
} from '@voxscribe/contracts/events'
import {
  DELETED,
  ENGLISH_ONLY,
  type Reason,
  reason as reasonOf,
  sentenceOf,
} from '@voxscribe/contracts/reasons'
import type { I18n } from '@voxscribe/languages'
import {
  delayedText,
  failureText,
  ownershipText,
  queuedText,
  rejectionText,
  summaryOf,
  transcriptSaid,
} from '../chat/chat-texts.ts'
import { DAY_MS } from '../delivery/outbound.ts'
import { i18nOf } from '../delivery/people.ts'
import type { Deps } from './deps.ts'

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

/** Sends the outcomes of notes to their chats. The keys are the note's, not the event's: one note, one answer. */
export function createNoteHandlers({ outbound, answers, people, claims }: Deps) {
  const speaks = async (userId: string) => i18nOf(await people.byId(userId))

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

  return {
    async TranscriptionCompleted(event) {
      const { transcriptionId, userId, title } = event.data
      const source = messageToAnswer(event.data)
      if (!source) return
      const answer = async () => {
        const [said, i18n] = await Promise.all([withoutRepeats(event), speaks(userId)])
        const summary = summaryOf(i18n, said) + (await ownerIn(event, source))
        const note = { transcriptionId, userId, source, title, text: transcriptSaid(i18n, said), summary }
        await answers.give(`completed:${keyOf(event.data)}`, note)
      }
      // The answer must not wait for the rest.
      await Promise.all([
        answer(),
        people.rememberChat(userId, source, event.occurredAt),
        outbound.markRead(source),
      ])
    },
    async TranscriptionFailed(event) {
      const { transcriptionId, reason } = event.data
      const source = messageToAnswer(event.data)
      if (!source || reason.code === DELETED) return
      const why = (i18n: I18n) =>
        event.data.asked ? sentenceOf(i18n, reasonOf('refresh_failed', reason)) : failureText(i18n, reason)
      await fails(event, transcriptionId, keyOf(event.data), source, why)
    },
    async MediaRejected(event) {
      const { mediaId, source, fileName, reason } = event.data
      await fails(event, mediaId, mediaId, source, i18n => rejectionText(i18n, fileName, reason))
    },
    MessageFailed: event => answers.failed(event),
    async MediaDelayed({ data }) {
      await outbound.chat(
        `delayed:${data.mediaId}`,
        data.source,
        delayedText(await speaks(data.userId), data.fileName),
      )
    },
    async NoteQueued({ data }) {
      await outbound.chat(
        `queued:${data.transcriptionId}`,
        data.source,
        queuedText(await speaks(data.userId), data.waitSeconds),
      )
    },
  } satisfies Partial<HandlersFor<'notification'>>
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
const keyOf = ({ transcriptionId, attempt }: Attempt): string =>
  attempt > 1 ? `${transcriptionId}:${attempt}` : transcriptionId
