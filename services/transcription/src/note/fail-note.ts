import type { Reason } from '@voxscribe/contracts/reasons'
import { notesEnded } from '../metrics.ts'
import type { NoteRecord } from './record.ts'
import type { Notes } from './store.ts'

/** Ends a note with a reason; billing releases its minutes, and the person is told. */
export async function failNote(notes: Notes, note: NoteRecord, reason: Reason): Promise<void> {
  if (await notes.failed(note, reason)) notesEnded.inc({ outcome: 'failed' })
}
