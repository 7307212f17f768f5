import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@voxscribe/contracts/openapi'
import { localSettings } from '../deploy/local/settings.ts'
import { serviceSettings } from '../deploy/service-settings.ts'
import { configurationPage } from './configuration.ts'
import { flowTable, wayDiagram } from './flow.ts'
import { lifeDiagram } from './life.ts'
import { brokenLinks } from './links.ts'
import { roadDiagram } from './road.ts'
import { refusedWords } from './words.ts'

// Generates pages from the code: the API, the settings, the flow of events, the road and the life of a note. With `--check` nothing
// is written, and an outdated page is an error. So is a broken link, or a docstring that CONTRIBUTING refuses.

const root = join(import.meta.dirname, '..')

/** Replaces the text between marks of a page, by mark. */
function between(page: string, contents: Record<string, string>): string {
  let text = readFileSync(join(root, page), 'utf8')
  for (const [mark, content] of Object.entries(contents)) {
    const pattern = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`)
    if (!pattern.test(text)) throw new Error(`${page} has no marks for ${mark}`)
    text = text.replace(pattern, (_all, start, end) => `${start}\n${content}\n${end}`)
  }
  return text
}

const pages: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/configuration.md': configurationPage(serviceSettings, { 'npm start': localSettings }),
  'README.md': between('README.md', { way: wayDiagram() }),
  'docs/architecture.md': between('docs/architecture.md', { road: roadDiagram() }),
  'docs/inside.md': between('docs/inside.md', { flow: flowTable(), life: lifeDiagram() }),
}

const stale = Object.entries(pages).filter(([page, content]) => read(page) !== content)
if (!process.argv.includes('--check'))
  for (const [page, content] of stale) writeFileSync(join(root, page), content)
else if (stale.length) {
  process.stderr.write(`Out of date, run \`npm run docs\`: ${stale.map(([page]) => page).join(', ')}\n`)
  process.exitCode = 1
}

for (const [problem, places] of [
  ['Links and paths that lead nowhere', brokenLinks(root)],
  ['Words that CONTRIBUTING.md refuses', refusedWords(root)],
] as const) {
  if (!places.length) continue
  process.stderr.write(`${problem}:\n  ${places.join('\n  ')}\n`)
  process.exitCode = 1
}

function read(page: string): string | undefined {
  try {
    return readFileSync(join(root, page), 'utf8')
  } catch {
    return undefined
  }
}
