import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REFUSED = [
  /\* (?:Answers|What|Who|Where) .*|.*(?:\banew\b|all the same|unless told).*/g,
  // A module's function with a body is declared; an arrow there stands for a value.
  /^(?:export )?const \w+ = (?:async )?(?:<.*>)?\((?!.*\) => \().*\)(?:: .*)? => \{$/gm,
]

/** Docstrings that begin with neither a verb nor a noun, phrases that nobody says, arrows for declarations. */
export function refusedWords(root: string): string[] {
  const exclude = ['**/node_modules', '**/dist', 'docs/words.ts']
  return globSync('{bench,deploy,docs,e2e,k8s,packages,services,web}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude,
  }).flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8')
    return REFUSED.flatMap(pattern => source.match(pattern) ?? []).map(text => `${file}: ${text.trim()}`)
  })
}
