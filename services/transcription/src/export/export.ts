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

const takesLong = (text: string, format: ExportFormat) => format === 'pdf' || text.length > CHARACTERS_HERE

/** Returns the edited transcript as a file. Throws 409 for a PDF with letters in none of our fonts. */
export async function exported(
  found: NoteRecord,
  format: ExportFormat,
  given: ExportOptions,
  signal?: AbortSignal,
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
  const isApart = takesLong(found.text, format)
  return {
    name: fileNameFor(titleOf(found), `${remark}${translation ? `.${translation}` : ''}.${format}`),
    content: await (isApart
      ? writtenApart(found, format, options, signal)
      : contentOf(found, format, options)),
  }
}

/** Makes one of several files: a long one once it has a place, however many wait. Throws as `exported`. */
export function exportedInTurn(
  note: NoteRecord,
  format: ExportFormat,
  options: ExportOptions,
  signal = AbortSignal.timeout(LIMIT_MS),
) {
  const make = () => exported(note, format, options, signal)
  return takesLong(note.text, format) ? inPlace(make, { signal, waitsForPlace: true }) : make()
}

interface Wanted extends Omit<ExportOptions, 'publicUrl'> {
  format: ExportFormat
}

/**
 * Makes a file of a person's note. Throws as `exported`, 404, 409 without a transcript, 429 during another export, 503.
 * A long note is read in its place: ten of three hours, read at once, would block this process for seconds.
 */
export const createExporting =
  (notes: Notes, beginExport: OneExport, publicUrl: string) =>
  async (id: string, userId: string, { format, ...options }: Wanted, left?: AbortSignal) => {
    const { release, ...begun } = await beginExport(userId)
    const signal = AbortSignal.any([begun.signal, ...(left ? [left] : [])])
    const make = async () => {
      const note = await notes.find(id, userId, WITHOUT_BULK)
      if (note.status !== 'completed') throw refusal('not_completed')
      const shown = options.translation ? inLanguage(note, options.translation) : note
      if (!shown) throw refusal('no_translation')
      return { note, ...(await exported(shown, format, { ...options, publicUrl }, signal)) }
    }
    try {
      const { text = '' } = await notes.find(id, userId, { text: 1 })
      const needsPlace = options.translation !== undefined || takesLong(text, format)
      return await (needsPlace ? inPlace(make, { signal }) : make())
    } finally {
      await release()
    }
  }

function writtenApart(
  note: NoteRecord,
  format: ExportFormat,
  { i18n, ...options }: ExportOptions,
  signal?: AbortSignal,
) {
  const order: Order = { note, format, options, language: uiLanguageOf(i18n.locale) ?? 'en' }
  return writtenBy(WRITER, Readable.from([Buffer.from(JSON.stringify(order))]), signal)
}

/** Has a program make a file in a separate process. The caller has a place for it. */
export function writtenBy(program: string, input: AsyncIterable<Buffer>, signal?: AbortSignal) {
  const limit = AbortSignal.timeout(LIMIT_MS)
  const running = { signal: signal ? AbortSignal.any([signal, limit]) : limit, bounds: BOUNDS }
  const args = ['--disable-warning=ExperimentalWarning', program]
  return bytesOf(outputOf(process.execPath, args, { ...running, input }), FILE_BYTES_MAX)
}
