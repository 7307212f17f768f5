import {
  type Mutation,
  type MutationState,
  onlineManager,
  type QueryClient,
  skipToken,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { isMediaMime, MEDIA_ENDINGS } from '@voxscribe/contracts/media'
import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { upload } from '../session/client.ts'
import { mustBeSignedIn } from '../session/store.ts'

interface Sending {
  /** The idempotency key: a repeated upload with it is the same note. */
  key: string
  userId: string
  file: File
  language: string | undefined
  /** Why the file can't become a note. */
  problem: string | null
  abort: AbortController
}

/** A file on its way to the server, while the person looks at other pages, too. Its data is the id of the note. */
export type Upload = MutationState<string, Error, Sending> & {
  variables: Sending
  mutation: Mutation<string, Error, Sending>
}

/** Files are sent one after another: together they would only slow each other down. */
const SCOPE = { id: 'upload' }
/** Tries for a lost connection or a busy server, before the person is asked. */
const TRIES = 3
const PAUSE_MS = 2_000

/** For the choice of files: browsers do not know the types of all endings. */
export const ACCEPTED = ['audio/*', 'video/*', ...MEDIA_ENDINGS.map(ending => `.${ending}`)].join()
export const FORMATS = [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()).join(', ')

const shareKey = (key: string) => ['upload', key]

/** Returns a person's uploads of this visit, newest last, and what can be done with them. */
export function useUploads(userId: string) {
  const queries = useQueryClient()
  const cache = queries.getMutationCache()
  const mutationKey = ['upload', userId]
  return {
    uploads: useMutationState({
      filters: { mutationKey },
      select: mutation => ({ ...mutation.state, mutation }) as Upload,
    }),
    /** Starts to send files; those that can't become notes are refused at once. */
    add(files: Iterable<File>, maxBytes: number, language?: string) {
      for (const file of files) {
        const problem = problemWith(file, maxBytes)
        const options = { ...sendingOptions(queries), mutationKey, scope: problem ? undefined : SCOPE }
        const [key, abort] = [crypto.randomUUID(), new AbortController()]
        run(cache.build(queries, options), { key, userId, file, language, problem, abort })
      }
    },
    /** Sends a failed file again, with the same key. */
    retry: ({ mutation, variables }: Upload) => run(mutation, variables),
    /** Stops sending a file, or removes a finished one from the list. */
    remove({ mutation, variables }: Upload) {
      variables.abort.abort()
      cache.remove(mutation)
    },
  }
}

/** The share of a file that is sent, 0 to 1. */
export const useShareSent = (key: string): number =>
  useQuery<number>({ queryKey: shareKey(key), queryFn: skipToken }).data ?? 0

/** The file can't become a note: sending it again would not help. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status)

function run(mutation: Upload['mutation'], sending: Sending) {
  void mutation.execute(sending).catch(() => {})
}

const sendingOptions = (queries: QueryClient) => ({
  mutationFn: (sending: Sending) =>
    sendFile(sending, share => queries.setQueryData(shareKey(sending.key), share)),
  onSuccess: () => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
  // Without a connection it waits for one.
  networkMode: 'offlineFirst' as const,
  retry: (failures: number, error: Error) =>
    mayPass(error) && (failures < TRIES - 1 || !onlineManager.isOnline()),
  retryDelay: (failures: number) => (onlineManager.isOnline() ? PAUSE_MS * (failures + 1) : 0),
  gcTime: Number.POSITIVE_INFINITY,
  meta: { isUnsaved: ({ status }: Upload) => status === 'pending' },
})

async function sendFile(
  { key, userId, file, language, problem, abort: { signal } }: Sending,
  onShare: (share: number) => void,
): Promise<string> {
  if (problem) throw new ApiError(problem, 415)
  signal.throwIfAborted()
  mustBeSignedIn(userId)
  onShare(0)
  const form = new FormData()
  if (language) form.append('language', language)
  form.append('file', file, file.name)
  return (await upload({ form, key, signal, onShare })).data.transcription.id
}

/** Whether the same call may work in a moment: no answer, a busy server, or our own first try still under way. */
const mayPass = (error: unknown) =>
  error instanceof ApiError && [0, 409, 502, 503, 504].includes(error.status)

function problemWith({ name, size, type }: File, maxBytes: number): string | null {
  if (size === 0) return i18n.t('This file is empty. Please record or attach it again.')
  if (size > maxBytes)
    return i18n.t('This file is larger than {megabytes} MB. Please send it in shorter parts.', {
      megabytes: maxBytes / 1024 / 1024,
    })
  // Only the content tells what a file is: the server decides, unless both type and name say that it is something else.
  const isUnclear = !type || type === 'application/octet-stream'
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  if (isUnclear || /^(audio|video)\//.test(type) || isMediaMime(type) || MEDIA_ENDINGS.includes(ending))
    return null
  return sentenceOf(i18n, reason('not_audio_or_video'))
}
