import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { oneLine } from '@voxscribe/contracts/wording'
import type { Distance, Lexicon, Piece } from './chat-lexicon.ts'
import type { Token } from './chat-tokens.ts'
import type { Part } from './chat-vocabulary.ts'

/** More words than people search for: it is a sentence. */
const WORDS_MAX = 6

const BEFORE: Part[] = ['polite', 'light']
const ROUND: Part[] = ['drop', 'note', 'plural', 'polite', 'find']

const is = (piece: Piece | undefined, parts: Part[]): boolean =>
  piece !== undefined && parts.some(part => piece.parts.has(part))

/** Reads the words that a message searches for, as they are written; undefined when it is no search. */
export function searchedIn(
  text: string,
  tokens: Token[],
  lexicon: Lexicon,
  distance: Distance,
): string | undefined {
  const all = [...lexicon.pieces(lexicon.nearly(tokens, distance))]
  const first = all.findIndex(piece => !is(piece, BEFORE) || piece.parts.has('find'))
  const last = all.findLastIndex(piece => !is(piece, BEFORE) || piece.parts.has('last'))
  if (is(all[first], ['find'])) return between(all.slice(first + 1))
  return is(all[last], ['last']) ? between(all.slice(0, last)) : undefined

  function between(pieces: Piece[]): string | undefined {
    const from = pieces.find(piece => !is(piece, ROUND))
    const to = pieces.findLast(piece => !is(piece, ROUND))
    if (!from || !to) return pieces.every(piece => is(piece, ['polite'])) ? '' : undefined
    if (to.to - from.from >= WORDS_MAX) return undefined
    return text.slice(tokens[from.from]!.from, tokens[to.to]!.to).replace(/^ال(?=\p{L}{2})/u, '')
  }
}

/** Reads the title that a message gives; undefined when it gives none. */
export function titleIn(text: string, tokens: Token[], lexicon: Lexicon): string | undefined {
  const colon = text.search(/[:：]/)
  const before = tokens.filter(({ to }) => to <= colon)
  const given = text.slice(colon + 1).trim()
  const title = oneLine(given)
  if (!before.length || !title || title.length > TITLE_MAX || given.includes('\n')) return undefined
  const pieces = [...lexicon.pieces(before)]
  const isGiven = pieces.every(piece => is(piece, ['title', 'polite', 'note', 'into']))
  return isGiven && pieces.some(piece => is(piece, ['title'])) ? title : undefined
}
