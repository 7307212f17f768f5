import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { withFewMarks } from '@voxscribe/contracts/text'
import { cutEvenly } from './columns.ts'
import { withTextOnce } from './copied-text.ts'
import type { Sheet } from './pdf.ts'

const LAYOUT = fileURLToPath(new URL('pdf.typ', import.meta.url))
/** Packages of fonts, and how their files begin. */
const FONTS = {
  'noto-sans': 'NotoSans',
  'noto-sans-arabic': 'NotoSansArabic',
  'noto-sans-devanagari': 'NotoSansDevanagari',
  'noto-sans-thai': 'NotoSansThai',
  'noto-emoji': 'NotoEmoji',
}
const { resolve } = createRequire(import.meta.url)
const fontPaths = Object.entries(FONTS).flatMap(([name, file]) =>
  ['400Regular', '700Bold'].map(weight =>
    resolve(`@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`),
  ),
)

/** Matches a word that may not fit into a line. Typst breaks Thai between words. */
const LONG_WORD = /[^\s\p{Script=Thai}]{43,}/gu
/** Matches what people copy: a link, which Typst breaks, and a digest, which fits into a line. */
const COPIED = /:\/\/|^\p{Hex_Digit}{64}$/u
/** Columns of the pieces between which a long word may break. */
const PIECE_COLUMNS = 20
const ZERO_WIDTH_SPACE = '\u200B'

/**
 * Lets long words break, which would run off the page, and limits the marks on a letter: Typst takes minutes for
 * thousands of them.
 */
const withBreaks = (_: string, value: unknown): unknown =>
  typeof value === 'string'
    ? withFewMarks(value).replace(LONG_WORD, word =>
        COPIED.test(word) ? word : cutEvenly(word, PIECE_COLUMNS).join(ZERO_WIDTH_SPACE),
      )
    : value

/** Lays a sheet out as PDF. The text is data, never markup. */
export function typeset(sheet: Sheet): Buffer {
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths }] })
  const mainFileContent = readFileSync(LAYOUT, 'utf8')
  return withTextOnce(compiler.pdf({ mainFileContent, inputs: { sheet: JSON.stringify(sheet, withBreaks) } }))
}
