import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** Formats a row of a Markdown table. */
export const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** Returns a Markdown table as lines; `writePage` aligns it. */
export const table = (heads: string[], rows: readonly (string | number)[][]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map(line)

/** Replaces what a page has between `<!-- name -->` and `<!-- /name -->`. */
export async function writeBetween(path: string, parts: Record<string, string[]>): Promise<void> {
  let page = await readFile(join(ROOT, path), 'utf8')
  for (const [mark, lines] of Object.entries(parts)) {
    page = page.replace(
      new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`),
      (_all, start, end) => `${start}\n${lines.join('\n')}\n\n${end}`,
    )
  }
  await writePage(path, page)
}

/** Writes a page, formatted as `npm run check` requires. */
export async function writePage(path: string, text: string): Promise<void> {
  await writeFile(join(ROOT, path), text)
  const biome = join(ROOT, 'node_modules/.bin/biome')
  await promisify(execFile)(biome, ['format', '--write', path], { cwd: ROOT })
}
