import { english, type I18n } from '@voxscribe/languages'
import { conflict, notFound } from '@voxscribe/service'
import type { Notes } from '../note/store.ts'
import { type ExportFormat, exported } from './export.ts'
import { noteFor } from './export-many.ts'
import type { OneExport } from './one-export.ts'

export const missing = () => notFound('There is no such transcription.')
const noText = () => conflict('There is no transcript of this note to export yet.', 'not_completed')

/**
 * Makes a file of a person's note. Throws 404 for none of theirs, 409 for one without a transcript, and 429 while another
 * export of theirs is under way.
 */
export const createExporting =
  (notes: Notes, beginExport: OneExport) =>
  async (id: string, userId: string, format: ExportFormat, withTimes: boolean, i18n: I18n = english) => {
    const { release } = await beginExport(userId)
    try {
      const note = await noteFor(notes.model, userId, id)
      if (!note) throw missing()
      if (note.status !== 'completed') throw noText()
      return { note, ...(await exported(note, format, withTimes, i18n)) }
    } finally {
      await release()
    }
  }
export type Exporting = ReturnType<typeof createExporting>
