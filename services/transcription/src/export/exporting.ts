import { refusal } from '@voxscribe/service'
import { WITHOUT_BULK } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { exported, inLanguage } from './export.ts'
import type { ExportFormat } from './formats.ts'
import type { Manner } from './manner.ts'
import type { OneExport } from './one-export.ts'

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
      const note = await notes.find(id, userId, WITHOUT_BULK)
      if (note.status !== 'completed') throw refusal('not_completed')
      const shown = manner.translation ? inLanguage(note, manner.translation) : note
      if (!shown) throw refusal('no_translation')
      return { note, ...(await exported(shown, format, { ...manner, publicUrl }, { signal })) }
    } finally {
      await release()
    }
  }
