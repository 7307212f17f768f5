import { useQueryClient } from '@tanstack/react-query'
import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/use-session.ts'
import { messageOf } from '../../ui/error-message.ts'
import { transcriptKey } from '../note/use-transcript.ts'
import {
  type Change,
  type Conflict,
  type Correction,
  conflictWith,
  unsaved,
  withChanges,
} from './corrections.ts'

const ATTEMPTS = 5
/** Milliseconds until a change that could not be saved is tried again by itself. */
const UNTIL_NEXT_TRY = 5_000

export type Saving = 'idle' | 'saving' | 'saved' | { failed: string }

/**
 * Saves corrections one after another, each based on the version that the previous one made. When another tab was
 * quicker, a correction is applied to that tab's version, unless both changed the same segment: then the person decides.
 * Changes that can't be saved wait and are tried again.
 */
export function useCorrections(id: string) {
  const queries = useQueryClient()
  const place = `${useSession().user?.id} ${id}`
  const listed = () => unsaved.get(place) ?? []
  const [waiting, setWaiting] = useState(listed)
  const [saving, setSaving] = useState<Saving>('idle')
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [done, setDone] = useState<Correction[]>([])
  const isSending = useRef(false)

  const put = (changes: readonly Change[]) => {
    unsaved.set(place, changes)
    setWaiting(changes)
  }
  const current = () => queries.getQueryData<TranscriptionDocument>(transcriptKey(id))
  const read = () =>
    queries.fetchQuery<TranscriptionDocument>({
      queryKey: transcriptKey(id),
      queryFn: async () => (await call('transcription', { params: { id } })).data.transcription,
      staleTime: 0,
    })

  async function send(body: Change['body']): Promise<void> {
    await queries.cancelQueries({ queryKey: transcriptKey(id) })
    const { data } = await call('editTranscription', { params: { id }, body, ifMatch: current()?.version })
    queries.setQueryData(transcriptKey(id), data.transcription)
    void queries.invalidateQueries({ queryKey: ['transcriptions'] })
  }

  /** Sends a change, also to a newer version if it still fits; returns the conflict if it does not. */
  async function sendFitting({ body, correction }: Change): Promise<Conflict | null> {
    for (let attempt = 1; ; attempt++) {
      const document = current()
      const conflict = document && correction ? conflictWith(document, correction) : null
      if (conflict) return conflict
      try {
        await send(body)
        return null
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || attempt === ATTEMPTS) throw error
        await read()
      }
    }
  }

  /** Removes a change from the list once it is saved or in conflict with another one. */
  function settle(change: Change, conflict: Conflict | null) {
    const rest = listed().filter(one => one !== change)
    if (!conflict) {
      put(rest)
      const { body, correction, isUndo } = change
      if (body.restore) setDone([])
      else if (correction && !isUndo) setDone(before => [...before, correction])
      return
    }
    // Later changes of the same segment are based on a text that was never saved.
    const later = rest.filter(({ correction }) => correction?.id === conflict.id)
    put(rest.filter(one => !later.includes(one)))
    const after = later.at(-1)?.correction?.after ?? conflict.after
    setConflicts(before => [...before, { ...conflict, after }])
  }

  async function sendWaiting(): Promise<void> {
    const [first] = listed()
    if (isSending.current || !first) return
    isSending.current = true
    setSaving('saving')
    try {
      let conflict: Conflict | null = null
      for (let next: Change | undefined = first; next; next = listed()[0]) {
        conflict = await sendFitting(next)
        settle(next, conflict)
      }
      setSaving(conflict ? 'idle' : 'saved')
    } catch (error) {
      setSaving({ failed: messageOf(error, 'Your change couldn’t be saved') })
      if (!(error instanceof ApiError) || error.status !== 404) return
      // Deleted in another tab: fetching it again shows that.
      put([])
      void queries.invalidateQueries({ queryKey: transcriptKey(id) })
    } finally {
      isSending.current = false
    }
  }
  useTriesAgain(typeof saving === 'object' || (saving === 'idle' && waiting.length > 0), sendWaiting)
  useQuestionBeforeLeaving(waiting.length > 0 || conflicts.length > 0)

  function save(change: Change) {
    put([...listed(), change])
    void sendWaiting()
  }
  const correct = (correction: Correction, isUndo = false) =>
    save({ body: { segments: [{ id: correction.id, text: correction.after }] }, correction, isUndo })

  const latest = useRef(correct)
  latest.current = correct

  return {
    saving,
    conflicts,
    /** A document's segments as they will be once all is saved. */
    corrected: (segments: Segment[]) => (waiting.length ? withChanges(segments, waiting) : segments),
    /** Always the same function, so that passages do not render again because of it. */
    correct: useCallback((correction: Correction) => latest.current(correction), []),
    retitle: (title: string) => save({ body: { title } }),
    restore: () => save({ body: { restore: true } }),
    canUndo: done.length > 0,
    undo: () => {
      const last = done.at(-1)
      if (!last) return
      setDone(done.slice(0, -1))
      correct({ id: last.id, before: last.after, after: last.before }, true)
    },
    /** Tries again to save the changes that could not be saved. */
    retry: () => void sendWaiting(),
    keepTheirs: (conflict: Conflict) => setConflicts(before => before.filter(entry => entry !== conflict)),
    keepMine: (conflict: Conflict) => {
      setConflicts(before => before.filter(entry => entry !== conflict))
      if (conflict.theirs !== null) correct({ ...conflict, before: conflict.theirs })
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>

/** Tries after a while and when the connection is back, and at once for changes left by an earlier visit. */
function useTriesAgain(isDue: boolean, work: () => Promise<void>) {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => void latest.current(), [])
  useEffect(() => {
    if (!isDue) return
    const again = () => void latest.current()
    const timer = setInterval(again, UNTIL_NEXT_TRY)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [isDue])
}

/** The browser asks before it closes a page with changes that are nowhere else. */
function useQuestionBeforeLeaving(isDue: boolean) {
  useEffect(() => {
    if (!isDue) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDue])
}
