import { onlineManager, type QueryClient } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useCallback, useEffect, useMemo } from 'react'
import { pause } from '../../api/pause.ts'
import { i18n } from '../../language/i18n.ts'
import { complete, transcriptQuery } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { type Sending, useQueued } from '../../session/use-queued.ts'
import { messageOf } from '../../ui/feedback/toast.ts'
import {
  type Change,
  type Conflict,
  type Correction,
  conflictsIn,
  conflictWith,
  lastUndoable,
  type Sent,
  withUnsaved,
} from './corrections.ts'

const ATTEMPTS = 5
/** Milliseconds after which a change that could not be saved is sent again. */
const RETRY_AFTER = 5_000

export type Saving = 'idle' | 'saving' | 'saved' | { failed: string }

/** A change may be based on an earlier one: none is sent past one that failed. */
const CORRECTIONS: Sending<Change, Conflict | null> = {
  async send(change, { queries, find }) {
    const [earlier] = find('error')
    if (earlier?.state.error) throw earlier.state.error
    // The page first shows the change: only then does its field follow the text of a conflict.
    await pause(0)
    return sendTo(queries, change)
  },
  isUnsaved: ({ status, data }) => status !== 'success' || Boolean(data),
  onSent: queries => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
  onFailed(error, { id }, queue) {
    setTimeout(queue.resend, RETRY_AFTER)
    if (Object(error).status !== 404) return
    // Deleted in another tab: fetching it again shows that.
    queue.remove(() => true)
    void queue.queries.invalidateQueries(transcriptQuery(id))
  },
}

/**
 * Saves corrections in order, each based on the version before it, also on another tab's, unless both changed one
 * segment: then the person decides. They outlive the page: what could not be saved is sent again.
 */
export function useCorrections(saved: TranscriptionDocument) {
  const { id } = saved
  const { queue, items: changes } = useQueued(`correction ${id}`, CORRECTIONS)
  useEffect(() => {
    // Of an earlier visit, only what is not saved counts.
    queue.remove(({ status, data }) => status === 'success' && !data)
    queue.resend()
    return onlineManager.subscribe(isOnline => isOnline && queue.resend())
  }, [queue])

  const save = useCallback(
    (change: Omit<Change, 'id'>) => {
      queue.resend()
      void queue.add({ id, ...change })
    },
    [queue, id],
  )
  const correct = useCallback(
    (correction: Correction, isUndo = false) =>
      save({ body: { segments: [{ id: correction.id, text: correction.after }] }, correction, isUndo }),
    [save],
  )
  const name = useCallback(
    (speaker: string, typed: string) => save({ body: { speakers: [{ id: speaker, name: typed || null }] } }),
    [save],
  )
  const give = useCallback(
    (passage: string, speaker: string) => save({ body: { segments: [{ id: passage, speaker }] } }),
    [save],
  )
  const settle = (conflict: Conflict) => queue.remove(({ data }) => data?.id === conflict.id)
  const undoable = lastUndoable(changes)
  return {
    /** The note as it will be once all is saved. */
    document: useMemo(() => withUnsaved(saved, changes), [saved, changes]),
    saving: savingOf(changes),
    conflicts: conflictsIn(changes),
    /** Always the same function, so that passages do not render again because of it. */
    correct,
    /** Names a speaker; the same function always, as is `give`, which gives a passage to another one. */
    name,
    give,
    retitle: (title: string) => save({ body: { title } }),
    tag: (tags: string[]) => save({ body: { tags } }),
    restore: () => save({ body: { restore: true } }),
    undo: undoable && (() => correct({ ...undoable, before: undoable.after, after: undoable.before }, true)),
    retry: () => queue.resend(),
    keepTheirs: settle,
    keepMine: (conflict: Conflict) => {
      settle(conflict)
      if (conflict.theirs !== null) correct({ ...conflict, before: conflict.theirs })
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>

/** Sends a change, also to a newer version if it still fits; else returns the conflict. */
async function sendTo(queries: QueryClient, change: Change, attempt = 1): Promise<Conflict | null> {
  const { id, body, correction } = change
  const { queryKey } = transcriptQuery(id)
  const document = queries.getQueryData(queryKey)
  const conflict = document && correction ? conflictWith(document, correction) : null
  if (conflict) return conflict
  await queries.cancelQueries({ queryKey })
  try {
    const { data } = await call('editTranscription', { params: { id }, body, ifMatch: document?.version })
    queries.setQueryData(queryKey, complete(data.transcription))
    return null
  } catch (error) {
    if (Object(error).status !== 409 || attempt === ATTEMPTS) throw error
    await queries.fetchQuery({ ...transcriptQuery(id), staleTime: 0 })
    return sendTo(queries, change, attempt + 1)
  }
}

function savingOf(changes: Sent[]): Saving {
  const failed = changes.find(({ status }) => status === 'error')
  if (failed) return { failed: messageOf(failed.error, i18n.t('Your change couldn’t be saved')) }
  if (changes.some(({ status }) => status === 'pending')) return 'saving'
  const last = changes.at(-1)
  return last && !last.data ? 'saved' : 'idle'
}
