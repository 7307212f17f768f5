import type { api, BodyOf, Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import type { Queued } from '../../session/use-queued.ts'

/** A change of one segment's text, with the text that it is based on. */
export interface Correction {
  id: string
  before: string
  after: string
}

/** The same segment was changed elsewhere in between. */
export interface Conflict extends Correction {
  /** The text that is there now; null when the segment is gone. */
  theirs: string | null
}

/** A change of the note: of its title or of segments, or back to the original. */
export interface Change {
  /** The note's id. */
  id: string
  body: NonNullable<BodyOf<typeof api.editTranscription>>
  /** The change, when it is of one segment. */
  correction?: Correction
  /** It undoes a correction. */
  isUndo?: boolean
}

/** A change on its way; its data is the conflict that kept it from being saved, if any. */
export type Sent = Queued<Change, Conflict | null>

/** Returns whether a correction still fits a newer version of the document. */
export function conflictWith(document: TranscriptionDocument, correction: Correction): Conflict | null {
  const theirs = document.segments.find(({ id }) => id === correction.id)?.text ?? null
  return theirs === correction.before || theirs === correction.after ? null : { ...correction, theirs }
}

/** Returns the segments as they will be once all changes are saved. */
export const withUnsaved = (segments: Segment[], changes: Sent[]): Segment[] =>
  segments.map(segment => {
    const change = changes.findLast(
      ({ status, variables }) => status !== 'success' && variables.correction?.id === segment.id,
    )
    const text = change?.variables.correction?.after
    return text === undefined || text === segment.text ? segment : { ...segment, text, words: undefined }
  })

/** Returns the conflicts to decide: the last one of a segment holds all that was typed in it. */
export const conflictsIn = (changes: Sent[]): Conflict[] =>
  changes
    .flatMap(({ data }) => data ?? [])
    .filter(({ id }, index, all) => all.findLastIndex(other => other.id === id) === index)

/** Returns the correction that undo reverts: the last one that is saved and not undone yet. */
export function lastUndoable(changes: Sent[]): Correction | undefined {
  const undoable: Correction[] = []
  for (const { status, data, variables } of changes) {
    if (variables.isUndo) undoable.pop()
    else if (status === 'success' && variables.body.restore) undoable.length = 0
    else if (status === 'success' && !data && variables.correction) undoable.push(variables.correction)
  }
  return undoable.at(-1)
}
