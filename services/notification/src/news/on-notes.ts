import {
  type EventOf,
  type HandlersFor,
  messageOf,
  type NoteSource,
  OwnershipAsked,
  type Source,
} from '@voxscribe/contracts/events'
import { DELETED, ENGLISH_ONLY, type Reason } from '@voxscribe/contracts/reasons'
import {
  delayedText,
  failureText,
  ownershipText,
  queuedText,
  rejectionText,
  summaryOf,
  transcriptSaid,
} from '../chat/chat-texts.ts'
import { DAY_MS } from '../delivery/claims.ts'
import type { Deps } from './deps.ts'

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

/** Sends the outcomes of notes to their chats. The keys are the note's, not the event's: one note, one answer. */
export function createNoteHandlers({ outbound, answers, people, claims }: Deps) {
  /** Leaves out what the person was already told about this installation today. */
  async function withoutRepeats({ id, data }: EventOf<'TranscriptionCompleted'>) {
    const isOfInstallation = ({ code }: Reason) => code === ENGLISH_ONLY
    if (!data.notices.some(isOfInstallation)) return data
    if (await claims.onceIn(DAY_MS, `${ENGLISH_ONLY}:${data.userId}`, id)) return data
    return { ...data, notices: data.notices.filter(notice => !isOfInstallation(notice)) }
  }

  /** Returns the answer; the first to a claimed number also names the account. */
  async function withOwner(event: Answered, message: Source, text: string): Promise<string> {
    const { userId } = event.data
    if (!message.claimed) return text
    const person = await people.of(userId, event)
    if (!person) return text
    const { phoneClaimedAt } = person
    // OwnershipAsked is in the same write, so ingestion knows of the question before the person can answer.
    const asked = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
    const asks = await claims.once(`ownership:${userId}:${phoneClaimedAt}`, event.id, asked)
    return asks ? `${text}\n\n${ownershipText(person.email)}` : text
  }

  return {
    async TranscriptionCompleted(event) {
      const { data, occurredAt } = event
      const message = messageToAnswer(data)
      if (!message) return
      const { transcriptionId, userId, title } = data
      const answer = async () => {
        const said = await withoutRepeats(event)
        const summary = await withOwner(event, message, summaryOf(said))
        const text = transcriptSaid(said)
        const note = { transcriptionId, userId, source: message, title, text, summary }
        await answers.give(`completed:${transcriptionId}`, note)
      }
      // The answer must not wait for the rest.
      await Promise.all([
        answer(),
        people.rememberChat(userId, message, new Date(occurredAt)),
        outbound.markRead(message),
      ])
    },
    async TranscriptionFailed(event) {
      const { data, occurredAt } = event
      const message = messageToAnswer(data)
      if (!message || data.reason.code === DELETED) return
      await people.rememberChat(data.userId, message, new Date(occurredAt))
      const text = await withOwner(event, message, failureText(data.reason))
      const { transcriptionId, userId } = data
      await answers.give(`failed:${transcriptionId}`, { transcriptionId, userId, source: message, text })
    },
    MessageFailed: event => answers.failed(event),
    async MediaDelayed({ data }) {
      await outbound.chat(`delayed:${data.mediaId}`, data.source, delayedText(data.fileName))
    },
    async NoteQueued({ data }) {
      await outbound.chat(`queued:${data.transcriptionId}`, data.source, queuedText(data.waitSeconds))
    },
    async MediaRejected(event) {
      const { data, occurredAt } = event
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      const text = await withOwner(event, data.source, rejectionText(data.fileName, data.reason))
      const { mediaId: transcriptionId, userId, source } = data
      await answers.give(`failed:${transcriptionId}`, { transcriptionId, userId, source, text })
    },
  } satisfies Partial<HandlersFor<'notification'>>
}

/** A refresh was asked for in the web application and is seen there; its chat may be someone else's by now. */
const messageToAnswer = ({ attempt, source }: { attempt: number; source: NoteSource }) =>
  attempt > 1 ? null : messageOf(source)
