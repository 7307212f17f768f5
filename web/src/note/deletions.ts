import type { DataFor } from '@voxscribe/contracts/calls'
import { BULK_MAX } from '@voxscribe/contracts/limits'
import { PATHS } from '@voxscribe/contracts/paths'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { beforeSignOut, storedTokens } from '../session/store.ts'
import { type Sending, useQueued } from '../session/use-queued.ts'
import { removeToast, toast } from '../ui/feedback/toast.ts'
import { toastError } from '../ui/feedback/toast-error.ts'
import { NOTES } from './use-transcript.ts'

/** Milliseconds in which a deletion can be undone (design section 14). */
const UNDO_MS = 10_000

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

interface Deletion {
  ids: string[]
  /** Calls that are not made yet: a retry continues where the last one stopped. */
  parts: string[][]
  gone: string[]
  /** Resolves when the time for Undo is over. */
  due: PromiseWithResolvers<void>
}

/** Its results are the ids that are gone. */
const DELETIONS: Sending<Deletion, string[]> = {
  ready: ({ due }) => due.promise,
  async send({ parts, gone }, { queries }) {
    try {
      for (let part = parts[0]; part; part = parts[0]) {
        const { data } = await call('changeTranscriptions', { body: { ids: part, action: 'delete' } })
        parts.shift()
        gone.push(...data.done)
        // Deleted in another tab, or by a try whose answer was lost.
        const isThere = ({ message }: { message: string }) => message !== REFUSALS.note_unknown.text
        reportFailures({ ...data, failed: data.failed.filter(isThere) })
      }
      return gone
    } finally {
      void queries.invalidateQueries(NOTES)
    }
  },
  waits: () => false,
  tries: 3,
  keptMs: 300_000,
  onFailed: error => toastError(error, i18n.t('The notes couldn’t be deleted')),
}

/** Ids of deleted notes, also while their deletion can be undone: no list shows them. */
export function useDeletedIds(): Set<string> {
  const { items } = useQueued('delete-notes', DELETIONS)
  return new Set(
    items.flatMap(({ status, data, variables }) => (status === 'error' ? [] : (data ?? variables.ids))),
  )
}

/** Returns the function that deletes notes: they leave the lists at once, and are deleted after the time for Undo. */
export function useDeleteNotes() {
  const { queue } = useQueued('delete-notes', DELETIONS)
  return (ids: string[]) => {
    const deletion = { ids, parts: bulksOf(ids), gone: [], due: Promise.withResolvers<void>() }
    const sent = queue.add(deletion)
    const close = () => {
      clearTimeout(timer)
      removeToast(notice)
      undoable.delete(entry)
    }
    const send = () => {
      close()
      deletion.due.resolve()
      return sent
    }
    const undo = () => {
      close()
      queue.remove(({ variables }) => variables === deletion)
    }
    const entry = { ids, close, send }
    undoable.add(entry)
    const timer = setTimeout(send, UNDO_MS)
    const action = { label: i18n.t('Undo'), run: undo }
    const notice = toast(deleted(ids.length), { duration: UNDO_MS, action })
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
