import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REFUSED = [
  /\* (?:Answers|What|Who|Where) .*|.*(?:\banew\b|all the same|unless told).*/g,
  // A module's function with a body is declared; an arrow there stands for a value.
  /^(?:export )?const \w+ = (?:async )?(?:<.*>)?\((?!.*\) => \().*\)(?:: .*)? => \{$/gm,
  // A store names its models in lower case, as it names its documents.
  /^.*const (?:[A-Z]\w*|model) = documents\.(?:outboxModel|model)\b.*/gm,
]
/** A module's constant in one line of literals is in CAPITALS. */
const CONSTANT =
  /^(?:export )?const (?![A-Z][A-Z0-9_]* )\w+ = (?:\[?(?:-?[\d_.]+|'[^']*'|true|false|null)(?:, |\]|$))+(?: as const)?$/gm
const FIXTURES = /\.test\.|testing(\.ts|\/)|conformance\//

/** Words and shapes that our dialect refuses, each with its file. */
export function refusedWords(root: string): string[] {
  const exclude = ['**/node_modules', '**/dist', 'docs/words.ts']
  return globSync('{deploy,docs,e2e,k8s,lab,packages,services,stand-ins,web}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude,
  }).flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8')
    const refused = REFUSED.flatMap(pattern => source.match(pattern) ?? [])
    const names = FIXTURES.test(file) ? [] : (source.match(CONSTANT) ?? [])
    return [...refused, ...names.map(line => `${line} is a constant: CAPITALS`)].map(
      text => `${file}: ${text.trim()}`,
    )
  })
}
