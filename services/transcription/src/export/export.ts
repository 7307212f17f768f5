import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { fileNameFor } from '@voxscribe/contracts/file-names'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import { inTimeZone, uiLanguageOf } from '@voxscribe/languages'
import { refusal } from '@voxscribe/service'
import { bytesOf, outputOf } from '@voxscribe/speech'
import { titleOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf, WITHOUT_BULK } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { contentOf, type ExportFormat, type Order } from './formats.ts'
import type { OneExport } from './one-export.ts'
import { areEstimates, type ExportOptions } from './options.ts'
import { hasItsLetters } from './pdf.ts'
import { inPlace } from './places.ts'

/** A file of a longer text takes more than 50 ms, so a separate process makes it. */
const CHARACTERS_HERE = 20_000
const WRITER = fileURLToPath(new URL('write.ts', import.meta.url))
/** A PDF of three hours takes 6 s. Memory that Node only reserves counts, too. */
const BOUNDS = { cpuSeconds: 120, megabytes: 4_000 } as const
const FILE_BYTES_MAX = 100_000_000
const LIMIT_MS = 300_000

/** Returns a note with the text of a translation, at the original's times; undefined if there is no translation. */
export function inLanguage(note: NoteRecord, language: string): NoteRecord | undefined {
  const made = note.translations?.[language]
  if (!made) return undefined
  const texts = new Map(made.segments.map(({ id, text }) => [id, text]))
  const segments = segmentsOf(note).map(({ words: _words, ...segment }) => ({
    ...segment,
    text: texts.get(segment.id) ?? segment.text,
  }))
  const text = joinedText(segments, language)
  // Corrections are of the original's words.
  return { ...note, segments, text, spokenLanguage: language, original: null }
}

interface RunOptions {
  signal?: AbortSignal
  /** Whether the file waits for a place however many wait; else throws 503. */
  waitsForPlace?: boolean
}

/** Returns the edited transcript as a file. Throws 409 for a PDF with letters in none of our fonts, 503. */
export async function exported(
  found: NoteRecord,
  format: ExportFormat,
  given: ExportOptions,
  run: RunOptions = {},
) {
  const options = { ...given, i18n: inTimeZone(given.i18n, found.timeZone) }
  if (format === 'pdf' && !hasItsLetters(found, options)) throw refusal('pdf_not_in_this_script')
  // SRT can hold a remark only in its file name.
  const isEstimated = format === 'srt' && areEstimates(found)
  const remarks = [
    isEstimated && options.i18n.t('estimated times'),
    format === 'pdf' && options.isCertified && options.i18n.t('with checksums'),
  ].filter(Boolean)
  const remark = remarks.map(each => ` (${each})`).join('')
  const { translation } = options
  const isLong = format === 'pdf' || found.text.length > CHARACTERS_HERE
  return {
    name: fileNameFor(titleOf(found), `${remark}${translation ? `.${translation}` : ''}.${format}`),
    content: await (isLong ? writtenApart(found, format, options, run) : contentOf(found, format, options)),
  }
}

interface Wanted extends Omit<ExportOptions, 'publicUrl'> {
  format: ExportFormat
}

/** Makes a file of a person's note. Throws as `exported`, 404, 409 without a transcript, 429 during another export. */
export const createExporting =
  (notes: Notes, beginExport: OneExport, publicUrl: string) =>
  async (id: string, userId: string, { format, ...options }: Wanted, left?: AbortSignal) => {
    const { release, ...begun } = await beginExport(userId)
    const signal = AbortSignal.any([begun.signal, ...(left ? [left] : [])])
    try {
      const note = await notes.find(id, userId, WITHOUT_BULK)
      if (note.status !== 'completed') throw refusal('not_completed')
      const shown = options.translation ? inLanguage(note, options.translation) : note
      if (!shown) throw refusal('no_translation')
      return { note, ...(await exported(shown, format, { ...options, publicUrl }, { signal })) }
    } finally {
      await release()
    }
  }

function writtenApart(
  note: NoteRecord,
  format: ExportFormat,
  { i18n, ...options }: ExportOptions,
  run: RunOptions,
) {
  const order: Order = { note, format, options, language: uiLanguageOf(i18n.locale) ?? 'en' }
  return writtenBy(WRITER, Readable.from([Buffer.from(JSON.stringify(order))]), run)
}

/** Has a program make a file in a separate process, which needs a place. */
export function writtenBy(program: string, input: AsyncIterable<Buffer>, run: RunOptions) {
  const { signal = AbortSignal.timeout(LIMIT_MS), waitsForPlace = false } = run
  const running = { signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]), bounds: BOUNDS }
  const args = ['--disable-warning=ExperimentalWarning', program]
  const write = () => bytesOf(outputOf(process.execPath, args, { ...running, input }), FILE_BYTES_MAX)
  return inPlace(write, { signal, waitsForPlace })
}
