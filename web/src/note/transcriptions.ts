import { focusManager, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { HEARTBEAT_SECONDS } from '@voxscribe/contracts/limits'
import type { LiveChange } from '@voxscribe/contracts/live'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { pause } from '../api/pause.ts'
import { call } from '../session/client.ts'
import { freshAccessToken } from '../session/renewal.ts'
import { PROFILE } from '../session/use-profile.ts'
import { isDeleting } from './deletions.ts'
import { NOTES } from './queries.ts'

/** Milliseconds. */
const RETRY_MS = 5_000
const BATCH_MS = 300
/** Longer than the server is ever silent, so a proxy is holding the stream back or the connection is dead. */
const SILENCE_MS = HEARTBEAT_SECONDS * 1600

/** Streams of all tabs together: a browser has six connections per host (HTTP/1.1), and calls need some of them. */
const STREAMS_MAX = 3

/** Runs work that holds a connection, unless other tabs already hold `STREAMS_MAX`. */
async function withStreamSlot(work: () => Promise<void>): Promise<void> {
  // Without locks (plain HTTP, or blocked along with storage), tabs don't know of each other.
  if (!(await navigator.locks?.query().catch(() => {}))) return work()
  for (let place = 0; place < STREAMS_MAX; place++) {
    const isMine = await navigator.locks.request(
      `voxscribe-live-${place}`,
      { ifAvailable: true },
      async lock => {
        if (lock) await work()
        return lock !== null
      },
    )
    if (isMine) return
  }
}

/** Reads the stream of changes until it ends or is silent for too long. It counts as open once bytes arrive. */
async function readChanges(
  leaving: AbortSignal,
  opened: () => void,
  changed: (what: LiveChange['event']) => void,
): Promise<void> {
  const silent = new AbortController()
  let patience: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(patience)
    patience = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  wait()
  try {
    const headers = { Authorization: `Bearer ${await freshAccessToken()}` }
    const signal = AbortSignal.any([leaving, silent.signal])
    const response = await fetch('/api/transcriptions/events', { headers, signal })
    if (!response.ok || !response.body) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text: string | undefined
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      wait()
      if (text === undefined) opened()
      const events = ((text ?? '') + value).split('\n\n')
      text = events.pop() ?? ''
      for (const what of ['transcription', 'profile'] as const)
        if (events.some(event => event.startsWith(`event: ${what}\n`))) changed(what)
    }
  } finally {
    clearTimeout(patience)
  }
}

/** Reloads notes or the profile on a server event. Returns whether the stream is open; hidden tabs close theirs. */
function useLiveNotes(): boolean {
  const queries = useQueryClient()
  const isVisible = useSyncExternalStore(focusManager.subscribe, () => focusManager.isFocused())
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isVisible) return
    const leaving = new AbortController()
    const { signal } = leaving
    let soon: ReturnType<typeof setTimeout> | undefined
    // Several changes in quick succession cause a single fetch.
    const changed = (what: LiveChange['event']) => {
      if (what === 'profile') return void queries.invalidateQueries(PROFILE)
      soon ??= setTimeout(() => {
        soon = undefined
        // The end of the deletions reloads the notes.
        if (!isDeleting()) void queries.invalidateQueries(NOTES)
      }, BATCH_MS)
    }
    // Changes made before the stream opened weren't reported.
    const opened = () => {
      setOpen(true)
      changed('transcription')
    }
    const keepReading = async () => {
      while (!signal.aborted) {
        await withStreamSlot(() => readChanges(signal, opened, changed)).catch(() => {})
        setOpen(false)
        await pause(RETRY_MS)
      }
    }
    void keepReading()
    return () => {
      leaving.abort()
      clearTimeout(soon)
    }
  }, [isVisible, queries])
  return isOpen
}

type Query = NonNullable<Parameters<typeof call<'transcriptions'>>[1]>['query']

/**
 * One page of notes, updated by the live stream, or by polling while there is no stream. The previous page stays
 * visible while the next one loads.
 */
export function useTranscriptions(query: Query) {
  const isLive = useLiveNotes()
  return useQuery({
    queryKey: ['transcriptions', query],
    queryFn: async ({ signal }): Promise<DataFor<'transcriptions'> & { askedAt: number }> => {
      const askedAt = Date.now()
      return { ...(await call('transcriptions', { query, signal })).data, askedAt }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => !isLive && (state.data?.statistics?.processing ? 2_500 : 5_000),
  })
}
