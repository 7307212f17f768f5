import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, type ModuleItem, parseSync } from '@swc/core'

const REFUSED = [
  /\* (?:Answers|What|Who|Where) .*|.*(?:\banew\b|all the same|unless told).*/g,
  // A module's function with a body is declared; an arrow there stands for a value.
  /^(?:export )?const \w+ = (?:async )?(?:<.*>)?\((?!.*\) => \().*\)(?:: .*)? => \{$/gm,
  // A store names its models in lower case, as it names its documents.
  /^.*const (?:[A-Z]\w*|model) = documents\.(?:outboxModel|model)\b.*/gm,
]
const CAPITALS = /^[A-Z][A-Z0-9_]*$/
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
    const names = FIXTURES.test(file) ? [] : constantsOf(source, file).filter(name => !CAPITALS.test(name))
    return [...refused, ...names.map(name => `${name} is a constant: CAPITALS`)].map(
      text => `${file}: ${text.trim()}`,
    )
  })
}

/** Returns the names of a module's constants: what is spelled out there, in literals alone. */
function constantsOf(source: string, file: string): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' })
  return body
    .map(declarationIn)
    .flatMap(item =>
      item.type === 'VariableDeclaration' && item.kind === 'const'
        ? item.declarations.flatMap(({ id, init }) =>
            id.type === 'Identifier' && init && isSpelledOut(init) ? [id.value] : [],
          )
        : [],
    )
}

const declarationIn = (item: ModuleItem) => (item.type === 'ExportDeclaration' ? item.declaration : item)

/** Whether a value is spelled out; an empty list or object is not: it is filled later. */
function isSpelledOut(value: Expression): boolean {
  switch (value.type) {
    case 'NumericLiteral':
    case 'StringLiteral':
    case 'RegExpLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
      return true
    case 'TemplateLiteral':
      return !value.expressions.length
    case 'UnaryExpression':
      return isSpelledOut(value.argument)
    case 'BinaryExpression':
      return isSpelledOut(value.left) && isSpelledOut(value.right)
    case 'TsConstAssertion':
    case 'TsAsExpression':
    case 'TsSatisfiesExpression':
      return isSpelledOut(value.expression)
    case 'ArrayExpression':
      return (
        value.elements.length > 0 &&
        value.elements.every(element => element && isSpelledOut(element.expression))
      )
    case 'ObjectExpression':
      return (
        value.properties.length > 0 &&
        value.properties.every(
          property => property.type === 'KeyValueProperty' && isSpelledOut(property.value),
        )
      )
    default:
      return false
  }
}
