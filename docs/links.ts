import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Links in the repository's pages that lead to no file, as `page: link`. */
export function brokenLinks(root: string): string[] {
  const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root })
  return pages.flatMap(page => {
    const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
    return links
      .map(([, link = '']) => link)
      .filter(link => !existsSync(join(root, dirname(page), link)))
      .map(link => `${page}: ${link}`)
  })
}
