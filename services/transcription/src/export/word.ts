import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import {
  Document,
  HeadingLevel,
  type IParagraphOptions,
  type IRunOptions,
  Packer,
  Paragraph,
  TextRun,
} from 'docx'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { linesIn, type ResolvedOptions } from './options.ts'
import { type Direction, directionOf } from './pdf.ts'
import { longClock } from './timecode.ts'

const AUTHOR = 'Voxscribe'

/** Makes runs with their direction: without `w:rtl`, Word puts punctuation and numbers of Arabic at the wrong end. */
export const said = (text: string, look: IRunOptions = {}): TextRun[] =>
  text.split('\n').map(
    (line, at) =>
      new TextRun({
        ...look,
        text: line,
        ...(at && { break: 1 }),
        ...(directionOf(text) === 'rtl' && { rightToLeft: true }),
      }),
  )

export const paragraphOf = (direction: Direction, children: TextRun[], more: IParagraphOptions = {}) =>
  new Paragraph({ ...more, ...(direction === 'rtl' && { bidirectional: true }), children })

export const headingOf = (text: string, heading: IParagraphOptions['heading'] = HeadingLevel.HEADING_1) =>
  paragraphOf(directionOf(text), said(text), { heading })

export const GREY: IRunOptions = { color: '777777' }

export const documentOf = (title: string, children: Paragraph[]): Promise<Buffer> =>
  Packer.toBuffer(new Document({ title, creator: AUTHOR, lastModifiedBy: AUTHOR, sections: [{ children }] }))

export function wordOf(
  note: NoteRecord,
  { heading, withTimes, nameOf, texts }: ResolvedOptions,
): Promise<Buffer> {
  const body = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(({ from, text, speaker }) =>
    paragraphOf(directionOf(text), [
      ...(withTimes ? said(`${longClock(from)}  `, GREY) : []),
      ...(speaker ? said(`${nameOf(speaker)}: `, { bold: true }) : []),
      ...said(text),
    ]),
  )
  const below = texts.flatMap(({ name, text }) => [
    headingOf(name, HeadingLevel.HEADING_2),
    ...linesIn(text).map(line => paragraphOf(directionOf(line), said(line))),
  ])
  return documentOf(heading, [headingOf(heading), ...body, ...below])
}
