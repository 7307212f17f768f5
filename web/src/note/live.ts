import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { freshAccessToken } from '../session/renewal.ts'

/** Milliseconds. */
const UNTIL_NEXT_TRY = 5_000
const TOGETHER = 300

/** Reads the stream of changes to its end. */
async function readChanges(signal: AbortSignal, opened: () => void, changed: () => void): Promise<void> {
  const headers = { Authorization: `Bearer ${await freshAccessToken()}` }
  const response = await fetch('/api/transcriptions/events', { headers, signal })
  if (!response.ok || !response.body) return
  opened()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const events = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = events.pop() ?? ''
    if (events.some(event => event.startsWith('event: transcription\n'))) changed()
  }
}

const pause = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, UNTIL_NEXT_TRY)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState !== 'hidden')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState !== 'hidden')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}

/**
 * Has everything that shows notes read again when the server tells of a change. Returns whether the server can tell:
 * while it cannot, the caller has to look by itself. A hidden tab leaves its connection to others.
 */
export function useLiveNotes(): boolean {
  const queries = useQueryClient()
  const isVisible = useIsVisible()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isVisible) return
    const leaving = new AbortController()
    const { signal } = leaving
    let soon: ReturnType<typeof setTimeout> | undefined
    const reload = () => {
      soon = undefined
      for (const key of ['transcriptions', 'transcription'])
        void queries.invalidateQueries({ queryKey: [key] })
    }
    // Several changes within a moment are read once.
    const changed = () => {
      soon ??= setTimeout(reload, TOGETHER)
    }
    // What happened before the stream was open has been told to nobody.
    const opened = () => {
      setOpen(true)
      changed()
    }
    const keepReading = async () => {
      while (!signal.aborted) {
        await readChanges(signal, opened, changed).catch(() => {})
        setOpen(false)
        await pause(signal)
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
