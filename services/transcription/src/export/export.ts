import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { joinedText, paragraphsOf, spokenBy } from '@voxscribe/contracts/paragraphs'
import { fileNameFor, printableText, speakerNames } from '@voxscribe/contracts/wording'
import { type I18n, inTimeZone } from '@voxscribe/languages'
import { languageOf, titled, titleOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { markdownOf } from './markdown.ts'
import { pdfOf } from './pdf.ts'
import { srtOf, vttOf } from './subtitles.ts'
import { longClock } from './timecode.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** How a file is made, in the reader's language. `publicUrl` begins the address of the note's page. */
export interface Manner {
  i18n: I18n
  publicUrl: string
  /** Unset: as is usual for the format. */
  withTimes?: boolean | undefined
  /** The language of a note that is not in its own. */
  translation?: string | undefined
  /** Unset: where they are told apart. */
  withSpeakers?: boolean | undefined
  /** For PDF: with what proves it. */
  isCertified?: boolean | undefined
}
type Write = (note: NoteRecord, withTimes: boolean, manner: Manner) => string | Promise<Buffer>

const paragraphs = (note: NoteRecord) => paragraphsOf(segmentsOf(note), note.spokenLanguage)

export const estimated = (i18n: I18n) => i18n.t('The times are estimates: the engine gave none.')
export const areEstimates = ({ timesExact, text }: NoteRecord) => !timesExact && text !== ''

const WRITERS: Record<ExportFormat, Write> = {
  txt: (note, withTimes, { i18n }) => {
    const remark = withTimes && areEstimates(note) ? [estimated(i18n)] : []
    const nameOf = speakerNames(i18n, note.speakers)
    const texts = paragraphs(note).map(({ from, text, speaker }) => {
      const said = spokenBy(nameOf(speaker), text)
      return withTimes ? `[${longClock(from)}] ${said}` : said
    })
    return texts.length ? `${[...remark, ...texts].join('\n\n')}\n` : ''
  },
  srt: (note, _, { i18n }) => srtOf(note, speakerNames(i18n, note.speakers)),
  vtt: (note, _, { i18n }) =>
    vttOf(note, speakerNames(i18n, note.speakers), areEstimates(note) ? estimated(i18n) : ''),
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
  md: (note, withTimes, { i18n, publicUrl }) => {
    const remark = withTimes && areEstimates(note) ? estimated(i18n) : ''
    const page = withTimes ? `${publicUrl}/transcriptions/${note._id}` : ''
    return markdownOf(note, page, remark, speakerNames(i18n, note.speakers))
  },
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
    content: await WRITERS[format](note, withTimes, { ...manner, i18n }),
  }
}
