// A program that writes a conversation's file. Its standard input has the order in one line, then a message per line.
import { text } from 'node:stream/consumers'
import type { UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { contentOf, type DocumentFormat } from './formats.ts'
import { type Line, type Shown, sheetOf } from './sheet.ts'

/** The first line of the input. */
export interface Order extends Omit<Shown, 'lines' | 'i18n'> {
  format: DocumentFormat
  language: UiLanguage
}

const [{ format, language, ...shown }, ...lines] = (await text(process.stdin))
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line)) as [Order, ...Line[]]
process.stdout.write(await contentOf(sheetOf({ ...shown, lines, i18n: i18nFor(language) }), format))
