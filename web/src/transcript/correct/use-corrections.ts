import { type MutationCache, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Segment } from '@voxscribe/contracts/http'
import { useCallback, useEffect } from 'react'
import { ApiError } from '../../api/errors.ts'
import { call } from '../../session/client.ts'
import { mustBeSignedIn } from '../../session/store.ts'
import { useSession } from '../../session/use-session.ts'
import { messageOf } from '../../ui/error-message.ts'
import { complete, transcriptQuery } from '../note/use-transcript.ts'
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
  const cache = useQueryClient().getMutationCache()
  const userId = useSession().user?.id ?? ''
  const key = `correction ${userId} ${id}`
  const filters = { mutationKey: [key] }
  const changes = useMutationState({ filters, select: ({ state }) => state as Sent })
  const { mutate } = useMutation({
    mutationKey: [key],
    scope: { id: key },
    mutationFn: useSend(id, userId, key),
    gcTime: Number.POSITIVE_INFINITY,
    meta: { isUnsaved: ({ status, data }: Sent) => status !== 'success' || Boolean(data) },
  })
  const saving = savingOf(changes)
  const resend = useCallback(() => sendFailedAgain(cache, key), [cache, key])
  useRetries(typeof saving === 'object', resend)
  useEffect(() => {
    // Of an earlier visit, only what is not saved counts.
    for (const mutation of cache.findAll({ mutationKey: [key], status: 'success' }))
      if (!mutation.state.data) cache.remove(mutation)
    resend()
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
    for (const mutation of cache.findAll(filters))
      if ((mutation.state as Sent).data?.id === conflict.id) cache.remove(mutation)
  }
  const undoable = lastUndoable(changes)
  return {
    saving,
    conflicts: conflictsIn(changes),
    /** A document's segments as they will be once all is saved. */
    corrected: (segments: Segment[]) => withUnsaved(segments, changes),
    /** Always the same function, so that passages do not render again because of it. */
    correct,
    retitle: (title: string) => save({ body: { title } }),
    restore: () => save({ body: { restore: true } }),
    canUndo: undoable !== undefined,
    undo: () =>
      undoable && correct({ id: undoable.id, before: undoable.after, after: undoable.before }, true),
    /** Sends the changes that could not be saved again. */
    retry: resend,
    keepTheirs: settle,
    keepMine: (conflict: Conflict) => {
      settle(conflict)
      if (conflict.theirs !== null) correct({ ...conflict, before: conflict.theirs })
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>

/** Returns the function that sends a change, also to a newer version if it still fits; else it returns the conflict. */
function useSend(id: string, userId: string, key: string) {
  const queries = useQueryClient()
  const { queryKey } = transcriptQuery(id)
  const cache = queries.getMutationCache()

  async function send({ body, correction }: Change): Promise<Conflict | null> {
    for (let attempt = 1; ; attempt++) {
      const document = queries.getQueryData(queryKey)
      const conflict = document && correction ? conflictWith(document, correction) : null
      if (conflict) return conflict
      await queries.cancelQueries({ queryKey })
      try {
        const { data } = await call('editTranscription', { params: { id }, body, ifMatch: document?.version })
        queries.setQueryData(queryKey, complete(data.transcription))
        return null
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || attempt === ATTEMPTS) throw error
        await queries.fetchQuery({ ...transcriptQuery(id), staleTime: 0 })
      }
    }
  }
  return async (change: Change): Promise<Conflict | null> => {
    // A change may be based on an earlier one: none is sent past one that failed.
    const [earlier] = cache.findAll({ mutationKey: [key], status: 'error' })
    if (earlier?.state.error) throw earlier.state.error
    mustBeSignedIn(userId)
    // The page first shows the change: only then does its field follow the text of a conflict.
    await new Promise(resolve => setTimeout(resolve))
    try {
      const conflict = await send(change)
      void queries.invalidateQueries({ queryKey: ['transcriptions'] })
      return conflict
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      // Deleted in another tab: fetching it again shows that.
      for (const mutation of cache.findAll({ mutationKey: [key] })) cache.remove(mutation)
      void queries.invalidateQueries({ queryKey })
      throw error
    }
  }
}

/** Sends the changes that could not be saved again; as they keep their places in the scope, they do so in order. */
function sendFailedAgain(cache: MutationCache, key: string) {
  for (const mutation of cache.findAll({ mutationKey: [key], status: 'error' }))
    void mutation.execute(mutation.state.variables).catch(() => {})
}

function savingOf(changes: Sent[]): Saving {
  const failed = changes.find(({ status }) => status === 'error')
  if (failed) return { failed: messageOf(failed.error, 'Your change couldn’t be saved') }
  if (changes.some(({ status }) => status === 'pending')) return 'saving'
  const last = changes.at(-1)
  return last && !last.data ? 'saved' : 'idle'
}

/** Retries after a while, and when the connection is back. */
function useRetries(isDue: boolean, retry: () => void) {
  useEffect(() => {
    if (!isDue) return
    const timer = setInterval(retry, RETRY_AFTER)
    window.addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
    }
  }, [isDue, retry])
}
