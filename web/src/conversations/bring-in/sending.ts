import { ApiError, networkErrorFrom } from '../../api/errors.ts'
import { upload } from '../../session/client.ts'
import type { Queued, Sending } from '../../session/use-queued.ts'

/** A recording on its way to its conversation. */
interface SentRecording {
  conversation: { id: string; name: string }
  /** Its name in the export. */
  name: string
  /** The idempotency key: the same at each visit. */
  key: string
  maxBytes: number
  abort: AbortController
  /** Reads it out of the export. */
  content(signal: AbortSignal): Promise<File>
}
export type Recorded = Queued<SentRecording, string>

/** The uploads of an hour are limited: the next one waits for its place. */
const NEXT_TRY_MS = 60_000

/** Recordings of chats, one after another. The server knows one that it has by conversation and name. */
export const RECORDINGS: Sending<SentRecording, string> = {
  async send({ conversation, name, key, maxBytes, abort: { signal }, content }) {
    signal.throwIfAborted()
    const file = await content(signal)
    const sound = file.size > maxBytes ? await smaller(file, maxBytes, signal) : file
    const form = new FormData()
    form.append('conversation', conversation.id)
    form.append('conversationFile', name)
    form.append('file', sound, sound.name)
    for (;;)
      try {
        const { data } = await upload({ form, key, signal })
        return data.transcription.id
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error
        await later(signal)
      }
  },
  tries: 3,
  isUnsaved: ({ status }) => status === 'pending',
  onSent: queries => void queries.invalidateQueries({ queryKey: ['conversation'] }),
}

async function smaller(file: File, maxBytes: number, signal: AbortSignal): Promise<File> {
  const { soundOf } = await import('../../upload/sound.ts').catch(cause => {
    throw networkErrorFrom(cause)
  })
  return soundOf(file, { maxBytes, signal, onShare() {} })
}

function later(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  setTimeout(resolve, NEXT_TRY_MS)
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise
}
