import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format } from '../report.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = 'docs/scale.md'

/** Formats a row of a Markdown table. */
export const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** Returns a Markdown table as lines; `writeTables` aligns it. */
export const table = (heads: string[], rows: readonly (string | number)[][]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map(line)

/** Replaces the tables of a page between `<!-- name -->` and `<!-- /name -->`. */
export async function writeTables(tables: Record<string, string[]>, path = PAGE): Promise<void> {
  let page = await readFile(join(ROOT, path), 'utf8')
  for (const [mark, lines] of Object.entries(tables)) {
    page = page.replace(
      new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`),
      (_all, start, end) => `${start}\n${lines.join('\n')}\n\n${end}`,
    )
  }
  await writeFile(join(ROOT, path), page)
  await format(path)
}
