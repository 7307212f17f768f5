import type { Reason } from '@voxscribe/contracts/reasons'
import { notesEnded } from '../metrics.ts'
import type { NoteRecord } from './record.ts'
import type { Notes } from './store.ts'

/** Ends a note with a reason; billing releases its minutes, and the person gets an answer. False when the note has moved on. */
export async function failNote(
  notes: Notes,
  note: NoteRecord,
  reason: Reason,
  where?: { since: Date },
): Promise<boolean> {
  const failed = await notes.failed(note, reason, where)
  if (failed) notesEnded.inc({ outcome: 'failed' })
  return failed !== null
}
