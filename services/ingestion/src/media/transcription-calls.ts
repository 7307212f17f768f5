import type { EventOf } from '@voxscribe/contracts/events'
import { api } from '@voxscribe/contracts/http'
import type { Logger } from '@voxscribe/service'
import { callPeer, dataOf } from '@voxscribe/service/peers'

const TIMEOUT_MS = 10_000

/** Calls to transcription about an upload. */
export const createTranscriptionCalls = (transcriptionUrl: string, log: Logger) => ({
  /**
   * Makes transcription list a note now, from the event that it also gets from the bus. Never throws: without a
   * response, the note is listed when the event arrives.
   */
  async list(event: EventOf<'MediaReceived'>): Promise<void> {
    const answer = await callPeer(transcriptionUrl, api.noteReceived, { body: event })
    if (!answer?.body.success)
      log.warn({ status: answer?.status }, 'an upload is listed later, as transcription is away')
  },

  /** Looks up a file of a conversation. Throws transcription's refusal, or 503 while it's unavailable. */
  async conversationFile(userId: string, conversation: string, file: string) {
    const query = { userId, conversation, file }
    return dataOf(await callPeer(transcriptionUrl, api.conversationFile, { query }, { timeout: TIMEOUT_MS }))
  },
})
