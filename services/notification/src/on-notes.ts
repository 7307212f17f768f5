import { DELETED, type EventOf, type HandlersFor } from '@voxscribe/contracts/events'
import { failureText, ownershipText, rejectionText, summaryOf, transcriptSaid } from './chat/chat-texts.ts'
import type { Ownership } from './chat/ownership.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'

interface Deps {
  outbound: Outbound
  people: People
  ownership: Ownership
}

type Answered = EventOf<'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'>

/** Answers to notes, in the chat they came from. The keys are the note's, not the event's: one note, one answer. */
export function onNotes({
  outbound,
  people,
  ownership,
}: Deps): Pick<
  HandlersFor<'notification'>,
  'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'
> {
  /** The answer; the first to a number that is only claimed also says whose account it is. */
  async function withOwner(event: Answered, text: string): Promise<string> {
    const { userId, source } = event.data
    if (!source.claimed) return text
    const person = await people.byId(userId)
    // The news of the account may still be on its way: the event comes again.
    if (!person) throw new Error(`Account ${userId} is not known yet`)
    const asks = await ownership.claim(event, person.phoneClaimedAt)
    return asks ? `${text}\n\n${ownershipText(person.email)}` : text
  }

  return {
    async TranscriptionCompleted(event) {
      const { data, occurredAt } = event
      // A refresh was asked for in the web application and is seen there; its chat may be someone else's by now.
      if (data.attempt > 1) return
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      await outbound.markRead(data.source)
      const summary = await withOwner(event, summaryOf(data))
      await outbound.transcript(
        `completed:${data.transcriptionId}`,
        data.source,
        transcriptSaid(data),
        summary,
      )
    },
    async TranscriptionFailed(event) {
      const { data, occurredAt } = event
      if (data.attempt > 1 || data.reason.code === DELETED) return
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      const text = await withOwner(event, failureText(data.reason))
      await outbound.chat(`failed:${data.transcriptionId}`, data.source, text)
    },
    async MediaRejected(event) {
      const { data, occurredAt } = event
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      const text = await withOwner(event, rejectionText(data.fileName, data.reason))
      await outbound.chat(`failed:${data.mediaId}`, data.source, text)
    },
  }
}
