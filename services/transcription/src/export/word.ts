import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { linesIn, type Written } from './manner.ts'
import { directionOf } from './pdf.ts'
import { longClock } from './timecode.ts'

const AUTHOR = 'Voxscribe'

/** The way in which a paragraph runs: `w:bidi`. */
const wayOf = (text: string) => directionOf(text) === 'rtl' && { bidirectional: true }

/** Words with their direction: without `w:rtl` Word sets signs and numbers of Arabic at the wrong end. */
const said = (text: string, look: { bold?: boolean } = {}) =>
  new TextRun({ ...look, text, ...(directionOf(text) === 'rtl' && { rightToLeft: true }) })

export function wordOf(
  note: NoteRecord,
  { heading: title, withTimes, nameOf, texts }: Written,
): Promise<Buffer> {
  const heading = new Paragraph({ ...wayOf(title), heading: HeadingLevel.HEADING_1, children: [said(title)] })
  const body = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(
    ({ from, text, speaker }) =>
      new Paragraph({
        ...wayOf(text),
        children: [
          ...(withTimes ? [new TextRun({ text: `${longClock(from)}  `, color: '777777' })] : []),
          ...(speaker ? [said(`${nameOf(speaker)}: `, { bold: true })] : []),
          said(text),
        ],
      }),
  )
  const below = texts.flatMap(({ name, text }) => [
    new Paragraph({ ...wayOf(name), heading: HeadingLevel.HEADING_2, children: [said(name)] }),
    ...linesIn(text).map(line => new Paragraph({ ...wayOf(line), children: [said(line)] })),
  ])
  return Packer.toBuffer(
    new Document({
      title,
      creator: AUTHOR,
      lastModifiedBy: AUTHOR,
      sections: [{ children: [heading, ...body, ...below] }],
    }),
  )
}
