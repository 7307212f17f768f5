import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format } from '../report.ts'

const PAGE = join(import.meta.dirname, '../../../docs/scale.md')

export const readPage = () => readFile(PAGE, 'utf8')

/** Replaces the tables of docs/scale.md that stand between `<!-- name -->` and `<!-- /name -->`. */
export async function writeTables(tables: Record<string, string[]>): Promise<void> {
  let page = await readPage()
  for (const [mark, lines] of Object.entries(tables)) {
    page = page.replace(
      new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`),
      (_all, start, end) => `${start}\n${lines.join('\n')}\n\n${end}`,
    )
  }
  await writeFile(PAGE, page)
  await format('docs/scale.md')
}
