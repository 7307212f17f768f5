import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'

/** A change of one segment's text, with the text that it was made to. */
export interface Correction {
  id: string
  before: string
  after: string
}

/** Somebody else, or another tab, has changed the same segment: neither text is lost. */
export interface Conflict extends Correction {
  /** The text that is there now; null when the segment is gone. */
  theirs: string | null
}

const textOf = (segments: Segment[], id: string): string | null =>
  segments.find(segment => segment.id === id)?.text ?? null

/** Tells whether a correction still fits a newer version of the document. */
export function conflictWith(document: TranscriptionDocument, correction: Correction): Conflict | null {
  const theirs = textOf(document.segments, correction.id)
  return theirs === correction.before || theirs === correction.after ? null : { ...correction, theirs }
}
