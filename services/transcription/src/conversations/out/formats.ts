import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { literal } from '../../export/markdown.ts'
import type { Sheet } from '../../export/pdf.ts'

export type DocumentFormat = 'txt' | 'md' | 'docx' | 'pdf'

const factsOf = ({ facts }: Sheet) => facts.map(({ name, value }) => `${name}: ${value}`)
const textOf = ({ runs }: Sheet['paragraphs'][number]) => runs.map(({ text }) => text).join('')

function txtOf(sheet: Sheet): string {
  const lines = sheet.paragraphs.flatMap(paragraph => {
    const { time, speaker, before } = paragraph
    return [
      `[${time}] ${speaker && `${speaker}: `}${textOf(paragraph)}`,
      ...(before ? [before.replace(/^/gm, '    ')] : []),
    ]
  })
  return `${[sheet.title, '', ...factsOf(sheet), '', ...lines, '', ...sheet.remarks].join('\n')}\n`
}

function markdownOf(sheet: Sheet): string {
  const lines = sheet.paragraphs.flatMap(paragraph => {
    const { time, address, speaker, before } = paragraph
    const name = speaker ? `**${literal(speaker)}:** ` : ''
    return [
      `[${time}](${address}) ${name}${literal(textOf(paragraph))}`,
      ...(before ? [`> ${literal(before).replaceAll('\n', '\n> ')}`] : []),
    ]
  })
  const facts = factsOf(sheet).map(fact => `- ${literal(fact)}`)
  return `${[`# ${literal(sheet.title)}`, facts.join('\n'), ...lines, ...sheet.remarks.map(literal)].join('\n\n')}\n`
}

const said = (text: string, look: object = {}) =>
  text.split('\n').map((line, at) => new TextRun({ ...look, text: line, ...(at && { break: 1 }) }))

function wordOf(sheet: Sheet): Promise<Buffer> {
  const grey = { color: '777777' }
  const lines = sheet.paragraphs.map(
    ({ time, speaker, runs, before, direction }) =>
      new Paragraph({
        ...(direction === 'rtl' && { bidirectional: true }),
        children: [
          ...said(`${time}  `, grey),
          ...(speaker ? said(`${speaker}: `, { bold: true }) : []),
          ...runs.flatMap(({ text, written }) =>
            said(text, {
              ...(direction === 'rtl' && { rightToLeft: true }),
              ...(written && { highlight: 'yellow' }),
            }),
          ),
          ...(before ? [new TextRun({ text: '', break: 1 }), ...said(before, grey)] : []),
        ],
      }),
  )
  const heading = new Paragraph({ heading: HeadingLevel.HEADING_1, children: said(sheet.title) })
  const plain = (text: string) => new Paragraph({ children: said(text, grey) })
  const children = [heading, ...factsOf(sheet).map(plain), ...lines, ...sheet.remarks.map(plain)]
  return Packer.toBuffer(new Document({ title: sheet.title, creator: 'Voxscribe', sections: [{ children }] }))
}

/** Returns the content of a conversation's file. */
export async function contentOf(sheet: Sheet, format: DocumentFormat): Promise<string | Buffer> {
  if (format === 'txt') return txtOf(sheet)
  if (format === 'md') return markdownOf(sheet)
  if (format === 'docx') return wordOf(sheet)
  return (await import('../../export/typeset.ts')).typeset(sheet)
}
