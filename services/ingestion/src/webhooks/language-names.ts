import { languages } from '@voxscribe/contracts/languages'
import { folded } from '@voxscribe/contracts/search-words'
import { UI_LANGUAGES } from '@voxscribe/languages'

/** Names that Intl does not have. */
const ALSO = 'hi हिंदी, zh mandarin, zh mandarín, es castellano, fa farsi'

/** Lower case and without accents, one space between words, without signs and the marks on them (as in ❤️). */
export const plain = (text: string): string =>
  folded(text)
    .replace(/(?:[^\p{L}\p{M}\p{N}]\p{M}*)+/gu, ' ')
    .trim()

function nameIn(reader: string, tag: string): string[] {
  const names = new Intl.DisplayNames(reader, { type: 'language', fallback: 'none' })
  // A language that Intl does not speak is answered in another one.
  const isSpoken = names.resolvedOptions().locale.split('-')[0] === reader.split('-')[0]
  const name = isSpoken ? names.of(tag) : undefined
  // In Arabic, languages have an article that people leave out.
  return name ? [name, name.replace(/^ال/, '')] : []
}

const ids = new Map<string, string>()
for (const { id, label } of languages.filter(language => language.id !== 'auto')) {
  // Whisper's code of Javanese is not the one of ISO 639-1.
  const tag = id === 'jw' ? 'jv' : id
  for (const name of [label, ...[...UI_LANGUAGES, tag].flatMap(reader => nameIn(reader, tag))])
    ids.set(plain(name), id)
}
for (const [id = '', name = ''] of ALSO.split(', ').map(entry => entry.split(' '))) ids.set(plain(name), id)
const codes = new Set(languages.map(({ id }) => id))

/** Returns the id of a language by its name, in its own or any language of the product; `orCode`: also by that id. */
export const languageNamed = (said: string, orCode: boolean): string | undefined =>
  ids.get(said) ?? (orCode && codes.has(said) && said !== 'auto' ? said : undefined)
