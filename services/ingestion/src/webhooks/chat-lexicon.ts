import { type ChatWords, INTENTS, type Intent, readChatWords } from '@voxscribe/languages/chat'
import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { plain, slipBetween, type Token, tokensOf } from './chat-tokens.ts'
import { languageIds } from './language-names.ts'

/** What a phrase may be in a message; `name`: of a language. */
export type Part =
  | Exclude<keyof ChatWords, 'intents' | 'languages' | 'endings' | 'beginnings'>
  | Exclude<keyof ChatWords['languages'], 'names'>
  | 'last'
  | 'drop'
  | 'name'
  | `${Intent}.${'verbs' | 'nouns' | 'with'}`

/** Phrases that stand at one place of a message. */
export interface Piece {
  parts: ReadonlySet<Part>
  /** The first and the last word. */
  from: number
  to: number
  said: string
}

/** How a word may be misspelt. */
type Slips = 'none' | 'never' | 'order' | 'length' | 'any'
/** Small words, which resemble too many others. */
const SMALL: Part[] = ['note', 'plural', 'into', 'from', 'spoken', 'language', 'yes', 'no', 'declined', 'drop', 'talk', 'files']

/** In words. */
const LONGEST_PHRASE = 7
/** A shorter word has no slips. */
const SLIP_FROM = 5

const NONE: ReadonlySet<Part> = new Set()

/** The words of one language and of English. */
export class Lexicon {
  readonly #phrases = new Map<string, Set<Part>>()
  /** Each word of a phrase. */
  readonly #words = new Map<string, Slips>()
  readonly #beginnings: string[]
  readonly #endings: string[]

  constructor(all: ChatWords[]) {
    for (const words of all) this.#add(words)
    for (const name of languageIds.keys()) this.#put(name, 'name')
    this.#beginnings = piecesOf(all, 'beginnings')
    this.#endings = piecesOf(all, 'endings').sort((a, b) => b.length - a.length)
  }

  #add({ intents, languages, find, endings: _, beginnings: __, ...rest }: ChatWords): void {
    const { names: ___, ...forLanguages } = languages
    const { verbs, ...round } = find
    for (const [part, list] of Object.entries({ ...rest, ...forLanguages, find: verbs, ...round }))
      this.#put(list, part as Part)
    for (const intent of INTENTS)
      for (const [kind, list] of Object.entries(intents[intent]))
        this.#put(list, `${intent}.${kind}` as Part)
  }

  #put(list: string, part: Part): void {
    for (const phrase of list.split(',').map(plain).filter(Boolean)) {
      const parts = this.#phrases.get(phrase) ?? new Set()
      this.#phrases.set(phrase, parts.add(part))
      for (const word of phrase.split(' ')) this.#words.set(word, slipsOf(part, this.#words.get(word)))
    }
  }

  /** Whether a message begins as talk does. */
  isTalk = (tokens: Token[]): boolean => this.#pieceAt(tokens, 0).parts.has('talk')

  /** Returns the same words, those that nearly are words of the phrases as they are there. */
  withoutSlips = (tokens: Token[]): Token[] =>
    tokens.map(token => ({ ...token, word: this.#knownWords(token.word)?.at(-1) ?? token.word }))

  /** Returns the words as they are in the phrases: without pronouns and slips. Undefined when one is unknown. */
  known(tokens: Token[]): Token[] | undefined {
    const known: Token[] = []
    for (const token of tokens) {
      const words = this.#knownWords(token.word)
      if (!words) return undefined
      known.push(...words.map(word => ({ ...token, word })))
    }
    return known
  }

  #knownWords(word: string): string[] | undefined {
    if (this.#words.has(word)) return [word]
    const isStem = (stem: string) => stem.length > 2 && this.#words.has(stem)
    const ending = this.#endings.find(end => word.endsWith(end) && isStem(word.slice(0, -end.length)))
    if (ending) return [word.slice(0, -ending.length)]
    const beginning = this.#beginnings.find(begin => word.startsWith(begin) && isStem(word.slice(begin.length)))
    if (beginning) return [beginning, word.slice(beginning.length)]
    const meant = word.length >= SLIP_FROM && isOneScript(word) && this.#withSlip(word)
    return meant ? [meant] : undefined
  }

  #withSlip(word: string): string | undefined {
    for (const [meant, slips] of this.#words) {
      if (slips === 'none' || slips === 'never' || meant.length < SLIP_FROM) continue
      const slip = slipBetween(word, meant)
      if (slip && (slips === 'any' || slip === 'order' || slip === slips)) return meant
    }
    return undefined
  }

  /** Returns the longest phrases from a word on, one behind the other; those of no phrase have no parts. */
  *pieces(tokens: Token[]): Generator<Piece> {
    for (let from = 0; from < tokens.length; ) {
      const piece = this.#pieceAt(tokens, from)
      yield piece
      from = piece.to + 1
    }
  }

  #pieceAt(tokens: Token[], from: number): Piece {
    for (let to = Math.min(from + LONGEST_PHRASE, tokens.length) - 1; to >= from; to--) {
      const said = wordsIn(tokens, from, to)
      const parts = this.#phrases.get(said)
      if (parts) return { parts, from, to, said }
    }
    return { parts: NONE, from, to: from, said: tokens[from]!.word }
  }
}

const wordsIn = (tokens: Token[], from: number, to: number) =>
  tokens
    .slice(from, to + 1)
    .map(({ word }) => word)
    .join(' ')

const piecesOf = (all: ChatWords[], key: 'beginnings' | 'endings') =>
  all.flatMap(words => tokensOf(words[key] ?? '').map(({ word }) => word))

/** What deletes is written without a slip; what shares or changes the language, with its own letters; names are alike. */
function slipsOf(part: Part, before: Slips = 'none'): Slips {
  if (part.startsWith('delete') || before === 'never') return 'never'
  if (part.startsWith('share') || part === 'write' || before === 'order') return 'order'
  if (SMALL.includes(part)) return before
  return part === 'name' || before === 'length' ? 'length' : 'any'
}

/** Whether a word does not mix Latin letters with those of another script, which look alike. */
const isOneScript = (word: string) => /^(?:[\p{sc=Latin}\p{N}]+|\P{sc=Latin}+)$/u.test(word)

const words = readChatWords()
const lexicons = new Map(
  UI_LANGUAGES.map(id => [id, new Lexicon(id === 'en' ? [words.en] : [words[id], words.en])] as const),
)

/** NO and nothing else, in any language. */
export const NOES: ReadonlySet<string> = new Set(
  Object.values(words).flatMap(({ no }) => no.split(', ').map(plain)),
)

/** Returns the words of a person's language first, then of English, then of the others. */
export const lexiconsFor = (language: UiLanguage): Lexicon[] =>
  [...new Set<UiLanguage>([language, 'en', ...UI_LANGUAGES])].map(id => lexicons.get(id)!)
