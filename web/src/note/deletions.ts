import { type MutationState, onlineManager, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { BULK_MAX } from '@voxscribe/contracts/limits'
import { PATHS } from '@voxscribe/contracts/paths'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { beforeSignOut, getSession, mustBeSignedIn, storedTokens } from '../session/store.ts'
import { removeToast, toast } from '../ui/feedback/toast.ts'
import { toastError } from '../ui/feedback/toast-error.ts'
import { NOTES } from './use-transcript.ts'

/** Milliseconds in which a deletion can be undone (design section 14). */
const UNDO_MS = 10_000
const MUTATION_KEY = ['delete-notes']

/** Deletions that can still be undone: `close` ends the time for that, `send` also sends them. */
const undoable = new Set<{ ids: string[]; close(): void; send(): Promise<unknown> }>()

/** Splits ids into as many as one call takes. */
export const bulksOf = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BULK_MAX) }, (_, index) =>
    ids.slice(index * BULK_MAX, (index + 1) * BULK_MAX),
  )

/** Reports what the server did not do, and whether notes were charged. */
export function reportFailures({ done, failed, charged }: DataFor<'changeTranscriptions'>) {
  const { length: count } = failed
  const not = i18n.t('{count, plural, one {Not possible for # note.} other {Not possible for # notes.}}', {
    count,
  })
  if (failed[0]) toast(`${not} ${failed[0].message}`, { type: 'error' })
  const minutes = i18n.t(
    'The minutes of {charged} were charged, because you have deleted many notes while they were being transcribed.',
    { charged },
  )
  if (charged) toast(`${deleted(done.length)} ${minutes}`, { type: 'warning' })
}

const deleted = (count: number) =>
  i18n.t('{count, plural, one {# note deleted.} other {# notes deleted.}}', { count })

/** Ids of deleted notes, also while their deletion can be undone: no list shows them. */
export function useDeletedIds(): Set<string> {
  const states = useMutationState({
    filters: { mutationKey: MUTATION_KEY, predicate: ({ state }) => state.status !== 'error' },
    select: ({ state }) => state as MutationState<string[], Error, string[]>,
  })
  return new Set(states.flatMap(({ data, variables }) => data ?? variables ?? []))
}

/** Returns the function that deletes notes: they leave the lists at once, and are deleted after the time for Undo. */
export function useDeleteNotes() {
  const queries = useQueryClient()
  const cache = queries.getMutationCache()
  return (ids: string[]) => {
    const due = Promise.withResolvers<void>()
    const deletion = cache.build(queries, {
      mutationKey: MUTATION_KEY,
      mutationFn: deleterOf(ids, due.promise),
      // Without a connection it waits for one.
      networkMode: 'offlineFirst',
      retry: (failures: number) => failures < 2 || !onlineManager.isOnline(),
      onError: error => toastError(error, i18n.t('The notes couldn’t be deleted')),
      onSettled: () => queries.invalidateQueries(NOTES),
    })
    const sent = deletion.execute(ids).catch(() => {})
    const close = () => {
      clearTimeout(timer)
      removeToast(notice)
      undoable.delete(entry)
    }
    const send = () => {
      close()
      due.resolve()
      return sent
    }
    const undo = () => {
      close()
      cache.remove(deletion)
    }
    const entry = { ids, close, send }
    undoable.add(entry)
    const timer = setTimeout(send, UNDO_MS)
    const action = { label: i18n.t('Undo'), run: undo }
    const notice = toast(deleted(ids.length), { duration: UNDO_MS, action })
  }
}

/** Deletes as the user who asked for it; a retry continues where the last one stopped. Returns the ids that are gone. */
function deleterOf(ids: string[], due: Promise<void>) {
  const userId = getSession().user?.id ?? ''
  const parts = bulksOf(ids)
  const gone: string[] = []
  return async () => {
    await due
    for (let part = parts[0]; part; part = parts[0]) {
      mustBeSignedIn(userId)
      const { data } = await call('changeTranscriptions', { body: { ids: part, action: 'delete' } })
      parts.shift()
      gone.push(...data.done)
      reportFailures(data)
    }
    return gone
  }
}

beforeSignOut(() => Promise.all([...undoable].map(({ send }) => send())))

/** When the app is closed, reloaded or left, only requests that outlive the page are sent. */
window.addEventListener('pagehide', () => {
  const [method, path] = PATHS.changeTranscriptions
  const headers = {
    Authorization: `Bearer ${storedTokens().accessToken}`,
    'Content-Type': 'application/json',
  }
  for (const { ids, close } of undoable) {
    close()
    for (const part of bulksOf(ids)) {
      const body = JSON.stringify({ ids: part, action: 'delete' })
      void fetch(`/api${path}`, { method, headers, body, keepalive: true }).catch(() => {})
    }
  }
})
