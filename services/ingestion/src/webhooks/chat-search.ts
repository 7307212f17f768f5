import { QUESTION_MAX, TITLE_MAX } from '@voxscribe/contracts/limits'
import { oneLine } from '@voxscribe/contracts/wording'
import type { Named } from '@voxscribe/languages/chat'
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
  // A sentence behind "where" is a question to the notes.
  const isSentence =
    is(all[first], ['questions', 'inside']) &&
    all.slice(first + 1).filter(piece => !is(piece, ROUND)).length >= QUESTION_WORDS
  if (is(all[first], ['find'])) return isSentence ? undefined : between(all.slice(first + 1))
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

/** Reads the form, or a new title or tag without a colon, such as "rename it to …": empty when only its words are there. */
export function namedIn(text: string, tokens: Token[], lexicon: Lexicon, what: Named): string | undefined {
  const pieces = [...lexicon.pieces(tokens)]
  const [before, open, end] = [[`naming.${what}`], [`naming.${what}Open`], [`naming.${what}End`]] as Part[][]
  const first = pieces.findIndex(piece => !is(piece, ['polite']) || is(piece, [...before!, ...open!]))
  const last = pieces.findLastIndex(piece => !is(piece, ['polite']) || is(piece, end!))
  const isRound = is(pieces[first], open!) && is(pieces[last], end!)
  if (!isRound && !is(pieces[first], before!)) return undefined
  const given = pieces.slice(first + 1, isRound ? last : last + 1)
  const [from, to] = [given[0], given.at(-1)]
  if (!from || !to) return ''
  if (to.to - from.from >= NAMED_MAX) return undefined
  const name = oneLine(text.slice(tokens[from.from]!.from, tokens[to.to]!.to))
  return name && name.length <= TITLE_MAX ? name : undefined
}

/** Reads the question behind words such as "ask"; undefined when they are not there, or it is too long. */
export function askedIn(text: string, tokens: Token[], lexicon: Lexicon): string | undefined {
  const pieces = [...lexicon.pieces(tokens)]
  const first = pieces.find(piece => !is(piece, BEFORE) || is(piece, ['ask']))
  if (!first || !is(first, ['ask'])) return undefined
  const question = oneLine(text.slice(tokens[first.to]!.to).replace(/^[\s:：,-]+/, ''))
  return question.length > QUESTION_MAX ? undefined : question
}

/** Fewer words, from the one that asks on, ask for nothing that notes would say: "oh how sweet". */
const QUESTION_WORDS = 3
/** Before the word that asks: "with whom". */
const BEFORE_QUESTION: Part[] = ['polite', 'into', 'from']
/** Whoever names these asks about the service, not about notes. */
const OF_THE_SERVICE: Part[] = [
  'asking',
  'help.verbs',
  'delete.verbs',
  'undo.verbs',
  'todo.nouns',
  'latest.verbs',
  'share.verbs',
  'summary.nouns',
  'minutes.verbs',
  'minutes.nouns',
  'plan.verbs',
  'plan.nouns',
]

/** Whether a message that is no command asks something, in one language. */
export function isQuestion(text: string, tokens: Token[], lexicon: Lexicon): boolean {
  // Word by word: phrases of commands have words that ask in them.
  const words = tokens.map(({ word }, at) => {
    const parts = [word, `${word} ${tokens[at + 1]?.word}`].flatMap(said => [...lexicon.partsOf(said)])
    return (wanted: Part[]) => wanted.some(part => parts.includes(part))
  })
  const begins = words.findIndex(has => has(['questions']) || !has(BEFORE_QUESTION))
  const first = words[begins]
  const begun = /[?？؟]\s*$/.test(text) ? words.slice(0, QUESTION_WORDS) : []
  const asks = [first, ...begun].some(has => has?.(['questions'])) || words.some(has => has(['inside']))
  const isToUs = words.some(has => has(['us']))
  const isOfService = isToUs || [...lexicon.pieces(tokens)].some(piece => is(piece, OF_THE_SERVICE))
  return asks && tokens.length - Math.max(begins, 0) >= QUESTION_WORDS && !isOfService
}
