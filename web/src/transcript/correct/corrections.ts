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
  id: string
  body: NonNullable<BodyOf<typeof api.editTranscription>>
  /** The change, when it is of one segment. */
  correction?: Correction
  isUndo?: boolean
}

/** A change on its way; its data is the conflict that kept it from being saved, if any. */
export type Sent = Queued<Change, Conflict | null>

/** Returns whether a correction still fits a newer version of the document. */
export function conflictWith(document: TranscriptionDocument, correction: Correction): Conflict | null {
  const theirs = document.segments.find(({ id }) => id === correction.id)?.text ?? null
  return theirs === correction.before || theirs === correction.after ? null : { ...correction, theirs }
}

/** Returns the note as it will be once all changes are saved; the same one where none waits. */
export const withUnsaved = (document: TranscriptionDocument, changes: Sent[]): TranscriptionDocument =>
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
