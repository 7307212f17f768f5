import { skipToken, useQuery } from '@tanstack/react-query'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { isMediaMime, MEDIA_ENDINGS } from '@voxscribe/contracts/media'
import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { quantity } from '@voxscribe/contracts/wording'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { upload } from '../session/client.ts'
import { type Queued, type Sending, useQueued } from '../session/use-queued.ts'

interface SentFile {
  /** The idempotency key: a repeated upload with it is the same note. */
  key: string
  file: File
  language: string | undefined
  /** Why the file can't become a note. */
  problem: string | null
  abort: AbortController
  onShare(share: number): void
}

/** A file on its way to the server. Its data is the id of the note. */
export type Upload = Queued<SentFile, string>

/** For the choice of files: browsers do not know the types of all endings. */
export const ACCEPTED = ['audio/*', 'video/*', ...MEDIA_ENDINGS.map(ending => `.${ending}`)].join()
export const FORMATS = [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()).join(', ')

const shareKey = (key: string) => ['upload', key]

/** Files are sent one after another: together they would only slow each other down. */
const UPLOADS: Sending<SentFile, string> = {
  async send({ key, file, language, problem, abort: { signal }, onShare }) {
    if (problem) throw new ApiError(problem, 415)
    signal.throwIfAborted()
    onShare(0)
    const form = new FormData()
    if (language) form.append('language', language)
    form.append('file', file, file.name)
    return (await upload({ form, key, signal, onShare })).data.transcription.id
  },
  waits: ({ problem }) => !problem,
  tries: 3,
  isUnsaved: ({ status }) => status === 'pending',
  onSent: queries => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
}

/** Returns a person's uploads of this visit, newest last, and what can be done with them. */
export function useUploads() {
  const { queue, items: uploads } = useQueued('upload', UPLOADS)
  return {
    uploads,
    /** Starts to send files; those that can't become notes are refused at once. */
    add(files: Iterable<File>, maxBytes: number, language?: string) {
      for (const file of files) {
        const key = crypto.randomUUID()
        void queue.add({
          key,
          file,
          language,
          problem: problemWith(file, maxBytes),
          abort: new AbortController(),
          onShare: share => queue.queries.setQueryData(shareKey(key), share),
        })
      }
    },
    /** Sends a failed file again, with the same key. */
    retry: ({ variables }: Upload) => queue.resend(variables),
    /** Stops sending a file, or removes a finished one from the list. */
    remove({ variables }: Upload) {
      variables.abort.abort()
      queue.remove(upload => upload.variables === variables)
    },
  }
}

/** The share of a file that is sent, 0 to 1. */
export const useShareSent = (key: string): number =>
  useQuery<number>({ queryKey: shareKey(key), queryFn: skipToken }).data ?? 0

/** The file can't become a note: sending it again would not help. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status)

function problemWith({ name, size, type }: File, maxBytes: number): string | null {
  if (size === 0) return i18n.t('This file is empty. Please record or attach it again.')
  if (size > maxBytes)
    return i18n.t('This file is larger than {size}. Please send it in shorter parts.', {
      size: quantity(i18n, maxBytes / 1024 / 1024, 'megabyte'),
    })
  // Only the content tells what a file is: the server decides, unless both type and name say that it is something else.
  const isUnclear = !type || type === 'application/octet-stream'
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  if (isUnclear || /^(audio|video)\//.test(type) || isMediaMime(type) || MEDIA_ENDINGS.includes(ending))
    return null
  return sentenceOf(i18n, reason('not_audio_or_video'))
}
