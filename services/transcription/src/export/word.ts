import { paragraphsOf } from '@voxscribe/contracts/paragraphs'
import { speakerNames } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { titled } from '../note/listing.ts'
import { type NoteRecord, segmentsOf } from '../note/record.ts'
import { longClock } from './timecode.ts'

/** A note as a document for Word. */
export function wordOf(note: NoteRecord, withTimes: boolean, { i18n }: { i18n: I18n }): Promise<Buffer> {
  const nameOf = speakerNames(i18n, note.speakers)
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
