import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { paragraphsOf, spokenBy } from '@voxscribe/contracts/paragraphs'
import { printableText, speakerNames } from '@voxscribe/contracts/wording'
import type { UiLanguage } from '@voxscribe/languages'
import { headingOf, languageOf, titled } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { markdownOf } from './markdown.ts'
import { type ExportOptions, type ResolvedOptions, remarkOn, textsIn } from './options.ts'
import { sheetOf } from './pdf.ts'
import { srtOf, vttOf } from './subtitles.ts'
import { longClock } from './timecode.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type Write = (note: NoteRecord, options: ResolvedOptions) => string | Promise<Buffer>

const WRITERS: Record<ExportFormat, Write> = {
  txt: (note, { withTimes, nameOf, remark, texts: made }) => {
    const said = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(({ from, text, speaker }) => {
      const words = spokenBy(nameOf(speaker), text)
      return withTimes ? `[${longClock(from)}] ${words}` : words
    })
    const below = made.flatMap(({ name, text }) => [name, text])
    const lines = [...(withTimes && remark ? [remark] : []), ...said, ...below]
    return said.length ? `${lines.join('\n\n')}\n` : ''
  },
  srt: (note, { nameOf }) => srtOf(note, nameOf),
  vtt: (note, { nameOf, remark }) => vttOf(note, nameOf, remark),
  json: (note, { texts }) => {
    const { _id: id, fileName, durationSeconds, text, timesExact = false } = note
    const createdAt = note.createdAt.toISOString()
    const about = {
      id,
      title: titled(note).title,
      tags: note.tags ?? [],
      fileName,
      createdAt,
      durationSeconds,
    }
    const language = languageOf(note)
    // Not indented: the words of an hour would need three times the bytes.
    const { speakers = [] } = note
    const said = { language, text, timesExact, speakers, segments: segmentsOf(note) }
    return `${JSON.stringify({ ...about, ...said, ...(texts.length && { texts }) })}\n`
  },
  docx: async (...note) => (await import('./word.ts')).wordOf(...note),
  md: markdownOf,
  pdf: async (...note) => (await import('./typeset.ts')).typeset(sheetOf(...note)),
}

/** Removes characters that no file format can hold; names and texts of other programs may have them. */
export function printable(note: NoteRecord): NoteRecord {
  const segments = note.segments?.map(segment => ({ ...segment, text: printableText(segment.text) }))
  const title = printableText(titled(note).title)
  return { ...note, title, segments, text: printableText(note.text) }
}

const withoutSpeakers = (note: NoteRecord): NoteRecord => ({
  ...note,
  speakers: [],
  segments: segmentsOf(note).map(({ speaker: _speaker, ...segment }) => segment),
})

/** The input of `write.ts`, as JSON. */
export interface Order {
  note: NoteRecord
  format: ExportFormat
  options: Omit<ExportOptions, 'i18n'>
  language: UiLanguage
}

/** Returns the content of a note's file; `write.ts` calls it for files that would block this process. */
export async function contentOf(
  found: NoteRecord,
  format: ExportFormat,
  { withTimes = format !== 'pdf', withSpeakers = true, ...options }: ExportOptions,
): Promise<string | Buffer> {
  const note = printable(withSpeakers ? found : withoutSpeakers(found))
  const heading = printableText(headingOf(options.i18n, found))
  const names = { nameOf: speakerNames(options.i18n, note.speakers), remark: remarkOn(note, options.i18n) }
  const texts = textsIn(note, options)
  return WRITERS[format](note, { ...options, withTimes, heading, texts, ...names })
}
