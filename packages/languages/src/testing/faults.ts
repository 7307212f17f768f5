// Faults of messages that no type shows. Each check returns what is wrong with a text; nothing when it is sound.

/** The text of an id: what follows the last `|` says which meaning is meant. */
export const messageOf = (id: string): string => id.replace(/\|[\w ]+$/, '')

const SIGNS = '%|٪|(?:m?s|secs?|Sek|dtk|min|Min|mnt|h|hrs?|Std|[kKMG][Bo])(?![\\p{L}\\p{M}])'
const WORDS = '(?:second|minute|hour|day|week|month|year|megabyte)s?\\b'
const BESIDE = new RegExp(`(?:[\\d#]|\\}\\u2069?)[ \\u00a0\\u202f-]?(?:${SIGNS})`, 'gu')
/** Of the English text alone: the other languages have its plurals. */
const COUNTED = new RegExp(`(?:\\d|\\})[ -](?:${WORDS})`, 'gu')

/** Figures beside a unit, which Intl writes (`{size}`) or a plural agrees with (`# days`). */
export const unitsIn = (text: string): string[] => text.match(BESIDE) ?? []
export const countedIn = (english: string): string[] =>
  english.includes(', plural,') ? [] : (english.match(COUNTED) ?? [])

/** Whether words stand outside a plural: in many languages they change with its number, too. */
export function isHalfPlural(text: string): boolean {
  if (!text.includes(', plural,')) return false
  let depth = 0
  return [...messageOf(text)].some((letter, at, all) => {
    depth += Number(letter === '{') - Number(letter === '}')
    return depth === 0 && at < all.length - 1
  })
}

/** Addresses end their lines; an isolate at their end would become a part of them. */
const BARE = ['url', 'plans']

/** Values in an Arabic text that turn its words round, as nothing isolates them (U+2068 … U+2069). */
export const bareIn = (arabic: string): string[] =>
  [...arabic.matchAll(/(.?)\{(\w+)\}(.?)/gu)]
    .filter(
      ([, before = '', name = '', after]) =>
        !BARE.includes(name) && !(/[\u2066-\u2068]/.test(before) && after === '\u2069'),
    )
    .map(([, , name = '']) => name)

const LITERAL =
  /(?:\bi18n\.(?:t|_)\(\s*|\/\*i18n\*\/\s*|\bid=\{?\s*)(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g

/** Ids of messages that several files use, though nobody has declared that they mean the same in each. */
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
