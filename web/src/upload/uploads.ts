import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { isMediaMime, MEDIA_ENDINGS } from '@voxscribe/contracts/media'
import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { ApiError, networkErrorFrom } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { sendFile } from '../session/client.ts'
import { type Queued, type Sending, useQueued } from '../session/use-queued.ts'
import { useKept } from '../use-kept.ts'
import { canMakeSmaller, tooLargeHere } from './size-limit.ts'

interface SentFile {
  /** The idempotency key: a repeated upload with the same key is the same note. */
  key: string
  file: File
  maxBytes: number
  language: string | undefined
  /** Why the file can't become a note. */
  problem: string | null
  /** Sent instead of a file that is too large. */
  sound?: File | undefined
  abort: AbortController
  onStep(step: Step): void
}

/** The share of a file that has been made smaller or sent, 0 to 1. */
interface Step {
  isSending: boolean
  share: number
}

/** A file on its way to the server. Its data is the note's id. */
export type Upload = Queued<SentFile, string>

/** For the file picker: browsers don't know the types of all extensions. */
export const ACCEPTED = ['audio/*', 'video/*', ...MEDIA_ENDINGS.map(ending => `.${ending}`), '.zip'].join()
export const FORMATS = [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()).join(', ')

const stepKey = (key: string) => ['upload', key]

/** Files are sent one after another, because together they would only slow each other down. */
const UPLOADS: Sending<SentFile, string> = {
  async ready(item) {
    const { file, maxBytes, problem, abort, onStep } = item
    if (problem) throw new ApiError(problem, 415)
    abort.signal.throwIfAborted()
    if (file.size <= maxBytes || item.sound) return
    const onShare = (share: number) => onStep({ isSending: false, share })
    onShare(0)
    const { soundOf } = await import('./sound.ts').catch(cause => {
      throw networkErrorFrom(cause)
    })
    item.sound = await soundOf(file, { maxBytes, signal: abort.signal, onShare })
  },
  async send(item) {
    const { key, file, sound = file, language, abort, onStep } = item
    const onShare = (share: number) => onStep({ isSending: true, share })
    onShare(0)
    const form = new FormData()
    if (language) form.append('language', language)
    form.append('file', sound, sound.name)
    const { data } = await sendFile('upload', { form, key, signal: abort.signal, onShare })
    // Its megabytes would stay in memory for the rest of the visit.
    item.sound = undefined
    return data.transcription.id
  },
  waits: ({ problem }) => !problem,
  tries: 3,
  isUnsaved: ({ status }) => status === 'pending',
  onSent: queries => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
}

/** Returns the person's uploads of this visit, newest last, and the actions on them. */
export function useUploads() {
  const { queue, items: uploads } = useQueued('upload', UPLOADS)
  return {
    uploads,
    /** Starts sending files; refuses those that can't become notes at once. */
    add(files: Iterable<File>, maxBytes: number, language?: string) {
      for (const file of files) {
        const key = crypto.randomUUID()
        void queue.add({
          key,
          file,
          maxBytes,
          language,
          problem: problemWith(file, maxBytes),
          abort: new AbortController(),
          onStep: step => queue.queries.setQueryData(stepKey(key), step),
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

export const useStep = (key: string): Step => useKept<Step>(stepKey(key))[0] ?? { isSending: true, share: 0 }

/** Whether the file can't become a note, so that sending it again would not help. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status)

function problemWith(file: File, maxBytes: number): string | null {
  if (!mayBeMedia(file)) return sentenceOf(i18n, reason('not_audio_or_video'))
  if (file.size === 0) return i18n.t('This file is empty. Please record or attach it again.')
  return file.size > maxBytes && !canMakeSmaller() ? tooLargeHere(maxBytes) : null
}

/** Whether a file may be media. Only content tells, so the server decides, unless type and name say otherwise. */
const mayBeMedia = (file: File): boolean =>
  !file.type || file.type === 'application/octet-stream' || isCalledMedia(file)

export function isCalledMedia({ name, type }: File): boolean {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return /^(audio|video)\//.test(type) || isMediaMime(type) || MEDIA_ENDINGS.includes(ending)
}
