import { QUESTION_MAX, TITLE_MAX } from '@voxscribe/contracts/limits'
import { oneLine } from '@voxscribe/contracts/wording'
import type { Named } from '@voxscribe/languages/chat'
import type { Distance, Lexicon, Piece } from './chat-lexicon.ts'
import type { Token } from './chat-tokens.ts'
import type { Part } from './chat-vocabulary.ts'

/** More words than people search for are a sentence. */
const WORDS_MAX = 6

const BEFORE: Part[] = ['polite', 'light']
const ASKING: Part[] = ['questions', 'inside', 'facts']
const FILLER: Part[] = ['drop', 'note', 'plural', 'polite', 'find', 'about']

const is = (piece: Piece | undefined, parts: Part[]): boolean =>
  piece !== undefined && parts.some(part => piece.parts.has(part))

/** Reads the words that a message searches for, as written; undefined if none. `mayBeLong`: allows a sentence. */
export function searchedIn(
  text: string,
  tokens: Token[],
  lexicon: Lexicon,
  distance: Distance,
  mayBeLong: boolean,
): string | undefined {
  const all = [...lexicon.pieces(lexicon.nearly(tokens, distance))]
  const first = all.findIndex(piece => !is(piece, BEFORE) || piece.parts.has('find'))
  const last = all.findLastIndex(piece => !is(piece, BEFORE) || piece.parts.has('last'))
  const words = [...lexicon.pieces(tokens, [...ASKING, 'needed', 'ours', 'reasons'])]
  const asks = is(words[0], ASKING) || words.some(piece => is(piece, ['inside']))
  if (asks && isToUs(tokens, lexicon)) return undefined
  // "I need to find a new job" isn't about notes.
  if (words.some(piece => is(piece, ['needed'])) && !words.some(piece => is(piece, ['ours'])))
    return undefined
  // A sentence after "where" is a question to the notes.
  const written = [...lexicon.pieces(tokens)]
  const searched = written.filter(piece => !is(piece, [...FILLER, ...ASKING]))
  // "Where did I mention it" is a search.
  const isOwn = words.some(piece => is(piece, ['reasons']))
  const tells =
    namesSomebody(text, tokens, lexicon) || written.some(piece => is(piece, ['said', 'noted', 'days']))
  const isSentence =
    (is(written[0], ASKING) && searched.length >= QUESTION_WORDS) ||
    (asks && searched.length > 1 && tells && !isOwn)
  if (isSentence) return undefined
  if (is(all[first], ['find'])) return between(all.slice(first + 1))
  if (is(all[last], ['last'])) return between(all.slice(0, last))
  // "Any notes with the word", "koi note hai": in Hindi, they stand behind the words.
  const about = all.findIndex(piece => is(piece, ['about', 'find']))
  if (about > 0 && namesNotes(all.slice(0, about))) return between(all.slice(about + 1))
  const behind = all.findIndex(piece => is(piece, ['aboutBehind']))
  return behind > 0 && namesNotes(all.slice(behind + 1)) ? between(all.slice(0, behind)) : undefined

  function between(pieces: Piece[]): string | undefined {
    const from = pieces.find(piece => !is(piece, FILLER))
    const to = pieces.findLast(piece => !is(piece, FILLER))
    if (!from || !to) return pieces.every(piece => is(piece, ['polite'])) ? '' : undefined
    if (to.to - from.from >= WORDS_MAX && !mayBeLong) return undefined
    return text.slice(tokens[from.from]!.from, tokens[to.to]!.to).replace(/^ال(?=\p{L}{2})/u, '')
  }
}

/** Whether only small words and a noun for notes are said: "I got a message" also says who. */
const namesNotes = (pieces: Piece[]): boolean =>
  pieces.every(({ parts }) => parts.size) &&
  !pieces.some(piece => is(piece, ['spoken', 'subjects', 'said', 'reasons', 'people', 'us'])) &&
  pieces.some(piece => is(piece, ['ours', 'plural', 'latest.nouns']))

/** Reads the title that a message sets, however long; undefined if it sets none. */
export function titleIn(text: string, tokens: Token[], lexicon: Lexicon): string | undefined {
  const colon = text.search(/[:：]/)
  const before = tokens.filter(({ to }) => to <= colon)
  const given = text.slice(colon + 1).trim()
  const title = oneLine(given)
  if (!before.length || !title || given.includes('\n')) return undefined
  const pieces = [...lexicon.pieces(before)]
  const isGiven = pieces.every(piece => is(piece, ['title', 'polite', 'note', 'into']))
  return isGiven && pieces.some(piece => is(piece, ['title'])) ? title : undefined
}

/** More words than a title or a few tags without a colon have. */
const NAMED_MAX = 10

/** Reads the form, or a new title or tag without a colon, such as "rename it to …"; empty if nothing follows. */
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

/** Reads the question after words such as "ask"; undefined without such words, or if it's too long. */
export function askedIn(text: string, tokens: Token[], lexicon: Lexicon): string | undefined {
  const pieces = [...lexicon.pieces(tokens)]
  const first = pieces.find(piece => !is(piece, BEFORE) || is(piece, ['ask']))
  if (!first || !is(first, ['ask'])) return undefined
  const question = oneLine(text.slice(tokens[first.to]!.to).replace(/^[\s:：,-]+/, ''))
  return question.length > QUESTION_MAX ? undefined : question
}

/** With fewer words from the question word on, notes can't answer it: "oh how sweet". */
const QUESTION_WORDS = 3
/** Words before the question word: "with whom". */
const BEFORE_QUESTION: Part[] = ['polite', 'into', 'from']
/** Words that make a message a question, to the notes or to us. */
const ASKED: Part[] = [
  ...ASKING,
  ...BEFORE_QUESTION,
  'whether',
  'said',
  'noted',
  'days',
  'somebody',
  'subjects',
  'reasons',
  'us',
  'ours',
  'people',
  'name',
]
/** Words that make a question one about the service, not about notes. */
const OF_THE_SERVICE: Part[] = [
  'asking',
  'help.verbs',
  'delete.verbs',
  'undo.verbs',
  'latest.verbs',
  'share.verbs',
  'minutes.verbs',
  'plan.verbs',
]
/** Words that do so as well if the question isn't about a person or something said. */
const OURS: Part[] = ['ours', 'name', 'todo.nouns', 'summary.nouns', 'minutes.nouns', 'plan.nouns']

/**
 * Whether a message that isn't a command asks, in one language, for something that only notes can tell: about someone
 * else, something said, a day, or when, where or how much. A question to us, or about the service, isn't one.
 */
export function isQuestion(text: string, tokens: Token[], lexicon: Lexicon): boolean {
  // Word by word, because phrases of commands contain question words.
  const words = [...lexicon.pieces(tokens, ASKED)]
  const some = (...wanted: Part[]) => words.some(piece => is(piece, wanted))
  const begins = words.findIndex(piece => is(piece, [...ASKING, 'whether']) || !is(piece, BEFORE_QUESTION))
  const first = words[begins]
  const begun = /[?？؟]/.test(text) ? words.slice(0, QUESTION_WORDS) : []
  const isOfSomebody = words.some(piece => is(piece, ['people']) && !is(piece, ['whom', 'note', 'subjects']))
  const isNamed = isOfSomebody || namesSomebody(text, tokens, lexicon)
  const asksWho = words.some(piece => is(piece, ASKING) && is(piece, ['subjects']))
  // "Did anybody mention the rent", "mamma ha detto chi porta la torta?"
  const asksWhether =
    some('said') &&
    (is(first, ['whether']) || begun.length > 0) &&
    (isNamed || some('somebody') || (begun.length > 0 && some(...ASKING)))
  const asks =
    asksWhether || [first, ...begun].some(piece => is(piece, ['questions', 'facts'])) || some('inside')
  if (!asks || tokens.length - (first?.from ?? 0) < QUESTION_WORDS || isToUs(tokens, lexicon)) return false
  const pieces = [...lexicon.pieces(tokens)]
  if (isNamed && some('said')) return true
  if (pieces.some(piece => is(piece, OF_THE_SERVICE))) return false
  if (isNamed) return true
  if (some('ours', 'name')) return false
  // A question about the person's own words is a search: "where did I mention it".
  if (some('said') && some('reasons')) return false
  if (some('said') || (some('noted') && !some('reasons'))) return true
  if (some('days') && (some('facts') || asksWho)) return true
  return some('facts') && pieces.some(({ parts }) => !parts.size) && !pieces.some(piece => is(piece, OURS))
}

/** Whether a message addresses us. */
const isToUs = (tokens: Token[], lexicon: Lexicon): boolean =>
  [...lexicon.pieces(tokens, ASKED)].some(piece => is(piece, ['us']) || lexicon.endsToUs(tokens[piece.from]!))

/** Whether an unknown word inside a message is capitalized and doesn't follow a preposition such as "of". */
function namesSomebody(text: string, tokens: Token[], lexicon: Lexicon): boolean {
  return tokens.some(({ word, from }, at) => {
    const before = tokens[at - 1]
    return (
      before !== undefined &&
      /^\p{Lu}\p{Ll}/u.test(text.slice(from, from + 2)) &&
      !lexicon.partsOf(word).size &&
      !['from', 'into'].some(part => lexicon.partsOf(before.word).has(part as Part))
    )
  })
}
