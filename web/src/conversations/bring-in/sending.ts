import { skipToken, useQuery } from '@tanstack/react-query'
import { ApiError, networkErrorFrom } from '../../api/errors.ts'
import { upload } from '../../session/client.ts'
import type { Queue, Queued, Sending } from '../../session/use-queued.ts'

/** A recording on its way to its conversation. */
interface SentRecording {
  conversation: { id: string; name: string }
  /** Its name in the export. */
  name: string
  maxBytes: number
  abort: AbortController
  /** Reads it out of the export. */
  content(signal: AbortSignal): Promise<File>
}
export type Recorded = Queued<SentRecording, string>

/** Until the next try, unless the answer says when more is taken. */
const NEXT_TRY_SECONDS = 60
/** A quarter of an hour: a server that starts again takes minutes, and nobody looks at hundreds of recordings. */
const TRIES = 30
const PAUSE = ['chat-recordings-paused-until']

/** When sending goes on, in ISO 8601; null while it does not wait. */
export const usePause = () => useQuery<string | null>({ queryKey: PAUSE, queryFn: skipToken }).data ?? null

/** Recordings of chats, one after another. The server knows one that it has by conversation and name: without a key. */
export const RECORDINGS: Sending<SentRecording, string> = {
  async send({ conversation, name, maxBytes, abort: { signal }, content }, queue) {
    signal.throwIfAborted()
    const file = await content(signal)
    const sound = file.size > maxBytes ? await smaller(file, maxBytes, signal) : file
    const form = new FormData()
    form.append('conversation', conversation.id)
    form.append('conversationFile', name)
    form.append('file', sound, sound.name)
    for (;;)
      try {
        const { data } = await upload({ form, signal })
        return data.transcription.id
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error
        await pause(queue, error.waitSeconds ?? NEXT_TRY_SECONDS, signal)
      }
  },
  tries: TRIES,
  isUnsaved: ({ status }) => status === 'pending',
  onSent: queries => void queries.invalidateQueries({ queryKey: ['conversation'] }),
}

async function smaller(file: File, maxBytes: number, signal: AbortSignal): Promise<File> {
  const { soundOf } = await import('../../upload/sound.ts').catch(cause => {
    throw networkErrorFrom(cause)
  })
  return soundOf(file, { maxBytes, signal, onShare() {} })
}

/** The files of an hour are limited: the next one waits for its place, and the page says until when. */
async function pause({ queries }: Queue<SentRecording, string>, seconds: number, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  queries.setQueryDefaults(PAUSE, { gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData(PAUSE, new Date(Date.now() + seconds * 1000).toISOString())
  setTimeout(resolve, seconds * 1000)
  signal.addEventListener('abort', () => reject(signal.reason))
  await promise.finally(() => queries.setQueryData(PAUSE, null))
}
