import { EventEmitter, once } from 'node:events'
import { finished } from 'node:stream/promises'
import { TranscriptionChange } from '@voxscribe/contracts/http'
import { type Closed, partAway, rateLimited } from '@voxscribe/service'
import type { Response } from 'express'
import { z } from 'zod'
import type { NoteRecord } from '../note/record.ts'

/** Streams of one person in one process; a browser has one a tab. */
const STREAMS_MAX = 20
/** Calls of one person that wait in one process for the end of a note; further ones are answered at once. */
const WAITS_MAX = 100
const HEARTBEAT_MS = 25_000
/** A stream with more unread bytes is closed; its client fetches the list again. */
const BEHIND_BYTES = 64 * 1024
const RETRY_SECONDS = 30

const Told = TranscriptionChange.extend({ userId: z.string() })

/** The share of the note that this attempt has recognised, 0 to 1. */
function progressOf({ status, parts, durationSeconds }: NoteRecord): number {
  if (status !== 'processing') return 1
  const engine = parts?.at(-1)?.engine
  if (!engine || !durationSeconds) return 0
  const heard = parts.filter(part => part.engine === engine).reduce((sum, { from, to }) => sum + to - from, 0)
  return Math.min(0.99, Math.round((heard / durationSeconds) * 100) / 100)
}

/**
 * Streams of a person's changes. Each change is sent to all processes; those with a stream of this person pass it on. A
 * stream ends with its token, or soon after its account is closed; the client returns with a new token and fetches the
 * list again.
 */
export function createLive(tell: (data: unknown) => void, closed: Pick<Closed, 'has'>) {
  const streams = new Map<string, Set<Response>>()
  /** Emits the id of a note that has ended, or is deleted. */
  const ends = new EventEmitter().setMaxListeners(0)
  /** Counts of waiting calls by person. */
  const waits = new Map<string, number>()
  const closing = new AbortController()

  function open(userId: string, response: Response, endsInMs: number) {
    const ofPerson = streams.get(userId) ?? new Set()
    streams.set(userId, ofPerson.add(response))
    response.set({
      'content-type': 'text/event-stream',
      // Neither kept nor changed on its way: proxies that compress would hold it back.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // A stop need not wait for the client.
      connection: 'close',
    })
    response.write(': hello\n\n')
    const beat = async () => {
      if (await closed.has(userId)) response.end()
      else response.write(':\n\n')
    }
    const heartbeat = setInterval(() => void beat().catch(() => response.end()), HEARTBEAT_MS)
    const end = setTimeout(() => response.end(), endsInMs)
    // It may have been closed already; either way, a client that left is not an error.
    return finished(response)
      .catch(() => {})
      .then(() => {
        clearInterval(heartbeat)
        clearTimeout(end)
        ofPerson.delete(response)
        if (!ofPerson.size && streams.get(userId) === ofPerson) streams.delete(userId)
      })
  }

  return {
    /** Sends a change to all processes. */
    changed(note: NoteRecord): void {
      const { _id: id, userId, stage } = note
      // A tombstone: its deletion was sent.
      if (!userId) return
      const state = note.deletedAt
        ? { status: 'deleted', stage: null, progress: 1 }
        : { status: note.status, stage, progress: progressOf(note) }
      tell({ userId, id, ...state })
    },

    /** Passes on a change that a process has sent, and returns it. */
    hear(data: unknown): z.output<typeof Told> {
      const told = Told.parse(data)
      const { userId, ...change } = told
      for (const response of streams.get(userId) ?? []) {
        if (response.writableLength > BEHIND_BYTES) response.destroy()
        else response.write(`event: transcription\ndata: ${JSON.stringify(change)}\n\n`)
      }
      if (told.status !== 'processing') ends.emit(told.id)
      return told
    },

    /** Waits until a note ends, unless `isOver`, at most so many seconds. */
    async waitFor(
      userId: string,
      id: string,
      seconds: number,
      isOver: () => Promise<boolean>,
    ): Promise<void> {
      const theirs = waits.get(userId) ?? 0
      if (theirs >= WAITS_MAX) return
      waits.set(userId, theirs + 1)
      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, closing.signal, AbortSignal.timeout(seconds * 1000)])
      // It listens before it looks: an end in between is heard.
      const ended = once(ends, id, { signal }).catch(() => {})
      try {
        if (!(await isOver())) await ended
      } finally {
        left.abort()
        const now = waits.get(userId) ?? 0
        if (now > 1) waits.set(userId, now - 1)
        else waits.delete(userId)
      }
    },

    /** Throws 429 when the person has too many streams already. */
    streamFor(userId: string, tokenEnd: Date): (response: Response) => Promise<void> {
      if (closing.signal.aborted) throw partAway()
      if ((streams.get(userId)?.size ?? 0) >= STREAMS_MAX) throw rateLimited(RETRY_SECONDS)
      const leftMs = Math.max(0, tokenEnd.getTime() - Date.now())
      return response => open(userId, response, Math.min(leftMs, 2 ** 31 - 1))
    },

    close(): void {
      closing.abort()
      for (const ofPerson of streams.values()) for (const response of ofPerson) response.end()
    },
  }
}
export type Live = ReturnType<typeof createLive>
