import { fileNameFor } from '@voxscribe/contracts/file-names'
import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { joinedText, paragraphsOf, spokenBy } from '@voxscribe/contracts/paragraphs'
import { printableText, speakerNames } from '@voxscribe/contracts/wording'
import { inTimeZone } from '@voxscribe/languages'
import { languageOf, titled, titleOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { areEstimates, type Manner, remarkOn, type Written } from './manner.ts'
import { markdownOf } from './markdown.ts'
import { pdfOf } from './pdf.ts'
import { srtOf, vttOf } from './subtitles.ts'
import { longClock } from './timecode.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type Write = (note: NoteRecord, written: Written) => string | Promise<Buffer>

const WRITERS: Record<ExportFormat, Write> = {
  txt: (note, { withTimes, nameOf, remark }) => {
    const texts = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(({ from, text, speaker }) => {
      const said = spokenBy(nameOf(speaker), text)
      return withTimes ? `[${longClock(from)}] ${said}` : said
    })
    const lines = withTimes && remark ? [remark, ...texts] : texts
    return texts.length ? `${lines.join('\n\n')}\n` : ''
  },
  srt: (note, { nameOf }) => srtOf(note, nameOf),
  vtt: (note, { nameOf, remark }) => vttOf(note, nameOf, remark),
  json: note => {
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
    // Not indented: the words of an hour would take three times as many bytes.
    const { speakers = [] } = note
    const said = { language, text, timesExact, speakers, segments: segmentsOf(note) }
    return `${JSON.stringify({ ...about, ...said })}\n`
  },
  docx: async (...note) => (await import('./word.ts')).wordOf(...note),
  md: markdownOf,
  pdf: pdfOf,
}

/** A name or text of other programs may hold characters that no file format can. */
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

/** A note in the words of one of its translations, at the times of its own; undefined when there is none. */
export function inLanguage(note: NoteRecord, language: string): NoteRecord | undefined {
  const made = note.translations?.[language]
  if (!made) return undefined
  const texts = new Map(made.segments.map(({ id, text }) => [id, text]))
  const segments = segmentsOf(note).map(({ words: _words, ...segment }) => ({
    ...segment,
    text: texts.get(segment.id) ?? segment.text,
  }))
  const text = joinedText(segments, language)
  // A person's corrections are of the note's own words.
  const { title } = titled(note)
  return { ...note, title, segments, text, spokenLanguage: language, original: null }
}

/** The transcript as a file; the edited text counts. */
export async function exported(found: NoteRecord, format: ExportFormat, manner: Manner) {
  const { translation, withTimes = format !== 'pdf', withSpeakers = true } = manner
  const i18n = inTimeZone(manner.i18n, found.timeZone)
  const note = printable(withSpeakers ? found : withoutSpeakers(found))
  // SRT has no place for a remark but its name.
  const remark = format === 'srt' && areEstimates(note) ? ` (${i18n.t('estimated times')})` : ''
  return {
    name: fileNameFor(titleOf(found), `${remark}${translation ? `.${translation}` : ''}.${format}`),
    content: await WRITERS[format](note, {
      ...manner,
      i18n,
      withTimes,
      nameOf: speakerNames(i18n, note.speakers),
      remark: remarkOn(note, i18n),
    }),
  }
}
