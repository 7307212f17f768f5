import { onlineManager, type QueryClient } from '@tanstack/react-query'
import type { api, BodyOf, Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { useEffect, useMemo } from 'react'
import { pause } from '../../api/pause.ts'
import { i18n } from '../../language/i18n.ts'
import { complete, transcriptQuery } from '../../note/queries.ts'
import { call } from '../../session/client.ts'
import { type Queued, type Sending, useQueued } from '../../session/use-queued.ts'
import { messageOf } from '../../ui/feedback/toast.ts'

/** A change of one segment's text, with the text that it is based on. */
export interface Correction {
  id: string
  before: string
  after: string
}

/** A correction of a segment that was changed elsewhere in the meantime. */
interface Conflict extends Correction {
  /** The segment's current text; null if it no longer exists. */
  theirs: string | null
}

/** A change of the note: of its title, tags, speakers or segments, or a return to the original. */
interface Change {
  id: string
  body: NonNullable<BodyOf<typeof api.editTranscription>>
  /** The correction, if the change is of one segment. */
  correction?: Correction
  isUndo?: boolean
}

/** A change being sent; its data is the conflict that prevented saving it, if any. */
type Sent = Queued<Change, Conflict | null>

/** Returns the conflict if a correction no longer fits a newer version of the document, else null. */
function conflictWith(document: TranscriptionDocument, correction: Correction): Conflict | null {
  const theirs = document.segments.find(({ id }) => id === correction.id)?.text ?? null
  return theirs === correction.before || theirs === correction.after ? null : { ...correction, theirs }
}

/** Returns the note as it will be once all changes are saved; the same object if there are none. */
const withUnsaved = (document: TranscriptionDocument, changes: Sent[]): TranscriptionDocument =>
  changes
    .filter(({ status }) => status !== 'success')
    .reduce((note, { variables: { body } }) => changed(note, body), document)

function changed(note: TranscriptionDocument, { title, tags, segments, speakers }: Change['body']) {
  return {
    ...note,
    ...(title && { title, titleFrom: 'person' as const }),
    ...(tags && { tags }),
    ...(speakers && { speakers: note.speakers?.map(each => ({ ...each, ...find(speakers, each) })) }),
    ...(segments && { segments: note.segments.map(each => changedSegment(each, find(segments, each))) }),
  }
}

const find = <Item extends { id: string }>(items: Item[], { id }: { id: string }) =>
  items.find(item => item.id === id)

function changedSegment(segment: Segment, change: Partial<Segment> | undefined): Segment {
  if (!change) return segment
  const isSameText = change.text === undefined || change.text === segment.text
  return { ...segment, ...change, ...(!isSameText && { words: undefined }) }
}

/** Returns the conflicts to resolve: a segment's last one includes everything typed in it. */
const conflictsIn = (changes: Sent[]): Conflict[] =>
  changes
    .flatMap(({ data }) => data ?? [])
    .filter(({ id }, index, all) => all.findLastIndex(other => other.id === id) === index)

/** Returns the correction that undo reverts: the last one that is saved and not yet undone. */
function lastUndoable(changes: Sent[]): Correction | undefined {
  const undoable: Correction[] = []
  for (const { status, data, variables } of changes) {
    if (variables.isUndo) undoable.pop()
    else if (status === 'success' && variables.body.restore) undoable.length = 0
    else if (status === 'success' && !data && variables.correction) undoable.push(variables.correction)
  }
  return undoable.at(-1)
}

const ATTEMPTS = 5
/** Milliseconds until a change that couldn't be saved is sent again. */
const RETRY_AFTER = 5_000

type Saving = 'idle' | 'saving' | 'saved' | { failed: string }

/** A change may be based on an earlier one, so none is sent after one that failed. */
const CORRECTIONS: Sending<Change, Conflict | null> = {
  async send(change, { queries, find }) {
    const [earlier] = find('error')
    if (earlier?.state.error) throw earlier.state.error
    // The page must render the change first; only then does its field adopt the text of a conflict.
    await pause(0)
    return sendTo(queries, change)
  },
  isUnsaved: ({ status, data }) => status !== 'success' || Boolean(data),
  onSent: queries => void queries.invalidateQueries({ queryKey: ['transcriptions'] }),
  onFailed(error, { id }, queue) {
    setTimeout(queue.resend, RETRY_AFTER)
    if (Object(error).status !== 404) return
    // The note was deleted in another tab, which the next fetch shows.
    queue.remove(() => true)
    void queue.queries.invalidateQueries(transcriptQuery(id))
  },
}

/**
 * Saves corrections in order, each based on the version before it, even if that came from another tab. If both changed
 * the same segment, the person decides. Unsaved corrections survive leaving the page, and are sent again.
 */
export function useCorrections(saved: TranscriptionDocument) {
  const { id } = saved
  const { queue, items: changes } = useQueued(`correction ${id}`, CORRECTIONS)
  useEffect(() => {
    // Of an earlier visit, only unsaved changes count.
    queue.remove(({ status, data }) => status === 'success' && !data)
    queue.resend()
    return onlineManager.subscribe(isOnline => isOnline && queue.resend())
  }, [queue])

  // A stable object, so that passages don't re-render.
  const acts = useMemo(() => {
    const save = (body: Change['body'], more?: Pick<Change, 'correction' | 'isUndo'>) => {
      queue.resend()
      void queue.add({ id, body, ...more })
    }
    return {
      correct: (correction: Correction, isUndo = false) =>
        save({ segments: [{ id: correction.id, text: correction.after }] }, { correction, isUndo }),
      /** Names a speaker. */
      name: (speaker: string, typed: string) => save({ speakers: [{ id: speaker, name: typed || null }] }),
      /** Assigns a passage to another speaker. */
      give: (passage: string, speaker: string) => save({ segments: [{ id: passage, speaker }] }),
      retitle: (title: string) => save({ title }),
      tag: (tags: string[]) => save({ tags }),
      restore: () => save({ restore: true }),
    }
  }, [queue, id])
  const { correct } = acts
  const settle = (conflict: Conflict) => queue.remove(({ data }) => data?.id === conflict.id)
  const undoable = lastUndoable(changes)
  return {
    /** The note as it will be once everything is saved. */
    document: useMemo(() => withUnsaved(saved, changes), [saved, changes]),
    saving: savingState(changes),
    conflicts: conflictsIn(changes),
    acts,
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

/** Sends a change, to a newer version, too, if it still fits; otherwise returns the conflict. */
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

function savingState(changes: Sent[]): Saving {
  const failed = changes.find(({ status }) => status === 'error')
  if (failed) return { failed: messageOf(failed.error, i18n.t('Your change couldn’t be saved')) }
  if (changes.some(({ status }) => status === 'pending')) return 'saving'
  const last = changes.at(-1)
  return last && !last.data ? 'saved' : 'idle'
}
