import { commandFor, INTENTS, isFileIntent } from '@voxscribe/languages/chat'
import { type Meaning, meaningOf, TALK } from './chat-grammar.ts'
import type { Distance, Lexicon, Piece } from './chat-lexicon.ts'
import type { Token } from './chat-tokens.ts'
import type { Part } from './chat-vocabulary.ts'

const JOINED: Meaning['intent'][] = INTENTS.filter(intent => commandFor(intent).isJoined)

/** Commands that only read, and change nothing. */
const READS: Meaning['intent'][] = [
  ...INTENTS.filter(intent => isFileIntent(intent)),
  ...(['summary', 'translate', 'speakers', 'latest', 'todo', 'minutes', 'plan'] as const),
]

/** Whether a meaning changes nothing; a note is only written again once its language is known. */
const reads = ({ intent, language }: Meaning): boolean =>
  READS.includes(intent) || (intent === 'again' && !language)

/** Separates two parts of a sentence. */
const PAUSE = /[,.;:!?…،؛؟।\n–—]|\s-\s/u

/** A longer clause than this beside an order to delete says something else. */
const REASON_WORDS = 8

/** A part of a sentence, and its meaning as a command. */
interface Clause {
  said: Token[]
  isReason: boolean
  isFirst: boolean
  meaning: Meaning | undefined
}
type Order = Clause & { meaning: Meaning }

/** Reads an order with its reason, in any words: "summary please I'm in a hurry", "wrong chat, delete it". */
export function orderWithReason(
  text: string,
  tokens: Token[],
  lexicon: Lexicon,
  distance: Distance,
): Order | undefined {
  const begins = (at: number, part: Part) =>
    [tokens[at]!.word, `${tokens[at]!.word} ${tokens[at + 1]?.word}`].some(said =>
      lexicon.partsOf(said).has(part),
    )
  const isBehindPause = (at: number) => PAUSE.test(text.slice(tokens[at - 1]?.to ?? 0, tokens[at]!.from))
  const read = (divides: (at: number) => boolean): Clause[] => {
    const starts = tokens.flatMap((_, at) => (at === 0 || divides(at) ? [at] : []))
    return starts.map((from, nth) => {
      const said = tokens.slice(from, starts[nth + 1])
      return {
        said,
        isFirst: from === 0,
        isReason: from > 0 && begins(from, 'reasons'),
        meaning: meaningOf(said, lexicon, distance),
      }
    })
  }
  const clauses = read(isBehindPause)
  // A clause between two pauses is inside a sentence: "the summary, honestly, was boring".
  const only = clauses.length === 2 ? onlyOrder(clauses, lexicon) : undefined
  if (only?.meaning.intent === 'help') return only
  if (only) return reads(only.meaning) || isExplained(only, clauses, lexicon) ? only : undefined
  const behind = onlyOrder(
    read(at => isBehindPause(at) || begins(at, 'reasons')),
    lexicon,
  )
  // "Yesterday I sent you …" asks for no list.
  if (behind?.meaning.intent === 'latest') return undefined
  if (behind) return !behind.isReason && reads(behind.meaning) ? behind : undefined
  const purposes = tokens.flatMap((_, at) => (at > 0 && begins(at, 'whom') ? [at] : [])).reverse()
  for (const at of purposes) {
    const clauses = read(from => from === at)
    const order = onlyOrder(clauses, lexicon)
    if (order?.isFirst && isForSomebody(order, lexicon, begins(at, 'into'))) return order
  }
  return undefined
}

/**
 * Whether an order may be for somebody, in any words. "Translate to Klingon" names no person, "share it with nobody"
 * needs no link, and "the link to your profile" (`isTo`) is another one.
 */
function isForSomebody(
  { said, meaning: { intent, language } }: Order,
  lexicon: Lexicon,
  isTo: boolean,
): boolean {
  if (intent === 'translate') return language !== undefined
  if (intent === 'share')
    return !isTo && [...lexicon.pieces(said)].some(({ parts }) => parts.has('share.nouns'))
  return JOINED.includes(intent)
}

/** Returns the only clause with a meaning, if it really asks for it: "the point is" doesn't. */
function onlyOrder(clauses: Clause[], lexicon: Lexicon): Order | undefined {
  const isDeleted = clauses.some(({ meaning }) => meaning?.intent === 'delete')
  // "Delete it, that was a mistake" restores nothing.
  const isOrder = ({ intent }: Meaning) =>
    !TALK.some(talk => talk.intent === intent) && !(isDeleted && intent === 'undo')
  const [order, other] = clauses.flatMap(({ meaning, ...rest }) =>
    meaning && isOrder(meaning) ? [{ ...rest, meaning }] : [],
  )
  if (!order || other || clauses.length < 2) return undefined
  if (['help', 'latest'].includes(order.meaning.intent) && order.said.length < 2) return undefined
  const asks = ({ parts }: Piece) =>
    (!parts.has('spoken') && ['polite', 'light', 'questions'].some(part => parts.has(part as Part))) ||
    [...parts].some(part => part.endsWith('.verbs'))
  return [...lexicon.pieces(lexicon.nearly(order.said, 'joined'))].some(asks) ? order : undefined
}

/** Whether the other of two clauses is a reason for a change: that of a deletion says little and nothing else. */
function isExplained(
  { said: ordered, meaning: { intent } }: Order,
  clauses: Clause[],
  lexicon: Lexicon,
): boolean {
  if (intent !== 'delete' && intent !== 'undo' && intent !== 'share') return false
  const reason = clauses.find(({ said }) => said !== ordered)!
  const pieces = [...lexicon.pieces(lexicon.nearly(reason.said, 'slip'))]
  const some = (...parts: Part[]) => pieces.some(piece => parts.some(part => piece.parts.has(part)))
  if (some('said')) return false
  const isDenied = some('not', 'notBehind', 'no', 'declined')
  // "I didn't want to delete it, bring it back"
  if (intent !== 'delete') return isDenied || !some('delete.verbs')
  if (reason.meaning) return reason.meaning.intent === 'undo'
  if (some('subjects', 'delete.verbs') || reason.said.length > REASON_WORDS) return false
  return reason.isFirst || (some('spoken', 'reasons') && !isDenied)
}

/** Whether a message promises what its command is about, before asking for anything: "the summary I'll send you tomorrow". */
export function isPromise(intent: Meaning['intent'], tokens: Token[], lexicon: Lexicon): boolean {
  if (!JOINED.includes(intent)) return false
  const pieces = [...lexicon.pieces(tokens, ['promises', 'wish', 'polite'])]
  const at = pieces.findIndex(({ parts }) => parts.has('promises'))
  const before = pieces.slice(0, Math.max(at, 0))
  const isAsked = before.some(({ parts }) => parts.has('wish')) || isPlease(before.at(-1))
  return at >= 0 && !isAsked
}

const isPlease = (piece: Piece | undefined): boolean =>
  piece?.parts.has('polite') === true && !(['note', 'reasons'] as const).some(part => piece.parts.has(part))

/**
 * Whether a message sends us to a person: "ask the boss, he has it". A question to the notes follows a colon, or has its
 * question word inside.
 */
export function isForOthers(text: string, tokens: Token[], lexicon: Lexicon): boolean {
  const [ask, ...others] = lexicon.pieces(tokens)
  if (!ask?.parts.has('ask') || ask.to > 0) return false
  const isSmall = ({ parts }: Piece) =>
    (['note', 'into', 'from', 'whom'] as const).some(part => parts.has(part))
  const whom = others.find(piece => piece.parts.has('people') || !isSmall(piece))
  if (!whom || /[:：]/.test(text.slice(0, tokens[whom.from]!.from))) return false
  if (others.some(({ parts }) => parts.has('inside'))) return false
  const next = tokens[whom.to + 1]
  const isName = !whom.parts.size && next && PAUSE.test(text.slice(tokens[whom.to]!.to, next.from))
  return whom.parts.has('people') || Boolean(isName)
}

/**
 * Whether a message only mentions a command that would change a note or our language: "she", "my boss" or another
 * subject precedes the verb, or it asks whether we can, without naming a note. `asksOfNone`: it's a question that
 * doesn't reply to a note.
 */
export function isNoOrder(
  intent: Meaning['intent'],
  tokens: Token[],
  lexicon: Lexicon,
  asksOfNone: boolean,
): boolean {
  const isWrite = intent === 'write' || intent === 'rewrite'
  if (intent !== 'delete' && intent !== 'share' && intent !== 'undo' && !isWrite) return false
  const [verbs, nouns]: [Part, Part?] = isWrite ? ['write'] : [`${intent}.verbs`, `${intent}.nouns`]
  const is = (piece: Piece | undefined, ...parts: (Part | undefined)[]) =>
    parts.some(part => part && piece?.parts.has(part))
  const pieces = [...lexicon.pieces(tokens)]
  const asks = asksOfNone && pieces.some(piece => is(piece, 'asking'))
  const isOfNote = pieces.some(piece => is(piece, 'note', nouns))
  if (asks && (intent === 'delete' || intent === 'share') && !isOfNote) return true
  const at = pieces.findIndex(piece => is(piece, verbs, nouns, 'light') && !is(piece, 'subjects', 'people'))
  const before = pieces.slice(0, Math.max(at, 0))
  if (is(pieces[at], nouns) && !is(pieces[at], verbs)) {
    const who = before.findIndex(piece => is(piece, 'people') && !is(piece, 'whom', 'note'))
    return (
      who >= 0 &&
      before.slice(who + 1).some(piece => is(piece, 'noted')) &&
      !before.some(piece => is(piece, 'reasons'))
    )
  }
  return before.some((piece, nth) => {
    // "Sie" and "él" can also mean the note, unless they begin the sentence before its verb.
    if (is(piece, 'subjects') && is(piece, 'note'))
      return nth === 0 && before.slice(1).every(next => !is(next, 'note'))
    if (is(piece, 'subjects')) return true
    // Words for friends can also address us, unless a possessive precedes them.
    if (!is(piece, 'people') || is(piece, 'note') || (is(piece, 'polite') && !is(before[nth - 1], 'note')))
      return false
    return ![...before.slice(0, nth + 1), pieces[nth + 1]].some(each => is(each, 'whom'))
  })
}
