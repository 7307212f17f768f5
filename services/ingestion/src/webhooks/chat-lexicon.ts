import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { readChatWords } from '@voxscribe/languages/chat'
import { plain, type Token } from './chat-tokens.ts'
import { type Part, Vocabulary } from './chat-vocabulary.ts'
import { languageIds } from './language-names.ts'

/** A phrase at one place in a message, with its parts. */
export interface Piece {
  parts: ReadonlySet<Part>
  /** A word ends with an accent, unlike all phrases that delete or share: "borré", I deleted, isn't "borre". */
  isNearMiss: boolean
  /** Indexes of the first and the last word. */
  from: number
  to: number
  said: string
}

/** The distance of a word from a phrase's: none, an attached pronoun, or a typo. */
export const DISTANCES = ['exact', 'joined', 'slip'] as const
export type Distance = (typeof DISTANCES)[number]

const NO_PARTS: ReadonlySet<Part> = new Set()
/** Spelling of ä, ö and ü without umlauts. */
const UMLAUT = /([aou])e/g

/** The words of one language, or of one and English. */
export class Lexicon {
  readonly #vocabularies: Vocabulary[]

  constructor(vocabularies: Vocabulary[]) {
    this.#vocabularies = vocabularies
  }

  /** Returns a message with its abbreviations expanded. */
  spelledOut = (tokens: Token[]): Token[] =>
    tokens.flatMap(token => this.#wordsOf(token.word).map(word => ({ ...token, word })))

  /** A word of the first language isn't an abbreviation in the second one. */
  #wordsOf(word: string): string[] {
    for (const vocabulary of this.#vocabularies) {
      const words = vocabulary.wordsOf(word)
      if (words) return words
      if (vocabulary.has(word)) break
    }
    return [word]
  }

  /** Whether a message begins like talk. */
  isTalk(tokens: Token[]): boolean {
    const { parts } = this.#pieceAt(tokens, 0)
    return parts.has('talk') && parts.size === 1
  }

  isLanguage = (word: string): boolean => this.partsOf(word).has('language')

  /** Returns the same words, with known forms replaced by those in the phrases. */
  nearly = (tokens: Token[], distance: Distance): Token[] =>
    tokens.map(token => ({ ...token, word: this.#knownWords(token.word, distance)?.at(-1) ?? token.word }))

  /** Returns the words as in the phrases, without pronouns and typos; undefined if one is unknown. */
  known(tokens: Token[], distance: Distance): Token[] | undefined {
    const known: Token[] = []
    for (const token of tokens) {
      const words = this.#knownWords(token.word, distance)
      if (!words) return undefined
      known.push(...words.map(word => ({ ...token, word })))
    }
    return known
  }

  /** Whether a word has an ending that addresses us, and isn't a word that we know. */
  endsToUs = ({ word, hasArticle }: Token): boolean =>
    !hasArticle &&
    !this.#has(word) &&
    this.#vocabularies.some(({ usEndings }) =>
      usEndings.some(end => word.endsWith(end) && word.length - end.length > 1),
    )

  #has = (word: string): boolean => this.#vocabularies.some(each => each.has(word))

  #knownWords(word: string, distance: Distance): string[] | undefined {
    const spelled = [word, word.replace(UMLAUT, '$1')].find(this.#has)
    if (spelled) return [spelled]
    if (distance === 'exact') return undefined
    const isStem = (stem: string) => stem.length > 2 && this.#wordsOf(stem).every(this.#has)
    for (const { beginnings, endings } of this.#vocabularies) {
      const ending = endings.find(end => word.endsWith(end) && isStem(word.slice(0, -end.length)))
      if (ending) return this.#wordsOf(word.slice(0, -ending.length))
      const beginning = beginnings.find(begin => word.startsWith(begin) && isStem(word.slice(begin.length)))
      if (beginning) return [beginning, ...this.#wordsOf(word.slice(beginning.length))]
    }
    if (distance === 'joined' || !isOneScript(word)) return undefined
    const meant = this.#vocabularies.map(each => each.meant(word)).find(Boolean)
    return meant ? [meant] : undefined
  }

  /**
   * Splits a message into the longest phrases; words in no phrase have no parts. `wanted`: only phrases with one of
   * these parts count.
   */
  *pieces(tokens: Token[], wanted?: readonly Part[]): Generator<Piece> {
    for (let from = 0; from < tokens.length; ) {
      const piece = this.#pieceAt(tokens, from, wanted)
      yield piece
      from = piece.to + 1
    }
  }

  #pieceAt(tokens: Token[], from: number, wanted?: readonly Part[]): Piece {
    const longest = Math.max(...this.#vocabularies.map(each => each.longestFrom(tokens[from]!.word)))
    for (let to = Math.min(from + longest, tokens.length) - 1; to >= from; to--) {
      const said = wordsIn(tokens, from, to)
      const parts = to - from > 1 ? this.#partsIn(said) : this.partsOf(said)
      if (wanted ? !wanted.some(part => parts.has(part)) : !parts.size) continue
      const isNearMiss =
        tokens.slice(from, to + 1).some(({ isStressed }) => isStressed) &&
        !this.#vocabularies.some(each => each.stressed.has(said))
      return { parts, isNearMiss, from, to, said }
    }
    return { parts: NO_PARTS, isNearMiss: false, from, to: from, said: tokens[from]!.word }
  }

  partsOf(said: string): ReadonlySet<Part> {
    const found = this.#vocabularies.flatMap(({ phrases }) => phrases.get(said) ?? [])
    return found.length > 1 ? new Set(found.flatMap(parts => [...parts])) : (found[0] ?? NO_PARTS)
  }

  /** Returns a phrase's parts, whichever words for the note are inside: "bring my note back" is "bring it back". */
  #partsIn(said: string): ReadonlySet<Part> {
    const parts = this.partsOf(said)
    if (parts.size) return parts
    const about = this.#vocabularies.flatMap(each => each.aboutNote(said.split(' ')) ?? [])
    return about[0] ? this.partsOf(about[0]) : NO_PARTS
  }
}

const wordsIn = (tokens: Token[], from: number, to: number) =>
  tokens
    .slice(from, to + 1)
    .map(({ word }) => word)
    .join(' ')

/** Whether a word does not mix Latin letters with look-alikes of another script. */
const isOneScript = (word: string) => /^(?:[\p{sc=Latin}\p{N}]+|\P{sc=Latin}+)$/u.test(word)

const words = readChatWords()
const vocabularies = new Map(UI_LANGUAGES.map(id => [id, new Vocabulary(words[id])]))
for (const vocabulary of vocabularies.values()) vocabulary.add(languageIds.keys(), 'name')
const alone = UI_LANGUAGES.map(id => new Lexicon([vocabularies.get(id)!]))
const withEnglish = new Map(
  UI_LANGUAGES.map(id => [id, new Lexicon([vocabularies.get(id)!, vocabularies.get('en')!])]),
)

/** Words that mean NO by themselves, in all languages. */
export const NOES: ReadonlySet<string> = new Set(
  Object.values(words).flatMap(({ no }) => no.split(', ').map(plain)),
)

/** Returns the words of a person's language with English, as people mix them; then those of each language alone. */
export const lexiconsFor = (language: UiLanguage): [Lexicon, ...Lexicon[]] => [
  withEnglish.get(language)!,
  ...alone,
]
