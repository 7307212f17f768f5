import type { api, BodyOf, Segment, TranscriptionDocument } from '@voxscribe/contracts/http'

/** A change of one segment's text, with the text that it is based on. */
export interface Correction {
  id: string
  before: string
  after: string
}

/** Another person or another tab has changed the same segment: neither text is lost. */
export interface Conflict extends Correction {
  /** The text that is there now; null when the segment is gone. */
  theirs: string | null
}

/** A change that is waiting to be saved. */
export interface Change {
  body: NonNullable<BodyOf<typeof api.editTranscription>>
  /** The change, when it is of one segment. */
  correction?: Correction
  /** It undoes a correction. */
  isUndo?: boolean
}

/**
 * The changes that are not saved yet, in order, by person and note. They outlive the page: they are still there when the
 * person comes back to the note or has had to sign in again.
 */
export const unsaved = new Map<string, readonly Change[]>()

const textOf = (segments: Segment[], id: string): string | null =>
  segments.find(segment => segment.id === id)?.text ?? null

/** Returns whether a correction still fits a newer version of the document. */
export function conflictWith(document: TranscriptionDocument, correction: Correction): Conflict | null {
  const theirs = textOf(document.segments, correction.id)
  return theirs === correction.before || theirs === correction.after ? null : { ...correction, theirs }
}

/** The segments as they will be once the changes are saved. */
export const withChanges = (segments: Segment[], changes: readonly Change[]): Segment[] =>
  segments.map(segment => {
    const text = changes.findLast(({ correction }) => correction?.id === segment.id)?.correction?.after
    return text === undefined || text === segment.text ? segment : { ...segment, text, words: undefined }
  })
