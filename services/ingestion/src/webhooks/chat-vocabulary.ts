import {
  type ChatWords,
  COMMANDS,
  commandFor,
  INTENTS,
  type Intent,
  type IntentWords,
} from '@voxscribe/languages/chat'
import { plain, slipBetween, tokensOf } from './chat-tokens.ts'

/**
 * The roles of a phrase in a message; `name`: of a language; `wish`: light verbs that are no small words as well;
 * `speaker`: "she speaks".
 */
export type Part =
  | Exclude<keyof ChatWords, 'spelled' | 'intents' | 'languages' | 'naming' | 'endings' | 'beginnings'>
  | `naming.${keyof ChatWords['naming']}`
  | Exclude<keyof ChatWords['languages'], 'names'>
  | Exclude<keyof ChatWords['find'] | keyof ChatWords['ask'], 'verbs' | 'usEndings'>
  | 'name'
  | 'wish'
  | 'speaker'
  | `${Intent}.${keyof IntentWords}`

/** Accepted typos of a word; `any`: of length, letter or order. */
type Slips = 'none' | 'never' | 'order' | 'length' | 'any'

/** Shorter words accept no typos, but four letters may have two swapped: "hepl". */
const SLIP_FROM = 5
const SWAP_FROM = 4
/** Small words, which resemble too many others. */
const SMALL: Part[] = [
  'note',
  'plural',
  'into',
  'from',
  'spoken',
  'language',
  'yes',
  'no',
  'declined',
  'drop',
  'needed',
  'talk',
  'files',
  'people',
  'whom',
  'subjects',
  'reasons',
  'promises',
  'asking',
  'ask',
  'questions',
  'inside',
  'facts',
  'whether',
  'said',
  'noted',
  'days',
  'somebody',
  'us',
  'ours',
  'wish',
  'speaker',
  'about',
  'aboutBehind',
]

/** Words that delete accept no typos, words that share or change keep their letters, and names resemble each other. */
function slipsOf(part: Part, before: Slips = 'none'): Slips {
  const [intent = ''] = part.split('.')
  const slips = intent in COMMANDS ? commandFor(intent as Intent).slips : undefined
  if (slips === 'never' || before === 'never') return 'never'
  if (slips === 'order' || part === 'write' || before === 'order') return 'order'
  if (SMALL.includes(part)) return before
  return part === 'name' || before === 'length' ? 'length' : 'any'
}

const placeOf = (letter: string | undefined, length: number) => `${letter}${length}`

/** Stands in a phrase for any words that mean the note. */
const ANY_NOTE = '…'
const ABOUT_NOTE = /\.(?:verbs|nouns)$|^naming|^meaning$/

/** In words. */
const LONGEST_PHRASE = 8

export class Vocabulary {
  readonly phrases = new Map<string, Set<Part>>()
  /** The length in words of the longest phrase that begins with a word. */
  readonly #longest = new Map<string, number>()
  readonly #notes: ReadonlySet<string>
  readonly #spelled = new Map<string, string[]>()
  /** Phrases that delete or share and have an accent at the end of a word. */
  readonly stressed = new Set<string>()
  readonly #words = new Map<string, Slips>()
  /** The words that may be misspelled, by first letter and length. */
  readonly #places = new Map<string, string[]>()
  readonly beginnings: string[]
  readonly endings: string[]
  /** Endings of words that address us: "tumne kaha karoge". */
  readonly usEndings: string[]

  constructor(words: ChatWords) {
    const { spelled, intents, languages, naming, find, ask, endings, beginnings = '', ...rest } = words
    for (const [word, ...words] of spelled.split(',').map(entry => plain(entry).split(' ')))
      this.#spelled.set(word!, words)
    this.#notes = new Set(rest.note.split(',').map(plain))
    const { names: _, ...forLanguages } = languages
    const { verbs, ...findParts } = find
    const { verbs: asks, usEndings = '', ...askParts } = ask
    const all = { ...rest, ...forLanguages, find: verbs, ...findParts, ask: asks, ...askParts }
    for (const [part, list] of Object.entries(all)) this.add(list.split(',').map(plain), part as Part)
    for (const [kind, list] of Object.entries(naming))
      this.add(list.split(',').map(plain), `naming.${kind}` as Part)
    for (const intent of INTENTS)
      for (const [kind, list] of Object.entries(intents[intent]))
        this.add(list.split(',').map(plain), `${intent}.${kind}` as Part)
    const small = ['into', 'from', 'spoken', 'files', 'note', 'language'] as const
    for (const [phrase, parts] of this.phrases)
      if (parts.has('light') && !small.some(part => parts.has(part))) this.add([phrase], 'wish')
    for (const [phrase, parts] of this.phrases)
      if (parts.has('from') && parts.has('spoken')) this.add([phrase], 'speaker')
    const ofOne = INTENTS.filter(intent => commandFor(intent).isOfOne)
    for (const phrase of ofOne.flatMap(intent => Object.values(intents[intent]).join(',').split(',')))
      if (tokensOf(phrase).some(({ isStressed }) => isStressed))
        this.stressed.add(this.#spelledOut(plain(phrase)))
    const said = (list: string) => tokensOf(list).map(({ word }) => word)
    this.beginnings = said(beginnings)
    this.usEndings = said(usEndings)
    this.endings = said(endings).sort((a, b) => b.length - a.length)
  }

  /** Returns the words of an abbreviation; undefined for any other word. */
  wordsOf = (word: string): string[] | undefined => this.#spelled.get(word)

  #spelledOut = (phrase: string): string =>
    phrase
      .split(' ')
      .flatMap(word => this.wordsOf(word) ?? word)
      .join(' ')

  add(phrases: Iterable<string>, part: Part): void {
    for (const phrase of [...phrases].map(this.#spelledOut)) {
      const about = ABOUT_NOTE.test(part) ? this.aboutNote(phrase.split(' ')) : undefined
      for (const said of [phrase, about]) if (said) this.#addPhrase(said, part)
      for (const word of phrase.split(' ')) this.#words.set(word, slipsOf(part, this.#words.get(word)))
    }
    this.#places.clear()
  }

  #addPhrase(phrase: string, part: Part): void {
    this.phrases.set(phrase, (this.phrases.get(phrase) ?? new Set()).add(part))
    const words = phrase.split(' ')
    // Any words for the note may stand inside.
    const length = words.includes(ANY_NOTE) ? LONGEST_PHRASE : words.length
    this.#longest.set(words[0]!, Math.max(this.longestFrom(words[0]!), length))
  }

  longestFrom = (word: string): number => this.#longest.get(word) ?? 1

  /** Returns a phrase with a placeholder for the note inside it; undefined if there is none. */
  aboutNote(words: string[]): string | undefined {
    const isNote = (word: string) => this.#notes.has(word)
    if (words.length < 3 || !words.some(isNote) || isNote(words[0]!) || isNote(words.at(-1)!))
      return undefined
    return words
      .filter((word, at) => !isNote(word) || !isNote(words[at - 1]!))
      .map(word => (isNote(word) ? ANY_NOTE : word))
      .join(' ')
  }

  has = (word: string): boolean => this.#words.has(word)

  /** Returns the word that another one is a typo of. */
  meant(word: string): string | undefined {
    if (word.length < SWAP_FROM) return undefined
    const [first, second] = word
    const { length } = word
    const near = [length - 1, length, length + 1].map(each => placeOf(first, each))
    return [...near, placeOf(second, length)]
      .flatMap(place => this.#at(place))
      .find(meant => {
        const [slip, slips] = [slipBetween(word, meant), this.#words.get(meant)]
        if (slip !== 'order' && meant.length < SLIP_FROM) return undefined
        return slip && (slips === 'any' || slip === slips || (slip === 'order' && slips === 'length'))
      })
  }

  #at(place: string): string[] {
    if (!this.#places.size)
      for (const [word, slips] of this.#words)
        if (word.length >= SWAP_FROM && slips !== 'none' && slips !== 'never') {
          const key = placeOf(word[0], word.length)
          this.#places.set(key, [...(this.#places.get(key) ?? []), word])
        }
    return this.#places.get(place) ?? []
  }
}
