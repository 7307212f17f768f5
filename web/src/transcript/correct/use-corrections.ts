import {
  onlineManager,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import type { Segment } from '@voxscribe/contracts/http'
import { useCallback, useEffect } from 'react'
import { i18n } from '../../language/i18n.ts'
import { complete, transcriptQuery } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { mustBeSignedIn } from '../../session/store.ts'
import { useSession } from '../../session/use-session.ts'
import { messageOf } from '../../ui/feedback/error-message.ts'
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

/**
 * Saves corrections one after another, each based on the version that the previous one made. When another tab was
 * quicker, a correction is applied to that tab's version, unless both changed the same segment: then the person decides.
 * The changes are mutations of one scope. They outlive the page: those that could not be saved are sent again in order.
 */
export function useCorrections(id: string) {
  const queries = useQueryClient()
  const cache = queries.getMutationCache()
  const userId = useSession().user?.id ?? ''
  const key = `correction ${userId} ${id}`
  const changes = useMutationState({
    filters: { mutationKey: [key] },
    select: ({ state }) => state as Sent,
  })
  // They keep their places in the scope.
  const resend = useCallback(() => {
    for (const mutation of cache.findAll({ mutationKey: [key], status: 'error' }))
      void mutation.execute(mutation.state.variables).catch(() => {})
  }, [cache, key])
  const { mutate } = useMutation({
    mutationKey: [key],
    scope: { id: key },
    mutationFn: async (change: Change) => {
      // A change may be based on an earlier one: none is sent past one that failed.
      const [earlier] = cache.findAll({ mutationKey: [key], status: 'error' })
      if (earlier?.state.error) throw earlier.state.error
      mustBeSignedIn(userId)
      // The page first shows the change: only then does its field follow the text of a conflict.
      await new Promise(resolve => setTimeout(resolve))
      return send(queries, id, change)
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
    onError(error) {
      setTimeout(resend, RETRY_AFTER)
      if (Object(error).status !== 404) return
      // Deleted in another tab: fetching it again shows that.
      for (const mutation of cache.findAll({ mutationKey: [key] })) cache.remove(mutation)
      void queries.invalidateQueries(transcriptQuery(id))
    },
    gcTime: Number.POSITIVE_INFINITY,
    meta: { isUnsaved: ({ status, data }: Sent) => status !== 'success' || Boolean(data) },
  })
  useEffect(() => {
    // Of an earlier visit, only what is not saved counts.
    for (const mutation of cache.findAll({ mutationKey: [key], status: 'success' }))
      if (!mutation.state.data) cache.remove(mutation)
    resend()
    return onlineManager.subscribe(isOnline => isOnline && resend())
  }, [cache, key, resend])

  const save = useCallback(
    (change: Change) => {
      resend()
      mutate(change)
    },
    [resend, mutate],
  )
  const correct = useCallback(
    (correction: Correction, isUndo = false) =>
      save({ body: { segments: [{ id: correction.id, text: correction.after }] }, correction, isUndo }),
    [save],
  )
  const settle = (conflict: Conflict) => {
    for (const mutation of cache.findAll({ mutationKey: [key] }))
      if ((mutation.state as Sent).data?.id === conflict.id) cache.remove(mutation)
  }
  const undoable = lastUndoable(changes)
  return {
    saving: savingOf(changes),
    conflicts: conflictsIn(changes),
    /** A document's segments as they will be once all is saved. */
    corrected: (segments: Segment[]) => withUnsaved(segments, changes),
    /** Always the same function, so that passages do not render again because of it. */
    correct,
    retitle: (title: string) => save({ body: { title } }),
    tag: (tags: string[]) => save({ body: { tags } }),
    restore: () => save({ body: { restore: true } }),
    undo: undoable && (() => correct({ ...undoable, before: undoable.after, after: undoable.before }, true)),
    retry: resend,
    keepTheirs: settle,
    keepMine: (conflict: Conflict) => {
      settle(conflict)
      if (conflict.theirs !== null) correct({ ...conflict, before: conflict.theirs })
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>

/** Sends a change, also to a newer version if it still fits; else returns the conflict. */
async function send(queries: QueryClient, id: string, change: Change, attempt = 1): Promise<Conflict | null> {
  const { queryKey } = transcriptQuery(id)
  const { body, correction } = change
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
    return send(queries, id, change, attempt + 1)
  }
}

function savingOf(changes: Sent[]): Saving {
  const failed = changes.find(({ status }) => status === 'error')
  if (failed) return { failed: messageOf(failed.error, i18n.t('Your change couldn’t be saved')) }
  if (changes.some(({ status }) => status === 'pending')) return 'saving'
  const last = changes.at(-1)
  return last && !last.data ? 'saved' : 'idle'
}
