import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PAGES = ['*.md', 'docs/**/*.md', 'stand-ins/*/README.md', 'lab/*/README.md']
/** Folders and source files in code spans of pages: `note/`, `services/auth`, `proxy.ts`. */
const CODE_PATH =
  /`((?:[\w.-]+\/)+|[\w./-]+\.(?:ts|tsx|mjs|sh)|(?:packages|stand-ins|services|k8s|deploy|lab|e2e)\/[\w/-]+)`/g
/** Made while it runs, or a name in an example. */
const NOT_TRACKED = /^(?:\.data|tmp|screenshots|.*statistics)\//

/** Links and paths of code in the repository's pages that lead to no file, as `page: link`. */
export function brokenLinks(root: string): string[] {
  const exclude = ['**/node_modules', '**/dist']
  const files = globSync('{deploy,docs,e2e,k8s,lab,packages,services,stand-ins,web}/**', {
    cwd: root,
    exclude,
  })
  const isThere = (path: string) =>
    existsSync(join(root, path)) || files.some(file => `/${file}`.endsWith(`/${path.replace(/\/$/, '')}`))
  return globSync(PAGES, { cwd: root }).flatMap(page => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = '']) => link)
    const paths = [...text.matchAll(CODE_PATH)].map(([, path = '']) => path)
    return [
      ...links.filter(link => !existsSync(join(root, dirname(page), link))),
      ...paths.filter(path => !NOT_TRACKED.test(path) && !isThere(path)),
    ].map(link => `${page}: ${link}`)
  })
}
