import { folded, foundIn, searched } from '@voxscribe/contracts/search-words'
import type { NoteRecord } from '../note/record.ts'

/** Letters of a word in which one may be wrong; in shorter ones it is likely another word. */
const LETTERS = { least: 4, most: 24 }
/** Words of a search that are tried. */
const WORDS_MAX = 6
/** Alphabets begin at multiples of this. */
const BLOCK = 128

/** The letters beside a letter in Unicode: its alphabet, as searches spell it. */
function alphabetOf(letter: string): string[] {
  const first = Math.floor((letter.codePointAt(0) ?? 0) / BLOCK) * BLOCK
  return Array.from({ length: BLOCK }, (_, at) => String.fromCodePoint(first + at)).filter(
    each => /^[\p{L}\p{M}]$/u.test(each) && folded(each) === each,
  )
}

/** Every word that is one slip away (Damerau): a letter wrong, missing or too many, or two neighbours swapped. */
function slipsOf(word: string): string[] {
  const letters = [...word]
  const alphabet = [...new Set(letters.flatMap(alphabetOf))]
  const slips = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, letter, next] = [letters.slice(0, at).join(''), letters[at], letters[at + 1]]
    const [from, after] = [letters.slice(at).join(''), letters.slice(at + 1).join('')]
    if (letter && next) slips.add(before + next + letter + letters.slice(at + 2).join(''))
    if (letter) slips.add(before + after)
    for (const other of alphabet) {
      slips.add(before + other + from)
      if (letter) slips.add(before + other + after)
    }
  }
  slips.delete(word)
  return [...slips]
}

/** The words of a search, each with all that it may have been meant as and the rest of the search. */
export function slipsIn(search: string) {
  const tokens = search.split(/\s+/).filter(token => searched(token).length)
  return tokens.slice(0, WORDS_MAX).flatMap((token, at) => {
    const [[word = '', ...others] = []] = searched(token)
    const { length } = [...word]
    if (others.length || length < LETTERS.least || length > LETTERS.most) return []
    return [{ token, slips: slipsOf(word), rest: tokens.toSpliced(at, 1).join(' ') }]
  })
}

/** The word of a note that was meant, as it is written there, in lower case: one as long and with the same beginning first. */
export function likeTokenIn(
  { words = [], text, title, fileName }: Pick<NoteRecord, 'words' | 'text' | 'title' | 'fileName'>,
  token: string,
  slips: string[],
): string {
  const [[word = ''] = []] = searched(token)
  const unlike = (slip: string) => Number(slip[0] !== word[0]) + Math.abs(slip.length - word.length) / 2
  const known = new Set(words)
  const [meant = token] = slips.filter(slip => known.has(slip)).sort((a, b) => unlike(a) - unlike(b))
  for (const written of [title ?? '', text, fileName])
    for (const { from, to } of foundIn(written, meant))
      if (folded(written.slice(from, to)) === meant) return written.slice(from, to).toLowerCase()
  return meant
}
