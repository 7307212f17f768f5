import { useQueryClient } from '@tanstack/react-query'
import type { api, BodyOf, TranscriptionDocument } from '@voxscribe/contracts/http'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { call } from '../../session/client.ts'
import { messageOf } from '../../ui/error-message.ts'
import { type Conflict, type Correction, conflictWith } from './corrections.ts'
import { transcriptKey } from './use-transcript.ts'

type Change = NonNullable<BodyOf<typeof api.editTranscription>>
const ATTEMPTS = 5

export type Saving = 'idle' | 'saving' | 'saved' | { failed: string }
/** A change on its way; what it resolves to is shown as the state. */
type Work = () => Promise<Saving>

/**
 * Saves corrections one after another, each to the version that the one before made. When another tab was quicker, a
 * correction is made to its version as well, unless both changed the same segment: then the person decides.
 */
export function useCorrections(id: string) {
  const queries = useQueryClient()
  const [saving, setSaving] = useState<Saving>('idle')
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [done, setDone] = useState<Correction[]>([])
  const [unsaved, setUnsaved] = useState<Work[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())

  const current = () => queries.getQueryData<TranscriptionDocument>(transcriptKey(id))
  const read = () =>
    queries.fetchQuery<TranscriptionDocument>({
      queryKey: transcriptKey(id),
      queryFn: async () => (await call('transcription', { params: { id } })).data.transcription,
      staleTime: 0,
    })

  async function send(body: Change): Promise<void> {
    await queries.cancelQueries({ queryKey: transcriptKey(id) })
    const { data } = await call('editTranscription', { params: { id }, body, ifMatch: current()?.version })
    queries.setQueryData(transcriptKey(id), data.transcription)
    void queries.invalidateQueries({ queryKey: ['transcriptions'] })
  }

  /** Sends a change, to a newer version as well as long as it fits that; returns what stands against it. */
  async function sendFitting(body: Change, correction?: Correction): Promise<Conflict | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        await send(body)
        return null
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || attempt === ATTEMPTS) throw error
        const newer = await read()
        const conflict = correction ? conflictWith(newer, correction) : null
        if (conflict) return conflict
      }
    }
  }

  function save(work: Work): Promise<void> {
    setSaving('saving')
    const next = queue.current.then(work).then(setSaving, error => {
      // Deleted in another tab: reading it again says so.
      if (error instanceof ApiError && error.status === 404)
        return queries.invalidateQueries({ queryKey: transcriptKey(id) })
      setUnsaved(before => [...before, work])
      setSaving({ failed: messageOf(error, 'Your change couldn’t be saved') })
    })
    queue.current = next
    return next
  }

  function correct(correction: Correction, undoing = false): Promise<void> {
    return save(async () => {
      const body = { segments: [{ id: correction.id, text: correction.after }] }
      const conflict = await sendFitting(body, correction)
      if (conflict) setConflicts(before => [...before, conflict])
      else if (!undoing) setDone(before => [...before, correction])
      return conflict ? 'idle' : 'saved'
    })
  }

  const saveAll = (body: Change) =>
    save(async () => {
      await sendFitting(body)
      return 'saved'
    })

  return {
    saving,
    conflicts,
    correct: (correction: Correction) => correct(correction),
    retitle: (title: string) => saveAll({ title }),
    restore: () => saveAll({ restore: true }),
    canUndo: done.length > 0,
    undo: () => {
      const last = done.at(-1)
      if (!last) return
      setDone(done.slice(0, -1))
      void correct({ id: last.id, before: last.after, after: last.before }, true)
    },
    /** Saves once more what could not be saved. */
    retry: () => {
      setUnsaved([])
      for (const work of unsaved) void save(work)
    },
    keepTheirs: (conflict: Conflict) => setConflicts(before => before.filter(entry => entry !== conflict)),
    keepMine: (conflict: Conflict) => {
      setConflicts(before => before.filter(entry => entry !== conflict))
      if (conflict.theirs !== null) void correct({ ...conflict, before: conflict.theirs })
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>
