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

  /** Returns what the first answer to a claimed number ends with: whose account it is; else nothing. */
  async function ownerIn(event: Answered, { claimed }: Source): Promise<string> {
    const { userId } = event.data
    const person = claimed && (await people.of(userId, event))
    if (!person) return ''
    const { phoneClaimedAt } = person
    // OwnershipAsked is in the same write, so ingestion knows of the question before the person can answer.
    const asked = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
    const asks = await claims.once(`ownership:${userId}:${phoneClaimedAt}`, event.id, asked)
    return asks ? `\n\n${ownershipText(person.email)}` : ''
  }

  async function fails(event: Answered, transcriptionId: string, source: Source, why: string): Promise<void> {
    const { userId } = event.data
    await people.rememberChat(userId, source, event.occurredAt)
    const text = why + (await ownerIn(event, source))
    const answer = { transcriptionId, userId, source, title: '', text, summary: '' }
    await answers.give(`failed:${transcriptionId}`, answer)
  }

  return {
    async TranscriptionCompleted(event) {
      const { transcriptionId, userId, title } = event.data
      const source = messageToAnswer(event.data)
      if (!source) return
      const answer = async () => {
        const said = await withoutRepeats(event)
        const summary = summaryOf(said) + (await ownerIn(event, source))
        const note = { transcriptionId, userId, source, title, text: transcriptSaid(said), summary }
        await answers.give(`completed:${transcriptionId}`, note)
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
      if (source && reason.code !== DELETED) await fails(event, transcriptionId, source, failureText(reason))
    },
    async MediaRejected(event) {
      const { mediaId, source, fileName, reason } = event.data
      await fails(event, mediaId, source, rejectionText(fileName, reason))
    },
    MessageFailed: event => answers.failed(event),
    async MediaDelayed({ data }) {
      await outbound.chat(`delayed:${data.mediaId}`, data.source, delayedText(data.fileName))
    },
    async NoteQueued({ data }) {
      await outbound.chat(`queued:${data.transcriptionId}`, data.source, queuedText(data.waitSeconds))
    },
  } satisfies Partial<HandlersFor<'notification'>>
}

/** A refresh was asked for in the web application and is seen there; its chat may be someone else's by now. */
const messageToAnswer = ({ attempt, source }: { attempt: number; source: NoteSource }) =>
  attempt > 1 ? null : messageOf(source)
