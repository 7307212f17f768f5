import { DELETED, type HandlersFor } from '@voxscribe/contracts/events'
import { failureText, rejectionText, summaryOf, transcriptSaid } from './chat/chat-texts.ts'
import type { Outbound } from './outbound.ts'
import type { People } from './people.ts'

interface Deps {
  outbound: Outbound
  people: People
}

/** Answers to notes, in the chat they came from. The keys are the note's, not the event's: one note, one answer. */
export function onNotes({
  outbound,
  people,
}: Deps): Pick<
  HandlersFor<'notification'>,
  'TranscriptionCompleted' | 'TranscriptionFailed' | 'MediaRejected'
> {
  return {
    async TranscriptionCompleted({ data, occurredAt }) {
      // A refresh was asked for in the web application and is seen there; its chat may be someone else's by now.
      if (data.attempt > 1) return
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      await outbound.markRead(data.source)
      const key = `completed:${data.transcriptionId}`
      await outbound.transcript(key, data.source, transcriptSaid(data), summaryOf(data))
    },
    async TranscriptionFailed({ data, occurredAt }) {
      if (data.attempt > 1 || data.reason.code === DELETED) return
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      await outbound.chat(`failed:${data.transcriptionId}`, data.source, failureText(data.reason))
    },
    async MediaRejected({ data, occurredAt }) {
      await people.rememberChat(data.userId, data.source, new Date(occurredAt))
      await outbound.chat(`failed:${data.mediaId}`, data.source, rejectionText(data.fileName, data.reason))
    },
  }
}
