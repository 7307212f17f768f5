import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from '@swc/core'

const ROOT = join(import.meta.dirname, '../../..')

interface Node {
  type?: string
  pattern?: string
  flags?: string
}

/** The regular expressions that a file of production code has as literals, and whether it makes others. */
function patternsOf(path: string) {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const literals: RegExp[] = []
  const look = (_key: string, node: Node | null) => {
    if (node?.type === 'RegExpLiteral') literals.push(new RegExp(node.pattern!, node.flags))
    return node
  }
  // The search spares parsing most files.
  if (/[=(,:?|&![]\s*\/[^/*\s]|\/[dgimsuvy]*\.(test|exec)/.test(source))
    JSON.stringify(parseSync(source, { syntax: 'typescript', tsx: path.endsWith('x') }), look)
  return literals
}

const CHARACTERS =
  'aAfF0 \n\t\r.-@()<>"\'/\\:;,+=_%?&[]{}|*#$^`~!…é\u0301ا中あー😀\u00a0\u200f\ufffdوक्'.split(/(?:)/u)
const RUNS = ['a.', 'a ', 'a@', 'a@a.', 'a-', 'aa-', '0.', '0,', '0m', 'a:', 'a/', '\r\n', 't=0', ', t=0', '"a']

/** Repeated, these keep a pattern looking: characters, pairs of them, and what the pattern itself asks for. */
function unitsFor({ source }: RegExp): string[] {
  const own = source
    .replace(/\\[bBdDsSwW]|\\[pP]\{[^}]*\}|\\[ux]\{?[0-9a-f]+\}?|\(\?<?[=!:]|\(\?<\w+>/g, ' ')
    .replace(/\\(.)/g, '$1')
    .split(/[\s[\](){}?*+^$|]+/)
    .filter(text => text.length > 1 && text.length < 40)
  return [...new Set([...CHARACTERS, ...RUNS, ...own, ...own.map(text => `${text}a`), ...own.map(text => `${text} `)])]
}

/** Growing in proportion is 8 times as long, growing by the square 64 times. The cube must not reach the second pair. */
const LENGTHS = [
  [125, 1_000],
  [2_000, 16_000],
] as const
const TIMES = 24
/** Below, the clock and the collector count for more than the pattern. */
const NOTICED_MS = 3

function millisecondsOf(pattern: RegExp, text: string): number {
  const begun = performance.now()
  text.replace(pattern, '')
  return performance.now() - begun
}
/** Of five tries: others use the processor, too. */
function quickest(pattern: RegExp, text: string): number {
  return Math.min(...Array.from({ length: 5 }, () => millisecondsOf(pattern, text)))
}

/** Returns the first text whose search takes more than its length. */
function hostileTo(pattern: RegExp): string | undefined {
  for (const unit of unitsFor(pattern))
    for (const end of ['', '!x\u0001', '\n'])
      for (const [few, many] of LENGTHS) {
        const ofLength = (length: number) => unit.repeat(length / unit.length) + end
        if (millisecondsOf(pattern, ofLength(many)) < NOTICED_MS) continue
        const takes = quickest(pattern, ofLength(many))
        if (takes > NOTICED_MS && takes > TIMES * quickest(pattern, ofLength(few)))
          return `${JSON.stringify(unit)} … ${JSON.stringify(end)}`
      }
  return undefined
}

test('when a regular expression meets hostile text, then it takes no more than in proportion to its length', async () => {
  const found: RegExp[] = []
  const wrong: string[] = []
  const tried = new Set<string>()
  for await (const path of glob('{packages,services}/*/src/**/*.ts', { cwd: ROOT }))
    if (!/\.test\.|\/testing|\/conformance/.test(path))
      for (const pattern of patternsOf(path)) {
        // One without open repetition looks at so many characters at most.
        if (tried.has(String(pattern)) || !/[*+]|\{\d+,\}/.test(pattern.source)) continue
        tried.add(String(pattern))
        found.push(pattern)
        const t=performance.now(); process.stderr.write(`${path} ${pattern}\n`)
        const text = hostileTo(pattern)
        if (text||performance.now()-t>300) console.error(path, String(pattern), performance.now()-t, text)
        if (text) wrong.push(`${path}: ${pattern} on ${text}`)
      }
  console.error(found.length)
  expect(found.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
