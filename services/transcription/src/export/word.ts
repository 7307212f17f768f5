import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { titled } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import type { Written } from './manner.ts'
import { longClock } from './timecode.ts'

/** A note as a document for Word. */
export function wordOf(note: NoteRecord, { withTimes, nameOf }: Written): Promise<Buffer> {
  const heading = new Paragraph({ text: titled(note).title, heading: HeadingLevel.HEADING_1 })
  const body = paragraphsOf(segmentsOf(note), note.spokenLanguage).map(
    ({ from, text, speaker }) =>
      new Paragraph({
        children: [
          ...(withTimes ? [new TextRun({ text: `${longClock(from)}  `, color: '777777' })] : []),
          ...(speaker ? [new TextRun({ text: `${nameOf(speaker)}: `, bold: true })] : []),
          new TextRun(text),
        ],
      }),
  )
  return Packer.toBuffer(new Document({ sections: [{ children: [heading, ...body] }] }))
}
