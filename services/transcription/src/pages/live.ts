import { EventEmitter, once } from 'node:events'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { TranscriptionChange } from '@voxscribe/contracts/http'
import { HEARTBEAT_SECONDS } from '@voxscribe/contracts/limits'
import {
  type AccessClaims,
  type Closed,
  eventText,
  refusal,
  refusedFor,
  setEventHeaders,
} from '@voxscribe/service'
import type { Response } from 'express'
import { z } from 'zod'
import { lengthOfAll } from '../audio/pieces.ts'
import type { NoteRecord } from '../note/record.ts'
import { createListeners } from './listeners.ts'

/** Streams of one person in one process; a browser has one a tab. */
const STREAMS_MAX = 20
/** Calls of one person that wait in one process for the end of a note; further ones are answered at once. */
const WAITS_MAX = 100
/** A stream with more unread bytes is closed; its client fetches the list again. */
const BEHIND_BYTES = 64 * 1024
const RETRY_SECONDS = 30
const HEARD_WITHIN_MS = 1_000

const PersonChange = TranscriptionChange.extend({ userId: z.string() })
/** The person's account has changed, and tokens of theirs may have ended. */
const AccountChange = z.object({ userId: z.string(), account: z.literal(true) })

export const changeOf = (id: string) => `${id} changes`

/** The share of the note that this attempt has recognised, 0 to 1. */
function progressOf({ status, parts, durationSeconds }: NoteRecord): number {
  if (status !== 'processing') return 1
  const engine = parts?.at(-1)?.engine
  if (!engine || !durationSeconds) return 0
  const heard = lengthOfAll(parts.filter(part => part.engine === engine))
  return Math.min(0.99, Math.round((heard / durationSeconds) * 100) / 100)
}

interface Deps {
  /** Broadcasts to all processes of this service, or sends to one. */
  broadcast(data: unknown, to?: string): void
  closed: Pick<Closed, 'refuses'>
  /** This process. */
  me: string
  /** Whether it is the only one. */
  isAlone: boolean
}

/** Streams of a person's changes, which are sent to the processes with a listener. A stream ends with its token. */
export function createLive({ broadcast, closed, me, isAlone }: Deps) {
  const streams = new Map<string, Map<Response, AccessClaims>>()
  /** Emits the id of a note that has ended, or is deleted; and `changeOf` of each that has changed. */
  const ends = new EventEmitter().setMaxListeners(0)
  /** Counts of waiting calls by person. */
  const waits = new Map<string, number>()
  const closing = new AbortController()
  const usersHere = () => [...new Set([...streams.keys(), ...waits.keys()])]
  const listeners = createListeners({ me, broadcast, usersHere })
  const hasListener = (userId: string) => streams.has(userId) || waits.has(userId)
  function beginsToListen(userId: string): void {
    if (!isAlone && !hasListener(userId)) listeners.begun(userId)
  }

  /** Writes to a stream, or ends it once its token has ended or when that cannot be found out. */
  async function writeIfAdmitted(response: Response, claims: AccessClaims, text: string): Promise<void> {
    const isOver = await closed.refuses(claims).catch(() => true)
    if (isOver) response.end()
    else if (!response.writableEnded) response.write(text)
  }

  async function open(response: Response, claims: AccessClaims): Promise<void> {
    const { userId, expiresAt } = claims
    setEventHeaders(response)
    if (response.req.method === 'HEAD') return void response.end()
    beginsToListen(userId)
    const ofPerson = streams.get(userId) ?? new Map()
    streams.set(userId, ofPerson.set(response, claims))
    // A stop need not wait for the client.
    response.set('connection', 'close')
    response.write(': hello\n\n')
    // Known in memory where there is one process. Among several an ended token is broadcast, and runs out at last: else
    // each open page would read the database for ever.
    const beat = () => (isAlone ? writeIfAdmitted(response, claims, ':\n\n') : response.write(':\n\n'))
    const heartbeat = setInterval(() => void beat(), HEARTBEAT_SECONDS * 1000)
    const leftMs = Math.max(0, expiresAt.getTime() - Date.now())
    const end = setTimeout(() => response.end(), Math.min(leftMs, 2 ** 31 - 1))
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

  /** Passes a change of a note on to the streams and calls of its person here. */
  function pass({ userId, ...change }: z.output<typeof PersonChange>): void {
    for (const response of streams.get(userId)?.keys() ?? []) {
      if (response.writableLength > BEHIND_BYTES) response.destroy()
      else response.write(eventText('transcription', change))
    }
    if (change.status !== 'processing') ends.emit(change.id)
    ends.emit(changeOf(change.id))
  }

  return {
    /** Sends a change to the processes that have a listener for it; a deletion to all, as they may have the sound. */
    changed(note: NoteRecord): void {
      const { _id: id, userId, stage } = note
      // A tombstone: its deletion was sent.
      if (!userId) return
      const state = note.deletedAt
        ? { status: 'deleted', stage: null, progress: 1 }
        : { status: note.status, stage, progress: progressOf(note) }
      const change = PersonChange.parse({ userId, id, ...state })
      if (note.deletedAt) broadcast(change)
      else {
        setImmediate(pass, change)
        for (const process of isAlone ? [] : listeners.of(userId)) broadcast(change, process)
      }
    },

    async announce(): Promise<void> {
      if (!isAlone) await listeners.announce()
    },

    /** Looks at all streams of a person, in all processes: streams of ended tokens end, the others report the change. */
    accountChanged: (userId: string) => broadcast({ userId, account: true }),

    /** Passes on a change that a process has sent, and returns it if it is one of a note. */
    receive(data: unknown): z.output<typeof PersonChange> | undefined {
      if (listeners.receive(data)) return undefined
      const account = AccountChange.safeParse(data)
      if (account.success) {
        for (const [response, claims] of streams.get(account.data.userId) ?? [])
          void writeIfAdmitted(response, claims, eventText('profile', {}))
        return undefined
      }
      const change = PersonChange.parse(data)
      pass(change)
      return change
    },

    /** Waits until a note ends, or by `changeOf` changes, unless `isOver`, at most so many seconds. */
    async waitFor(
      userId: string,
      event: string,
      seconds: number,
      isOver: () => Promise<boolean>,
    ): Promise<void> {
      const theirs = waits.get(userId) ?? 0
      if (theirs >= WAITS_MAX) return
      beginsToListen(userId)
      waits.set(userId, theirs + 1)
      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, closing.signal, AbortSignal.timeout(seconds * 1000)])
      // It listens before it looks: an end in between is heard.
      const ended = once(ends, event, { signal }).catch(() => {})
      try {
        if (await isOver()) return
        // Another process may have ended it before it heard that this one listens.
        const isKnown = isAlone || Promise.race([ended, pause(HEARD_WITHIN_MS, undefined, { signal })])
        await Promise.resolve(isKnown).catch(() => {})
        if (isAlone || signal.aborted || !(await isOver())) await ended
      } finally {
        left.abort()
        const now = waits.get(userId) ?? 0
        if (now > 1) waits.set(userId, now - 1)
        else waits.delete(userId)
      }
    },

    /** Throws 429 when the person has too many streams already. */
    streamFor(claims: AccessClaims): (response: Response) => Promise<void> {
      if (closing.signal.aborted) throw refusal('unavailable')
      if ((streams.get(claims.userId)?.size ?? 0) >= STREAMS_MAX)
        throw refusedFor(RETRY_SECONDS, 'rate_limited')
      return response => open(response, claims)
    },

    close(): void {
      closing.abort()
      for (const ofPerson of streams.values()) for (const response of ofPerson.keys()) response.end()
    },
  }
}
export type Live = ReturnType<typeof createLive>
