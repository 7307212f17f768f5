// A program: lays the sheet on its standard input out, and writes the PDF. The text is data, never markup.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { withTextOnce } from './copied-text.ts'

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
const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths }] })
const inputs = { sheet: await text(process.stdin) }
const pdf = compiler.pdf({ mainFileContent: readFileSync(LAYOUT, 'utf8'), inputs })
process.stdout.write(withTextOnce(pdf))
