import { folded, foundIn, searched } from '@voxscribe/contracts/search-words'
import type { NoteRecord } from '../note/record.ts'

/** Lengths of words in which a typo is corrected; a shorter word is likely a different one. */
const LETTERS = { least: 4, most: 24 }
/** Words of a search to correct, and spellings to try for all of them together. */
const WORDS_MAX = 6
const CANDIDATES_MAX = 2_000
/** Alphabets begin at multiples of this. */
const BLOCK = 128

/** Returns the letters around a word's first in Unicode, which are its alphabet, as searches spell it. */
function alphabetOf(word: string): string[] {
  const first = Math.floor((word.codePointAt(0) ?? 0) / BLOCK) * BLOCK
  return Array.from({ length: BLOCK }, (_, at) => String.fromCodePoint(first + at)).filter(
    each => /^[\p{L}\p{M}]$/u.test(each) && folded(each) === each,
  )
}

/** Yields words that are one typo away (Damerau): two neighbors swapped, a letter too many, wrong or missing. */
function* oneTypoAway(word: string): Generator<string> {
  const letters = [...word]
  for (const [at, letter] of letters.entries()) {
    const [before, next = ''] = [letters.slice(0, at).join(''), letters[at + 1]]
    yield before + next + letter + letters.slice(at + 2).join('')
    yield before + letters.slice(at + 1).join('')
  }
  const alphabet = alphabetOf(word)
  for (let at = 0; at <= letters.length; at++) {
    const [before, from] = [letters.slice(0, at).join(''), letters.slice(at).join('')]
    const after = letters.slice(at + 1).join('')
    for (const other of alphabet) yield* [before + other + from, before + other + after]
  }
}

/** Returns up to so many distinct candidates for a word. */
function distinctCandidates(word: string, most: number): string[] {
  const candidates = new Set<string>()
  for (const candidate of oneTypoAway(word)) {
    if (candidates.size === most) break
    if (candidate !== word) candidates.add(candidate)
  }
  return [...candidates]
}

/** Returns the words of a search, each with its possible corrections and the rest of the search. */
export function correctionsIn(search: string) {
  const tokens = search.split(/\s+/).filter(token => searched(token).length)
  const tried = tokens.slice(0, WORDS_MAX).flatMap((token, at) => {
    const [[word = '', ...others] = []] = searched(token)
    const { length } = [...word]
    const isTried = !others.length && length >= LETTERS.least && length <= LETTERS.most
    return isTried ? [{ token, word, rest: tokens.toSpliced(at, 1).join(' ') }] : []
  })
  const most = Math.floor(CANDIDATES_MAX / Math.max(1, tried.length))
  return tried.map(({ word, ...one }) => ({ ...one, candidates: distinctCandidates(word, most) }))
}

/** Returns the best correction, as the note writes it, in lower case: same first letter first, then similar length. */
export function bestCorrection(
  { words = [], text, title, fileName }: Pick<NoteRecord, 'words' | 'text' | 'title' | 'fileName'>,
  token: string,
  candidates: string[],
): string {
  const [[word = ''] = []] = searched(token)
  const unlike = (candidate: string) =>
    Number(candidate[0] !== word[0]) + Math.abs(candidate.length - word.length) / 2
  const known = new Set(words)
  const [meant = token] = candidates
    .filter(candidate => known.has(candidate))
    .sort((a, b) => unlike(a) - unlike(b))
  for (const source of [title ?? '', text, fileName])
    for (const { from, to } of foundIn(source, meant))
      if (folded(source.slice(from, to)) === meant) return source.slice(from, to).toLowerCase()
  return meant
}
