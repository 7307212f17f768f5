import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { withTextOnce } from './copied-text.ts'
import type { Sheet } from './pdf.ts'

const LAYOUT = fileURLToPath(new URL('pdf.typ', import.meta.url))
/** Packages of fonts, and how their files begin. */
const FONTS = {
  'noto-sans': 'NotoSans',
  'noto-sans-arabic': 'NotoSansArabic',
  'noto-sans-devanagari': 'NotoSansDevanagari',
  'noto-sans-thai': 'NotoSansThai',
}
const { resolve } = createRequire(import.meta.url)
const fontPaths = Object.entries(FONTS).flatMap(([name, file]) =>
  ['400Regular', '700Bold'].map(weight =>
    resolve(`@expo-google-fonts/${name}/${weight}/${file}_${weight}.ttf`),
  ),
)

/** Lays a sheet out as PDF. The text is data, never markup. */
export function typeset(sheet: Sheet): Buffer {
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths }] })
  const mainFileContent = readFileSync(LAYOUT, 'utf8')
  return withTextOnce(compiler.pdf({ mainFileContent, inputs: { sheet: JSON.stringify(sheet) } }))
}
