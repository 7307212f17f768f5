import type { BodyFor, DataFor } from '@voxscribe/contracts/calls'
import type { Transcription } from '@voxscribe/contracts/http'
import { BULK_MAX, DELETED_FREE_SECONDS } from '@voxscribe/contracts/limits'
import { PATHS } from '@voxscribe/contracts/paths'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { lengthInWords } from '@voxscribe/contracts/wording'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { beforeSignOut, storedTokens } from '../session/session.ts'
import { type Sending, useQueued } from '../session/use-queued.ts'
import { removeToast, toast, toastError } from '../ui/feedback/toast.ts'
import { NOTES } from './queries.ts'

/** Milliseconds during which a deletion can be undone (design section 14). */
const UNDO_MS = 10_000

/** Deletions that are not completely sent: `close` ends the time for Undo, `send` also sends them. */
const unfinished = new Set<{ parts: string[][]; close(): void; send(): Promise<void> }>()

/** The fields of a note that the lists and their figures need. */
export type ListedNote = Pick<Transcription, 'id' | 'status'>

/** Splits ids into batches of one call each. */
const bulksOf = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / BULK_MAX) }, (_, index) =>
    ids.slice(index * BULK_MAX, (index + 1) * BULK_MAX),
  )

/** The progress of changing many notes. */
interface Change {
  /** Batches that aren't sent yet: a retry continues where the last try stopped. */
  parts: string[][]
  /** The ids of changed notes, with the Unix time of the server's response in milliseconds. */
  done: Map<string, number>
  failed: DataFor<'changeTranscriptions'>['failed']
  charged: number
  chargedInPart: number
}

export const changeOf = (ids: string[]): Change => ({
  parts: bulksOf(ids),
  done: new Map(),
  failed: [],
  charged: 0,
  chargedInPart: 0,
})

/** Sends the remaining batches. */
export async function makeChange(
  act: Omit<BodyFor<'changeTranscriptions'>, 'ids'>,
  change: Change,
): Promise<void> {
  const { parts, done, failed } = change
  for (let part = parts[0]; part; part = parts[0]) {
    const { data } = await call('changeTranscriptions', { body: { ids: part, ...act } })
    parts.shift()
    for (const id of data.done) done.set(id, Date.now())
    failed.push(...data.failed)
    change.charged += data.charged
    change.chargedInPart += data.chargedInPart
  }
}

/** Reports the notes that the server didn't change, and whether notes were charged. */
export function reportFailures({ done, failed, charged, chargedInPart }: Change) {
  const { length: count } = failed
  const not = i18n.t(
    '{count, plural, one {# note couldn’t be changed.} other {# notes couldn’t be changed.}}',
    { count },
  )
  if (failed[0]) toast(`${not} ${failed[0].message}`, { type: 'error' })
  const minutes = i18n.t(
    'Minutes were charged for {charged} of them, because you have deleted many notes while they were being transcribed.',
    { charged },
  )
  const read = i18n.t(
    'The part that was already transcribed was charged for {charged} of them, less {free} each.',
    { charged: chargedInPart, free: lengthInWords(i18n, DELETED_FREE_SECONDS) },
  )
  const costs = [charged && minutes, chargedInPart && read].filter(Boolean)
  if (costs.length) toast([deleted(done.size), ...costs].join(' '), { type: 'warning' })
}

const deleted = (count: number) =>
  i18n.t('{count, plural, one {# note deleted.} other {# notes deleted.}}', { count })

interface Deletion extends Change {
  notes: ListedNote[]
  /** Resolves when the time for Undo is over. */
  due: PromiseWithResolvers<void>
}

/** Deletions being sent: the server's lists and figures still have some of their notes. */
const sending = new Set<Deletion>()

export const isDeleting = () => sending.size > 0

const DELETIONS: Sending<Deletion, void> = {
  ready: ({ due }) => due.promise,
  async send(deletion, { queries }) {
    sending.add(deletion)
    try {
      await makeChange({ action: 'delete' }, deletion)
      // Such a note was deleted in another tab, or by a try whose response was lost.
      const isThere = ({ message }: { message: string }) => message !== REFUSALS.note_unknown.text
      reportFailures({ ...deletion, failed: deletion.failed.filter(isThere) })
    } finally {
      sending.delete(deletion)
      void queries.invalidateQueries(NOTES)
    }
  },
  waits: () => false,
  tries: 3,
  onFailed: error => toastError(error, i18n.t('The notes couldn’t be deleted')),
}

/** Deleted notes with the time of the deletion, including those whose deletion can be undone. */
function useDeleted(): (ListedNote & { at: number })[] {
  const { items } = useQueued('delete-notes', DELETIONS)
  return items.flatMap(({ status, variables: { notes, done } }) => {
    if (status === 'error') return []
    const gone = status === 'success' ? notes.filter(({ id }) => done.has(id)) : notes
    return gone.map(note => ({ ...note, at: done.get(note.id) ?? Number.POSITIVE_INFINITY }))
  })
}

/** Ids of the notes that no list shows. */
export const useDeletedIds = (): Set<string> => new Set(useDeleted().map(({ id }) => id))

/** Deleted notes that figures requested at this time still include. */
export const useDeletedSince = (askedAt: number): ListedNote[] =>
  useDeleted().filter(({ at }) => at >= askedAt)

/** Returns the function that removes notes from the lists at once and deletes them after the time for Undo. */
export function useDeleteNotes() {
  const { queue } = useQueued('delete-notes', DELETIONS)
  return (notes: ListedNote[]) => {
    const change = changeOf(notes.map(({ id }) => id))
    const deletion = { ...change, notes, due: Promise.withResolvers<void>() }
    const entry = { parts: change.parts, close, send }
    const sent = queue.add(deletion).finally(() => unfinished.delete(entry))
    function close() {
      clearTimeout(timer)
      removeToast(notice)
    }
    function send() {
      close()
      deletion.due.resolve()
      return sent
    }
    function undo() {
      close()
      unfinished.delete(entry)
      queue.remove(({ variables }) => variables === deletion)
      const { length: count } = notes
      toast(i18n.t('{count, plural, one {# note is back.} other {# notes are back.}}', { count }))
    }
    unfinished.add(entry)
    const timer = setTimeout(send, UNDO_MS)
    const action = { label: i18n.t('Undo'), run: undo }
    const notice = toast(deleted(notes.length), { duration: UNDO_MS, action })
  }
}

beforeSignOut(() => Promise.all([...unfinished].map(({ send }) => send())))

/** When the page is closed, reloaded or left, only requests that outlive it can be sent. */
window.addEventListener('pagehide', () => {
  const [method, path] = PATHS.changeTranscriptions
  const headers = {
    Authorization: `Bearer ${storedTokens().accessToken}`,
    'Content-Type': 'application/json',
  }
  for (const entry of unfinished) {
    unfinished.delete(entry)
    entry.close()
    for (const part of entry.parts) {
      const body = JSON.stringify({ ids: part, action: 'delete' })
      void fetch(`/api${path}`, { method, headers, body, keepalive: true }).catch(() => {})
    }
  }
})
