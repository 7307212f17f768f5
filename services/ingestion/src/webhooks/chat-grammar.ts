import { commandFor, INTENTS, type Intent, isFileIntent } from '@voxscribe/languages/chat'
import type { Distance, Lexicon, Piece } from './chat-lexicon.ts'
import type { Token } from './chat-tokens.ts'
import type { Part } from './chat-vocabulary.ts'
import { languageIds } from './language-names.ts'

/** The meaning of a whole message; `language`: an id. */
export type Meaning =
  | { intent: Intent | 'yes' | 'no' | 'thanks' | 'again'; language?: undefined }
  | {
      intent: 'translate' | 'again' | 'speaker' | 'write' | 'rewrite' | 'turn' | 'language' | 'which'
      language: string
    }

/** Applies if every word is in one of the lists, at least one in `needs`, and one in `besides` if it's given. */
interface Rule {
  intent: Meaning['intent']
  needs: readonly Part[]
  besides?: readonly Part[]
  allows: readonly Part[]
  /** No word may be in one of these. */
  never?: readonly Part[]
}

const FILLER: Part[] = ['polite', 'note', 'plural']
/** Commands that delete or share are about one note. */
const FILLER_ONE: Part[] = ['polite', 'note']

/** Give, send and make go with a noun alone, but not with the verbs of commands about one note. */
function rulesOf(intent: Intent) {
  const [verbs, nouns, beside] = [`${intent}.verbs`, `${intent}.nouns`, `${intent}.with`] as const
  const { isOfOne, isJoined } = commandFor(intent)
  const filler: Part[] = [...(isOfOne ? FILLER_ONE : FILLER), ...(isJoined ? (['people'] as const) : [])]
  if ((isJoined && !isOfOne) || intent === 'plan') filler.push('asking')
  const allows: Part[] = [...filler, beside, ...(isFileIntent(intent) ? (['files'] as const) : [])]
  // The plan needs its noun with a verb, also one that cancels or deletes; for other commands, the noun is enough.
  const byNoun =
    intent === 'plan'
      ? { besides: [verbs, beside, 'cancel.verbs', 'delete.verbs'] as const, allows: filler }
      : { allows: [...allows, verbs, 'light'] as const }
  return [
    { intent, needs: [verbs], allows: isOfOne ? allows : [...allows, 'light'] },
    { intent, needs: [nouns], ...byNoun },
  ] satisfies Rule[]
}
const COMMANDS: (Rule & { intent: Intent })[] = [
  ...INTENTS.flatMap(rulesOf),
  // A question in small words only, with one about the product, the balance, or the person's notes and tasks.
  ...(['help', 'minutes', 'latest', 'todo'] as const).map(intent => ({
    intent,
    needs: ['questions', 'inside', 'asking'] as const,
    besides: [`${intent}.about`] as const,
    // Where, when and how long don't ask for help.
    ...(intent !== 'minutes' && { never: ['facts'] as const }),
    allows: [...FILLER, 'light', `${intent}.with`] as Part[],
  })),
]
/** "Explain how you work": a verb beside a question about the product. */
const EXPLAINED: Rule = {
  intent: 'help',
  needs: ['help.verbs'],
  allows: [...FILLER, 'light', 'questions', 'inside', 'asking', 'help.with', 'help.about'],
}

export const TALK = [
  { intent: 'thanks', needs: ['thanks', 'praise'], allows: FILLER },
  { intent: 'yes', needs: ['yes'], allows: [...FILLER, 'thanks', 'praise'] },
  { intent: 'no', needs: ['no', 'declined'], allows: [...FILLER, 'thanks', 'praise'] },
] as const satisfies Rule[]

/** "Write it again", without the name of a language. */
const RETRY: Rule = { intent: 'again', needs: ['again'], allows: [...FILLER, 'write', 'light', 'txt.nouns'] }

const TRANSLATION: Part[] = ['translate.verbs', 'translate.nouns']
const NAMED: Part[] = [...FILLER, 'name', 'into', 'from', 'light', 'files', 'yes']
const TRANSLATE_TO_OWN: Rule = {
  intent: 'translate',
  needs: TRANSLATION,
  allows: [...FILLER, 'light', 'reasons'],
}
/** With the name of a language; the first rule that applies decides. */
const WITH_LANGUAGE = [
  { intent: 'translate', needs: TRANSLATION, allows: [...NAMED, 'language', 'translate.with', 'people'] },
  { intent: 'translate', needs: ['meaning'], allows: [...NAMED, 'language'] },
  { intent: 'turn', needs: ['turn'], allows: [...NAMED, 'language'] },
  { intent: 'rewrite', needs: ['write'], besides: ['again'], allows: [...NAMED, 'language'] },
  { intent: 'write', needs: ['write'], allows: [...NAMED, 'language'] },
  { intent: 'again', needs: ['again'], allows: [...NAMED, 'language', 'spoken', 'txt.nouns'] },
  { intent: 'language', needs: ['language'], allows: NAMED },
] as const satisfies Rule[]
/** With small words only, the name must be exact: "c’était hausse" isn't Hausa. */
const EXACT_NAME = [
  { intent: 'translate', needs: ['wish'], besides: ['into', 'spoken'], allows: [...NAMED, 'people'] },
  { intent: 'speaker', needs: ['speaker'], allows: [...NAMED, 'language'] },
  { intent: 'again', needs: ['spoken'], allows: [...NAMED, 'language', 'no', 'declined'] },
  {
    intent: 'again',
    needs: ['from'],
    besides: ['no', 'declined'],
    allows: ['polite', 'name', 'language', 'spoken'],
  },
  { intent: 'which', needs: ['into'], allows: [...FILLER, 'name'] },
  { intent: 'translate', needs: ['light'], allows: [...NAMED, 'people'] },
  { intent: 'again', needs: ['name'], allows: ['polite', 'yes', 'no', 'declined'] },
] as const satisfies Rule[]

/** "She speaks Italian, not Spanish" corrects us. */
const SPEAKER: Rule = { intent: 'again', needs: ['from', 'spoken'], allows: [...NAMED, 'language'] }

const BESIDE_NAME: Part[] = [
  'name',
  'not',
  'notBehind',
  ...[...WITH_LANGUAGE, ...EXACT_NAME].flatMap(({ needs, allows }) => [...needs, ...allows]),
]

function isBy(pieces: Piece[], { needs, besides = [], allows, never = [] }: Rule): boolean {
  const is = ({ parts }: Piece, wanted: readonly Part[]) => wanted.some(part => parts.has(part))
  return (
    pieces.every(piece => is(piece, needs) || is(piece, besides) || is(piece, allows)) &&
    pieces.some(piece => is(piece, needs)) &&
    !pieces.some(piece => is(piece, never)) &&
    (!besides.length || pieces.some(piece => is(piece, besides)))
  )
}

/** Reads a whole message in one language and English; undefined if a word is unknown or there are two commands. */
export function meaningOf(tokens: Token[], lexicon: Lexicon, distance: Distance): Meaning | undefined {
  const known = lexicon.known(tokens, distance)
  if (!known) return undefined
  const all = [...lexicon.pieces(known)]
  // Thanks at the end of a command are politeness.
  const withoutThanks = all.slice(0, all.findLastIndex(({ parts }) => !parts.has('thanks')) + 1)
  const names = oneEach(withoutThanks.filter(isName))
  const named = names.length ? withName(withoutThanks, names, distance) : undefined
  const words = known.slice(0, (withoutThanks.at(-1)?.to ?? -1) + 1)
  const other =
    names.length && !named ? withName([...lexicon.pieces(words, BESIDE_NAME)], names, distance) : undefined
  return named ?? withoutName(all, withoutThanks) ?? other ?? anotherWay(words, lexicon)
}

/** Whether a message has only small words of a language, or also words of `beside`. */
export const isSmallTalk = (tokens: Token[], lexicon: Lexicon, beside: Part[] = []): boolean =>
  [...lexicon.pieces(tokens)].every(({ parts }) => [...FILLER, ...beside].some(part => parts.has(part)))

/** Whether a message is about several notes. */
export const isOfSeveral = (tokens: Token[], lexicon: Lexicon): boolean =>
  [...lexicon.pieces(tokens)].some(({ parts }) => parts.has('plural') || parts.has('latest.nouns'))

function withName(all: Piece[], names: Piece[], distance: Distance, more: Rule[] = []): Meaning | undefined {
  const other = withoutDenied(all)
  if (other && names.length === 2) return withName(other, other.filter(isName), distance, [SPEAKER])
  // "I don't speak Hindi, translate it"
  if (other && !all.at(-1)!.parts.has('not') && isBy(other, TRANSLATE_TO_OWN)) return { intent: 'translate' }
  const rules = [...more, ...WITH_LANGUAGE, ...(distance === 'slip' ? [] : EXACT_NAME)]
  const rule = rules.find(each => isBy(all, each))
  // With two languages, one translation is from one into the other.
  const translations = all.filter(({ parts }) => TRANSLATION.some(part => parts.has(part)))
  const isOne =
    names.length === 1 || (names.length === 2 && rule?.needs === TRANSLATION && translations.length === 1)
  const language = languageIds.get(names.at(-1)!.said)
  return rule && isOne && language ? ({ intent: rule.intent, language } as Meaning) : undefined
}

const isName = ({ parts }: Piece) => parts.has('name')
/** Keeps one name per language. */
const oneEach = (names: Piece[]): Piece[] => [
  ...new Map(names.map(name => [languageIds.get(name.said), name])).values(),
]

/** Removes the denied one of two languages from a message: "it was English, not German". */
function withoutDenied(all: Piece[]): Piece[] | undefined {
  const at = all.findLastIndex(({ parts }) => parts.has('not') || parts.has('notBehind'))
  const behind = all
    .slice(at + 1)
    .find(piece => isName(piece) || !(piece.parts.has('into') || piece.parts.has('spoken')))
  const around = all[at]?.parts.has('notBehind') ? [all[at - 1], behind] : [behind, all[at - 1]]
  const denied = around.find(piece => piece && isName(piece))
  return at < 0 || !denied ? undefined : all.filter(piece => piece !== denied && piece !== all[at])
}

function withoutName(all: Piece[], withoutThanks: Piece[]): Meaning | undefined {
  const [intent, other] = new Set(COMMANDS.filter(rule => isBy(withoutThanks, rule)).map(rule => rule.intent))
  if (intent) return !other && isCertain(intent, withoutThanks) ? { intent } : undefined
  const talk = TALK.find(rule => isBy(all, rule))
  if (talk) return { intent: talk.intent }
  return isBy(withoutThanks, RETRY) ? { intent: 'again' } : undefined
}

/** Reads a command that isn't about one note from its own phrases, where longer phrases of others hide them. */
function anotherWay(tokens: Token[], lexicon: Lexicon): Meaning | undefined {
  const isSaid = (rule: Rule) =>
    isBy([...lexicon.pieces(tokens, [...rule.needs, ...(rule.besides ?? []), ...rule.allows])], rule)
  const said = COMMANDS.filter(rule => !commandFor(rule.intent).isOfOne && isSaid(rule))
  const [intent, other] = new Set(said.map(rule => rule.intent))
  if (intent) return other ? undefined : { intent }
  return isSaid(EXPLAINED) ? { intent: 'help' } : undefined
}

/** Whether a command about one note is spelled exactly, and one that deletes is said only once. */
function isCertain(intent: Intent, pieces: Piece[]): boolean {
  const { isOfOne, slips } = commandFor(intent)
  if (!isOfOne) return true
  const said = pieces.filter(({ parts }) => [...parts].some(part => part.startsWith(intent)))
  return !said.some(piece => piece.isNearMiss) && (slips !== 'never' || said.length === 1)
}
