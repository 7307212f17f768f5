// Finds faults of messages that types don't show. Each check returns the faults of a text; empty if there are none.

/** Returns the text of an id: the part after the last `|` only distinguishes meanings. */
export const messageOf = (id: string): string => id.replace(/\|[\w ]+$/, '')

const SIGNS = '%|٪|(?:m?s|secs?|Sek|dtk|min|Min|mnt|h|hrs?|Std|[kKMG][Bo])(?![\\p{L}\\p{M}])'
const WORDS = '(?:second|minute|hour|day|week|month|year|megabyte)s?\\b'
const BESIDE = new RegExp(`(?:[\\d#]|\\}\\u2069?)[ \\u00a0\\u202f-]?(?:${SIGNS})`, 'gu')
/** Only for the English text, as the other languages have its plurals. */
const COUNTED = new RegExp(`(?:\\d|\\})[ -](?:${WORDS})`, 'gu')

/** Returns figures next to a unit that Intl should write (`{size}`) or with which a plural should agree (`# days`). */
export const unitsIn = (text: string): string[] => text.match(BESIDE) ?? []
export const countedIn = (english: string): string[] =>
  english.includes(', plural,') ? [] : (english.match(COUNTED) ?? [])

/** Whether words are outside of a plural: in many languages, they change with the number, too. */
export function isHalfPlural(text: string): boolean {
  if (!text.includes(', plural,')) return false
  let depth = 0
  return [...messageOf(text)].some((letter, at, all) => {
    depth += Number(letter === '{') - Number(letter === '}')
    return depth === 0 && at < all.length - 1
  })
}

/** Addresses are at the ends of lines, where an isolate would become a part of them. */
const BARE = ['url', 'plans']

/** Returns values in an Arabic text that aren't isolated (U+2068 … U+2069), so would disturb the word order. */
export const bareIn = (arabic: string): string[] =>
  [...arabic.matchAll(/(.?)\{(\w+)\}(.?)/gu)]
    .filter(
      ([, before = '', name = '', after]) =>
        !BARE.includes(name) && !(/[\u2066-\u2068]/.test(before) && after === '\u2069'),
    )
    .map(([, , name = '']) => name)

const LITERAL =
  /(?:\bi18n\.(?:t|_)\(\s*|\/\*i18n\*\/\s*|\bid=\{?\s*)(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g

/** Returns ids of messages that several files use without a declaration that they mean the same. */
export function undeclared(sources: Map<string, string>, meanings: Record<string, string>): string[] {
  const files = new Map<string, Set<string>>()
  for (const [file, source] of sources)
    for (const [, single, double] of source.matchAll(LITERAL)) {
      const id = (single ?? double ?? '').replace(/\\(.)/g, '$1')
      files.set(id, (files.get(id) ?? new Set()).add(file))
    }
  return [...files]
    .filter(([id, { size }]) => size > 1 && !id.includes('|') && !meanings[id])
    .map(([id]) => id)
}
