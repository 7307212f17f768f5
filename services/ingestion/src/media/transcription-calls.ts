import type { EventOf } from '@voxscribe/contracts/events'
import { api } from '@voxscribe/contracts/http'
import type { Logger } from '@voxscribe/service'
import { callPeer, dataOf } from '@voxscribe/service/peers'

const PATIENCE_MS = 10_000

/** Calls of transcription about an upload. */
export const createTranscriptionCalls = (transcriptionUrl: string, log: Logger) => ({
  /**
   * Has it list a note now, from the event that it gets by the bus as well. Never throws: without an answer the note is
   * listed when the event comes.
   */
  async list(event: EventOf<'MediaReceived'>): Promise<void> {
    const answer = await callPeer(transcriptionUrl, api.noteReceived, { body: event })
    if (!answer?.body.success)
      log.warn({ status: answer?.status }, 'an upload is listed later, as transcription is away')
  },

  /** Asks about a file of a conversation. Throws its refusal, or 503 while it is away. */
  async conversationFile(userId: string, conversation: string, file: string) {
    const query = { userId, conversation, file }
    return dataOf(await callPeer(transcriptionUrl, api.conversationFile, { query }, { timeout: PATIENCE_MS }))
  },
})
