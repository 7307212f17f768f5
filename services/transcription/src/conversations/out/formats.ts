import { literal } from '../../export/markdown.ts'
import type { Sheet } from '../../export/pdf.ts'
import { documentOf, GREY, headingOf, paragraphOf, said } from '../../export/word.ts'

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

function wordOf(sheet: Sheet): Promise<Buffer> {
  const lines = sheet.paragraphs.map(({ time, speaker, runs, before, direction }) =>
    paragraphOf(direction, [
      ...said(`${time}  `, GREY),
      ...(speaker ? said(`${speaker}: `, { bold: true }) : []),
      ...runs.flatMap(({ text, isCorrected }) => said(text, isCorrected ? { highlight: 'yellow' } : {})),
      ...(before ? said(`\n${before}`, GREY) : []),
    ]),
  )
  const plain = (text: string) => paragraphOf(sheet.direction, said(text, GREY))
  const facts = factsOf(sheet).map(plain)
  return documentOf(sheet.title, [headingOf(sheet.title), ...facts, ...lines, ...sheet.remarks.map(plain)])
}

export async function contentOf(sheet: Sheet, format: DocumentFormat): Promise<string | Buffer> {
  if (format === 'txt') return txtOf(sheet)
  if (format === 'md') return markdownOf(sheet)
  if (format === 'docx') return wordOf(sheet)
  return (await import('../../export/typeset.ts')).typeset(sheet)
}
