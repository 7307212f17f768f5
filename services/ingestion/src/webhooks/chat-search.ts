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

/** More words than a title or a few tags have without a colon. */
const NAMED_MAX = 10

/** Reads the new title or tag of a reply without a colon, such as "rename it to …"; undefined when it gives none. */
export function namedIn(
  text: string,
  tokens: Token[],
  lexicon: Lexicon,
  what: 'title' | 'tag',
): string | undefined {
  const pieces = [...lexicon.pieces(tokens)]
  const [before, open, end] = [[`naming.${what}`], [`naming.${what}Open`], [`naming.${what}End`]] as Part[][]
  const first = pieces.findIndex(piece => !is(piece, ['polite']) || is(piece, [...before!, ...open!]))
  const last = pieces.findLastIndex(piece => !is(piece, ['polite']) || is(piece, end!))
  const isRound = is(pieces[first], open!) && is(pieces[last], end!)
  if (!isRound && !is(pieces[first], before!)) return undefined
  const given = pieces.slice(first + 1, isRound ? last : last + 1)
  const [from, to] = [given[0], given.at(-1)]
  if (!from || !to || to.to - from.from >= NAMED_MAX) return undefined
  const name = oneLine(text.slice(tokens[from.from]!.from, tokens[to.to]!.to))
  return name && name.length <= TITLE_MAX ? name : undefined
}
