import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REFUSED = /\* (?:Answers|What|Who|Where) .*|.*(?:\banew\b|all the same|unless told).*/g

/** Docstrings that begin with neither a verb nor a noun, and phrases that nobody says, as `file: text`. */
export function refusedWords(root: string): string[] {
  const exclude = ['**/node_modules', '**/dist', 'docs/words.ts']
  return globSync('{bench,deploy,docs,e2e,k8s,packages,services,web}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude,
  }).flatMap(file =>
    (readFileSync(join(root, file), 'utf8').match(REFUSED) ?? []).map(text => `${file}: ${text.trim()}`),
  )
}
