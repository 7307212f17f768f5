import { isoCodeOf, languages } from '@voxscribe/contracts/languages'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { readChatWords } from '@voxscribe/languages/chat'
import { plain } from './chat-tokens.ts'

/** Codes that are also words in the product's languages; people choose these languages by name. */
const ALSO_WORDS =
  'hi he it my la te mi lo ha si ja so is as am et da no be eu fa kk mr ms ne nn pa ps sa su ta tt yo'.split(
    ' ',
  )

function nameIn(reader: string, tag: string): string[] {
  const names = new Intl.DisplayNames(reader, { type: 'language', fallback: 'none' })
  // For a language that it doesn't know, Intl responds in another one.
  const isSpoken = names.resolvedOptions().locale.split('-')[0] === reader.split('-')[0]
  const name = isSpoken ? names.of(tag) : undefined
  if (!name) return []
  return ['de', 'fr'].includes(reader) ? [name, `${name}e`] : [name, name.replace(/ة$/, '')]
}

const ids = new Map<string, string>()
for (const { id, label } of languages.filter(language => language.id !== 'auto')) {
  const tag = isoCodeOf(id)
  for (const name of [label, ...[...UI_LANGUAGES, tag].flatMap(reader => nameIn(reader, tag))])
    ids.set(plain(name), id)
}
for (const { languages: words } of Object.values(readChatWords()))
  for (const entry of words.names.split(', ')) {
    const at = entry.lastIndexOf(' ')
    ids.set(plain(entry.slice(0, at)), entry.slice(at + 1))
  }
const codes = new Set(languages.map(({ id }) => id).filter(id => id.length === 2 && !ALSO_WORDS.includes(id)))

/** Ids of the languages by their names, in their own language and in the product's languages. */
export const languageIds: ReadonlyMap<string, string> = ids

/** Returns the language of a two-letter code that isn't also a word, in any case. */
export function languageOfCode(said: string): string | undefined {
  const code = said.toLowerCase()
  return codes.has(code) ? code : undefined
}
