import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { useSyncExternalStore } from 'react'
import { ApiError } from '../api/errors.ts'
import { upload } from '../session/client.ts'
import { messageOf } from '../ui/error-message.ts'

/** A file on its way to the server. It goes on while the person looks at other pages. */
export interface Upload {
  /** The idempotency key: a repeated upload with it is the same note. */
  key: string
  userId: string
  file: File
  language: string | undefined
  /** `offline`: it waits for the connection. */
  state: 'waiting' | 'sending' | 'offline' | 'sent' | 'failed'
  /** The share that is sent, 0 to 1. */
  share: number
  error: string | null
  /** The file can't become a note: sending it again would not help. */
  refused: boolean
  noteId: string | null
}

interface Limits {
  maxBytes: number
}

/** Files at once: more would only slow each other down. */
const AT_ONCE = 2
/** Tries for a lost connection or a busy server, before the person is asked. */
const TRIES = 3
const PAUSE_MS = 2_000

export const FORMATS = [...AUDIO_FORMATS, ...VIDEO_FORMATS].map(format => format.toUpperCase()).join(', ')

let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()
const running = new Map<string, AbortController>()

function become(next: readonly Upload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
const change = (key: string, part: Partial<Upload>) =>
  become(uploads.map(entry => (entry.key === key ? { ...entry, ...part } : entry)))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns a person's uploads of this visit, newest last. */
export const useUploads = (userId: string): Upload[] =>
  useSyncExternalStore(subscribe, () => uploads).filter(entry => entry.userId === userId)

/** Starts to send files; those that can't become notes are refused at once. */
export function addFiles(userId: string, files: Iterable<File>, limits: Limits, language?: string) {
  const added = [...files].map((file): Upload => {
    const error = problemWith(file, limits)
    const key = crypto.randomUUID()
    const state = error ? 'failed' : 'waiting'
    return { key, userId, file, language, state, share: 0, error, refused: error !== null, noteId: null }
  })
  become([...uploads, ...added])
  sendNext()
}

/** Stops sending a file, or removes a finished one from the list. */
export function remove(key: string) {
  running.get(key)?.abort()
  become(uploads.filter(entry => entry.key !== key))
  sendNext()
}

/** Sends a failed file again, with the same key. */
export function retry(key: string) {
  change(key, { state: 'waiting', error: null, share: 0 })
  sendNext()
}

function problemWith({ name, size, type }: File, { maxBytes }: Limits): string | null {
  if (size === 0) return 'This file is empty. Please record or attach it again.'
  if (size > maxBytes)
    return `This file is larger than ${maxBytes / 1024 / 1024} MB. Please send it in shorter parts.`
  const known =
    /^(audio|video)\//.test(type) ||
    /\.(mp3|wav|flac|m4a|aac|ogg|opus|oga|mp4|mpe?g|webm|amr|3gp|mov|mkv)$/i.test(name)
  return known || !type ? null : `This file is neither audio nor video. We take ${FORMATS}.`
}

function sendNext() {
  const next = uploads.find(({ state }) => state === 'waiting')
  if (!next || running.size >= AT_ONCE) return
  const abort = new AbortController()
  running.set(next.key, abort)
  change(next.key, { state: 'sending' })
  void sendFile(next, abort.signal).finally(() => {
    running.delete(next.key)
    sendNext()
  })
  sendNext()
}

async function sendFile({ key, file, language }: Upload, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      const { data } = await upload({
        form: formOf(file, language),
        key,
        signal,
        onShare: share => change(key, { share }),
      })
      return change(key, { state: 'sent', share: 1, noteId: data.transcription.id })
    } catch (error) {
      if (signal.aborted) return
      if (tried === TRIES || !mayPass(error) || !navigator.onLine) {
        if (isLost(error) && !navigator.onLine) return change(key, { state: 'offline', share: 0 })
        const words = messageOf(error, 'Failed to send the file')
        return change(key, { state: 'failed', error: words, refused: isRefusal(error) })
      }
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS * tried))
      if (signal.aborted) return
    }
  }
}

const isLost = (error: unknown) => error instanceof ApiError && error.status === 0

const isRefusal = (error: unknown) => error instanceof ApiError && [400, 413, 415, 422].includes(error.status)

/** Whether the same call may work in a moment: no answer, a busy server, or our own first try still under way. */
const mayPass = (error: unknown) =>
  error instanceof ApiError && [0, 409, 502, 503, 504].includes(error.status)

window.addEventListener('online', () => {
  become(uploads.map(entry => (entry.state === 'offline' ? { ...entry, state: 'waiting' } : entry)))
  sendNext()
})

// The browser asks before it closes a page with files that are nowhere else.
window.addEventListener('beforeunload', event => {
  if (uploads.some(({ state }) => state !== 'sent' && state !== 'failed')) event.preventDefault()
})

function formOf(file: File, language: string | undefined): FormData {
  const form = new FormData()
  if (language) form.append('language', language)
  form.append('file', file, file.name)
  return form
}
