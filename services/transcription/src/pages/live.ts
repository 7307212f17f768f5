import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HEARTBEAT_SECONDS } from '@voxscribe/contracts/limits'
import { LiveChange, type TranscriptionChange } from '@voxscribe/contracts/live'
import {
  type AccessClaims,
  type ClosedAccounts,
  createUnderWay,
  eventText,
  limitReached,
  type Parts,
  refusal,
  setEventHeaders,
} from '@voxscribe/service'
import { lengthOfAll } from '@voxscribe/speech'
import type { Response } from 'express'
import type { NoteRecord } from '../note/record.ts'

/** Streams per person and process; a browser has one per tab. */
const STREAMS_MAX = 20
/** Calls of one person that wait in one process for the end of a note; further ones are answered at once. */
const WAITS_MAX = 100
/** A stream with more unread bytes is closed; its client fetches the list again. */
const BEHIND_BYTES = 64 * 1024
const RETRY_AFTER_SECONDS = 30

/** Returns the share of the note that this attempt has recognized, 0 to 1. */
function progressOf({ status, parts, durationSeconds }: NoteRecord): number {
  if (status !== 'processing') return 1
  const engine = parts?.at(-1)?.engine
  if (!engine || !durationSeconds) return 0
  const heard = lengthOfAll(parts.filter(part => part.engine === engine))
  return Math.min(0.99, Math.round((heard / durationSeconds) * 100) / 100)
}

interface Deps extends Pick<Parts<unknown>, 'broadcast' | 'onBroadcast'> {
  closed: Pick<ClosedAccounts, 'refuses'>
}

/** Streams changes to a person's pages; they're broadcast to the topic of that person. A stream ends with its token. */
export function createLive({ broadcast, onBroadcast, closed }: Deps) {
  const streams = new Map<string, Set<Response>>()
  const waits = createUnderWay()
  const closing = new AbortController()
  const listen = (userId: string, changed: (change: LiveChange) => void) =>
    onBroadcast(userId, data => changed(LiveChange.parse(data)))
  const publish = (userId: string, change: LiveChange) => broadcast(userId, change)

  /** Writes to a stream, or ends it if its token has ended or can't be checked. */
  async function writeIfAdmitted(response: Response, claims: AccessClaims, text: string): Promise<void> {
    if (await closed.refuses(claims).catch(() => true)) response.end()
    else write(response, text)
  }

  function pass(response: Response, claims: AccessClaims, { event, data }: LiveChange): void {
    if (event === 'profile') void writeIfAdmitted(response, claims, eventText(event, data))
    else if (response.writableLength > BEHIND_BYTES) response.destroy()
    else write(response, eventText(event, data))
  }

  async function open(response: Response, claims: AccessClaims): Promise<void> {
    const { userId, expiresAt } = claims
    setEventHeaders(response)
    if (response.req.method === 'HEAD') return void response.end()
    const theirs = streams.get(userId) ?? new Set()
    streams.set(userId, theirs.add(response))
    // Lets the process stop without waiting for the client.
    response.set('connection', 'close')
    const listening = listen(userId, change => pass(response, claims, change))
    // Heartbeats don't check the token: its end is broadcast.
    const heartbeat = setInterval(write, HEARTBEAT_SECONDS * 1000, response, ':\n\n')
    const leftMs = Math.max(0, expiresAt.getTime() - Date.now())
    const end = setTimeout(() => response.end(), Math.min(leftMs, 2 ** 31 - 1))
    try {
      const unbind = await listening
      // The client then loads what changed before.
      write(response, ': hello\n\n')
      // It may have been closed already; either way, a client that left is not an error.
      await finished(response).catch(() => {})
      unbind()
    } finally {
      clearInterval(heartbeat)
      clearTimeout(end)
      theirs.delete(response)
      if (!theirs.size && streams.get(userId) === theirs) streams.delete(userId)
    }
  }

  return {
    /** Sends a change of a note, or its deletion, to its person's pages and calls, in all processes. */
    changed(note: NoteRecord): void {
      const { _id: id, userId, stage } = note
      // A tombstone, whose deletion was published before.
      if (!userId) return
      const data = note.deletedAt
        ? { id, status: 'deleted' as const, stage: null, progress: 1 }
        : { id, status: note.status, stage: stage ?? null, progress: progressOf(note) }
      publish(userId, { event: 'transcription', data })
    },

    /** Checks a person's streams in all processes: ends those with an ended token, and sends the others the change. */
    accountChanged: (userId: string) => publish(userId, { event: 'profile', data: {} }),

    /** Waits up to `seconds` for a change that `isMeant` accepts, unless `isOver` holds already. */
    waitFor(
      userId: string,
      isMeant: (change: TranscriptionChange) => boolean,
      seconds: number,
      isOver: () => Promise<boolean>,
    ): Promise<void> {
      return waits(userId, async before => {
        if (before >= WAITS_MAX) return
        const come = new AbortController()
        const signal = AbortSignal.any([come.signal, closing.signal])
        const ended = pause(seconds * 1000, undefined, { signal }).catch(() => {})
        const listening = listen(userId, ({ event, data }) => {
          if (event === 'transcription' && isMeant(data)) come.abort()
        })
        try {
          // Subscribes before it checks, so that no change in between is missed.
          await Promise.race([listening, ended])
          if (!(await isOver())) await ended
        } finally {
          come.abort()
          void listening.then(unbind => unbind()).catch(() => {})
        }
      })
    },

    /** Throws 429 if the person has too many streams already. */
    streamFor(claims: AccessClaims): (response: Response) => Promise<void> {
      if (closing.signal.aborted) throw refusal('unavailable')
      if ((streams.get(claims.userId)?.size ?? 0) >= STREAMS_MAX)
        throw limitReached('streams', RETRY_AFTER_SECONDS)
      return response => open(response, claims)
    },

    close(): void {
      closing.abort()
      for (const theirs of streams.values()) for (const response of theirs) response.end()
    },
  }
}
export type Live = ReturnType<typeof createLive>

function write(response: Response, text: string): void {
  if (!response.writableEnded) response.write(text)
}
