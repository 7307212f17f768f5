import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { LINK_CODE } from '@voxscribe/contracts/business'
import { SEARCH_MAX } from '@voxscribe/contracts/limits'
import { foundIn, searched, wordsOf } from '@voxscribe/contracts/search-words'
import { endsSentence } from '@voxscribe/contracts/text'
import { errorForLog } from '../packages/service/src/observe/log-privacy.ts'
import { TOKEN } from '../packages/speech/src/hearing/loops.ts'
import { commandIn } from '../services/ingestion/src/webhooks/commands.ts'
import { withReplacements } from '../services/transcription/src/note/replacements.ts'
import { mayBeIn } from '../services/transcription/src/text/scripts.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = [
  '{packages,services,stand-ins}/*/src/**/*.ts',
  'web/src/**/*.{ts,tsx}',
  'deploy/local/**/*.ts',
]

interface Node {
  type?: string
  pattern?: string
  flags?: string
}

/** Returns a file's regular expression literals. */
function patternsOf(path: string) {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const literals: RegExp[] = []
  const look = (_key: string, node: Node | null) => {
    if (node?.type === 'RegExpLiteral') literals.push(new RegExp(node.pattern!, node.flags))
    return node
  }
  // Avoids parsing most files.
  if (/[=(,:?|&![]\s*\/[^/*\s]|\/[dgimsuvy]*\.(test|exec)/.test(source))
    JSON.stringify(parseSync(source, { syntax: 'typescript', tsx: path.endsWith('x') }), look)
  return literals
}

const CHARACTERS =
  'aAfF0 \n\t\r.-@()<>"\'/\\:;,+=_%?&[]{}|*#$^`~!…é\u0301ا中あー😀\u00a0\u200f\ufffdوक्'.split(/(?:)/u)
const RUNS = [
  'a.',
  'a ',
  'a@',
  'a@a.',
  'a-',
  'aa-',
  '0.',
  '0,',
  '0m',
  'a:',
  'a/',
  '\r\n',
  't=0',
  ', t=0',
  '"a',
]

/** Returns texts whose repetition makes a pattern backtrack: characters, pairs of them, the pattern's literals. */
function unitsFor({ source }: RegExp): string[] {
  const own = source
    .replace(/\\[bBdDsSwW]|\\[pP]\{[^}]*\}|\\[ux]\{?[0-9a-f]+\}?|\(\?<?[=!:]|\(\?<\w+>/g, ' ')
    .replace(/\\(.)/g, '$1')
    .split(/[\s[\](){}?*+^$|]+/)
    .filter(text => text.length > 1 && text.length < 40)
  return [
    ...new Set([
      ...CHARACTERS,
      ...RUNS,
      ...own,
      ...own.map(text => `${text}a`),
      ...own.map(text => `${text} `),
    ]),
  ]
}

/** As many texts of the first length as make one of the second. A cubic pattern must not reach the second pair. */
const LENGTHS = [
  [125, 1_000],
  [2_000, 16_000],
] as const
const PARTS = 8
/** With linear time they take as long as the one, with quadratic time an eighth of it. */
const TIMES = 5
/** Below this, clock ticks and garbage collection outweigh the pattern. */
const NOTICED_MS = 40

type Search = (text: string) => unknown

/** Returns the processor time of this thread, which others on the machine don't affect. */
function millisecondsOf(search: Search, text: string, times = 1): number {
  const begun = process.threadCpuUsage()
  for (let time = 0; time < times; time++) search(text)
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

/** Returns the first text whose search takes more than linear time. */
function hostileTo(search: Search, units: string[]): string | undefined {
  for (const unit of units)
    for (const end of ['', '!x\u0001', '\n'])
      for (const [few, many] of LENGTHS) {
        const ofLength = (length: number) => unit.repeat(length / unit.length) + end
        if (millisecondsOf(search, ofLength(many)) < NOTICED_MS) continue
        const isWorse = () =>
          millisecondsOf(search, ofLength(many)) >
          Math.max(NOTICED_MS, TIMES * millisecondsOf(search, ofLength(few), PARTS))
        // Garbage may be collected, and others share the processor's caches.
        if ([1, 2, 3, 4, 5].every(isWorse)) return `${JSON.stringify(unit)} … ${JSON.stringify(end)}`
      }
  return undefined
}

test('when a regular expression meets hostile text, then it takes linear time at most', async () => {
  const wrong: string[] = []
  const tried = new Set<string>()
  for await (const path of glob(SOURCES, { cwd: ROOT }))
    if (!/\.test\.|\/testing|\/conformance|dist\//.test(path))
      for (const pattern of patternsOf(path)) {
        // Without unbounded repetition, a pattern reads a limited number of characters.
        if (tried.has(String(pattern)) || !/[*+]|\{\d+,\}/.test(pattern.source)) continue
        tried.add(String(pattern))
        const text = hostileTo(text => text.replace(pattern, ''), unitsFor(pattern))
        if (text) wrong.push(`${path}: ${pattern} on ${text}`)
      }
  expect(tried.size).toBeGreaterThan(80)
  expect(wrong).toEqual([])
})

/** Patterns that are built at run time. */
const MADE: [string, Search][] = [
  ['a link code', text => LINK_CODE.test(text)],
  ['the words of a note', text => wordsOf([text])],
  ['a search', searched],
  ['a search of different words', text => searched(text.replace(/a/g, (_, at) => `b${at}`))],
  ['a text that is searched', text => foundIn(text, text.slice(0, SEARCH_MAX))],
  ['the end of a sentence', endsSentence],
  ['a command', text => commandIn(`find ${text}`)],
  ['the script of a translation', text => mayBeIn('hi', text)],
  ['tokens', text => text.match(TOKEN)],
  ['own words', text => withReplacements(spoken(text), [{ heard: 'a b', write: 'c' }])],
  ['a message for the log', text => errorForLog(new Error(text))],
]
const spoken = (text: string) => ({
  text,
  segments: [],
  wordCount: 1,
  spokenLanguage: 'en',
})

test.each(MADE)('when hostile text meets %s, then that takes linear time at most', (_what, search) => {
  expect(hostileTo(search, [...CHARACTERS, ...RUNS])).toBeUndefined()
})
