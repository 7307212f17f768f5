import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { fileNameFor, printableText } from '@voxscribe/contracts/wording'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import type { NoteRecord } from '../note/record.ts'
import { titleOf } from '../note/title.ts'
import { segmentsOf } from './document.ts'
import { type Cue, cuesOf } from './subtitles.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]
type Write = (note: NoteRecord, withTimes: boolean) => string | Promise<Buffer>

/** `01:02:03,456` */
function timecode(seconds: number, decimal: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`
  return `${clock}${decimal}${String(ms % 1000).padStart(3, '0')}`
}
const clock = (seconds: number) => timecode(Math.floor(seconds), '.').slice(0, 8)

const paragraphs = (note: NoteRecord) => paragraphsOf(segmentsOf(note), note.spokenLanguage)
/** `-->` would begin another cue. */
const cueText = ({ lines }: Cue) => lines.join('\n').replaceAll('-->', '→')
const ESTIMATED = 'The times are estimates: the engine gave none.'
const areEstimates = ({ timesExact, text }: NoteRecord) => !timesExact && text !== ''

const WRITERS: Record<ExportFormat, Write> = {
  txt: (note, withTimes) => {
    const remark = withTimes && areEstimates(note) ? [ESTIMATED] : []
    const texts = paragraphs(note).map(({ from, text }) => (withTimes ? `[${clock(from)}] ${text}` : text))
    return texts.length ? `${[...remark, ...texts].join('\n\n')}\n` : ''
  },
  srt: note =>
    cuesOf(segmentsOf(note), note.durationSeconds ?? undefined)
      .map(
        (cue, index) =>
          `${index + 1}\n${timecode(cue.from, ',')} --> ${timecode(cue.to, ',')}\n${cueText(cue)}\n`,
      )
      .join('\n'),
  vtt: note =>
    [
      'WEBVTT\n',
      ...(areEstimates(note) ? [`NOTE ${ESTIMATED}\n`] : []),
      ...cuesOf(segmentsOf(note), note.durationSeconds ?? undefined).map(
        cue =>
          `${timecode(cue.from, '.')} --> ${timecode(cue.to, '.')}\n${cueText(cue)
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')}\n`,
      ),
    ].join('\n'),
  json: note => {
    const { _id: id, fileName, language, spokenLanguage, durationSeconds, text, timesExact } = note
    const createdAt = note.createdAt.toISOString()
    const about = { id, title: titleOf(note), fileName, createdAt, durationSeconds }
    const heard = spokenLanguage && spokenLanguage !== 'auto' ? spokenLanguage : language
    const segments = segmentsOf(note)
    // Not indented: the words of an hour would take three times as many bytes.
    return `${JSON.stringify({ ...about, language: heard, text, timesExact: timesExact ?? false, segments })}\n`
  },
  docx: (note, withTimes) => {
    const heading = new Paragraph({ text: titleOf(note), heading: HeadingLevel.HEADING_1 })
    const body = paragraphs(note).map(
      ({ from, text }) =>
        new Paragraph({
          children: [
            ...(withTimes ? [new TextRun({ text: `${clock(from)}  `, color: '777777' })] : []),
            new TextRun(text),
          ],
        }),
    )
    return Packer.toBuffer(new Document({ sections: [{ children: [heading, ...body] }] }))
  },
}

/** The projection for a file: without timeline, levels, parts and the words that searches find. */
export const EXPORTED = {
  title: 1,
  fileName: 1,
  createdAt: 1,
  status: 1,
  error: 1,
  text: 1,
  segments: 1,
  timesExact: 1,
  durationSeconds: 1,
  confidence: 1,
  language: 1,
  spokenLanguage: 1,
} as const

/** A name or text of other programs may hold characters that no file format can. */
function printable(note: NoteRecord): NoteRecord {
  const segments = note.segments?.map(segment => ({ ...segment, text: printableText(segment.text) }))
  const title = printableText(titleOf(note))
  return { ...note, title, segments, text: printableText(note.text) }
}

/** The transcript as a file; the edited text counts. */
export async function exported(found: NoteRecord, format: ExportFormat, withTimes: boolean) {
  const note = printable(found)
  // SRT has no place for a remark but its name.
  const remark = format === 'srt' && areEstimates(note) ? ' (estimated times)' : ''
  return {
    name: fileNameFor(titleOf(note), `${remark}.${format}`),
    content: await WRITERS[format](note, withTimes),
  }
}
