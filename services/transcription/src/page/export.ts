import type { EXPORT_FORMATS } from '@voxscribe/contracts/http'
import { printableText } from '@voxscribe/contracts/wording'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import type { NoteRecord } from '../note/record.ts'
import { segmentsOf, titleOf } from './document.ts'
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

const lines = (note: NoteRecord, withTimes: boolean) =>
  segmentsOf(note).map(({ from, text }) => (withTimes ? `[${clock(from)}] ${text}` : text))
/** `-->` would begin another cue. */
const cueText = ({ lines }: Cue) => lines.join('\n').replaceAll('-->', '→')
const ESTIMATED = 'The times are estimates: the engine gave none.'
const areEstimates = ({ timesExact, text }: NoteRecord) => !timesExact && text !== ''

const WRITERS: Record<ExportFormat, Write> = {
  txt: (note, withTimes) =>
    withTimes
      ? [...(areEstimates(note) ? [ESTIMATED, ''] : []), ...lines(note, true), ''].join('\n').trimStart()
      : note.text && `${note.text}\n`,
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
    const body = segmentsOf(note).map(
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

const ALWAYS = ['title', 'fileName', 'createdAt', 'status', 'error', 'text', 'timesExact']
const WITH_SEGMENTS = ['segments', 'durationSeconds', 'confidence', 'language', 'spokenLanguage']

/** The projection for a file. Plain text needs no segments, which are most of an hour-long note. */
export function fieldsFor(format: ExportFormat, withTimes: boolean): Record<string, 1> {
  const fields = format === 'txt' && !withTimes ? ALWAYS : [...ALWAYS, ...WITH_SEGMENTS]
  return Object.fromEntries(fields.map(field => [field, 1]))
}

/** A name or text of other programs may hold characters that no file format can. */
function printable(note: NoteRecord): NoteRecord {
  const segments = note.segments?.map(segment => ({ ...segment, text: printableText(segment.text) }))
  const title = printableText(titleOf(note))
  return { ...note, title, segments, text: printableText(note.text ?? '') }
}

/** The transcript as a file; the edited text counts. */
export async function exported(found: NoteRecord, format: ExportFormat, withTimes: boolean) {
  const note = printable(found)
  const stem = titleOf(note)
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  // SRT has no place for a remark but its name.
  const remark = format === 'srt' && areEstimates(note) ? ' (estimated times)' : ''
  return {
    name: `${stem || 'transcript'}${remark}.${format}`,
    content: await WRITERS[format](note, withTimes),
  }
}
