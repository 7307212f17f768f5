import { refusal } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { exported, inLanguage } from './export.ts'
import { noteFor } from './export-many.ts'
import type { ExportFormat } from './formats.ts'
import type { Manner } from './manner.ts'
import type { OneExport } from './one-export.ts'

/** Returns a person's note with what its file needs. Throws 404 when there is none. */
export async function noteOfPerson(notes: Notes, id: string, userId: string): Promise<NoteRecord> {
  const note = await noteFor(notes.model, userId, id)
  if (!note) throw refusal('note_unknown')
  return note
}

interface Wanted extends Omit<Manner, 'publicUrl'> {
  format: ExportFormat
}

/** Makes a file of a person's note. Throws as `exported`, 404, 409 without a transcript, 429 during another export of theirs. */
export const createExporting =
  (notes: Notes, beginExport: OneExport, publicUrl: string) =>
  async (id: string, userId: string, { format, ...manner }: Wanted, left?: AbortSignal) => {
    const { release, ...begun } = await beginExport(userId)
    const signal = AbortSignal.any([begun.signal, ...(left ? [left] : [])])
    try {
      const note = await noteOfPerson(notes, id, userId)
      if (note.status !== 'completed') throw refusal('not_completed')
      const shown = manner.translation ? inLanguage(note, manner.translation) : note
      if (!shown) throw refusal('no_translation')
      return { note, ...(await exported(shown, format, { ...manner, publicUrl }, { signal })) }
    } finally {
      await release()
    }
  }
