import type { ChatCommand, NoteCommand } from '@voxscribe/contracts/events'
import { tagsAlone } from '@voxscribe/contracts/tags'
import { type UiLanguage, uiLanguageOf } from '@voxscribe/languages'
import { type Meaning, meaningOf } from './chat-grammar.ts'
import { DISTANCES, lexiconsFor, NOES } from './chat-lexicon.ts'
import { searchedIn, titleIn } from './chat-search.ts'
import { plain, type Token, tokensOf } from './chat-tokens.ts'
import { languageOfCode } from './language-names.ts'

/** A command, or the choice of a language: undefined for one that we do not speak. */
export type Command = ChatCommand | NoteCommand | { name: 'language'; uiLanguage: UiLanguage | undefined }

/** A longer message is no command. */
const LETTERS_MAX = 300
const WORDS_MAX = 16
/** As many notes as a search names. */
const HITS = 3

interface Circumstances {
  /** The person's. */
  language?: UiLanguage | undefined
  isQuoting?: boolean
  /** Summaries and translations are offered. */
  hasTextModel?: boolean
}

/** Reads a text as a command in any language of the product; null for thanks, no and emoji, which ask for nothing. */
export function commandIn(text: string, circumstances: Circumstances = {}): Command | null {
  const tokens = text.length > LETTERS_MAX ? [] : tokensOf(text)
  if (!tokens.length) return /[?؟\p{L}\p{N}]/u.test(text) ? 'hint' : null
  const { language = 'en', isQuoting = false } = circumstances
  const tags = isQuoting ? tagsAlone(text) : []
  if (tags.length) return { name: 'tag', tags }
  const code = isQuoting && tokens.length === 1 ? languageOfCode(tokens[0]!.word) : undefined
  if (code) return { name: 'again', language: code }
  const hit = tokens.length === 1 ? hitOf(tokens[0]!.word) : 0
  if (hit) return { name: 'open', hit }
  const lexicons = lexiconsFor(language)
  const counted = tokens.length > WORDS_MAX ? undefined : countIn(tokens)
  // What begins a sentence of the person's own language is no command of another one.
  if (lexicons[0].isTalk(tokens)) return 'hint'
  // A word of one language is no other form and no slip of another one's.
  for (const distance of DISTANCES) {
    for (const lexicon of lexicons) {
      const title = titleIn(text, tokens, lexicon)
      if (title) return { name: 'title', title }
      const meaning = tokens.length > WORDS_MAX ? undefined : meaningOf(tokens, lexicon, distance)
      if (meaning) return commandOf(meaning, circumstances)
      // A number beside another command is none that we know.
      if (counted && meaningOf(counted.others, lexicon, distance)?.intent === 'speakers')
        return { name: 'speakers', count: counted.count }
      const words = searchedIn(text, tokens, lexicon, distance)
      if (words !== undefined) return { name: 'find', words }
    }
  }
  const [first, second, ...more] = tokens.map(({ word }) => word)
  const isChoice = !isQuoting && !more.length && lexicons.some(lexicon => lexicon.isLanguage(first!))
  return isChoice
    ? { name: 'language', uiLanguage: uiLanguageOf(languageOfCode(second ?? '') ?? '') }
    : 'hint'
}

const DIGITS = ['123456', '١٢٣٤٥٦', '۱۲۳۴۵۶', '१२३४५६']

/** Returns the number that a word is, in Latin, Arabic or Hindi digits; 0 for another word. */
const numberOf = (word: string): number =>
  Math.max(...DIGITS.map(digits => (word.length === 1 ? digits.indexOf(word) + 1 : 0)))

/** Returns the number of a note that was found. */
function hitOf(word: string): number {
  const number = numberOf(word)
  return number > HITS ? 0 : number
}

/** Returns the one number in a message, and its other words; undefined without one, or with several. */
function countIn(tokens: Token[]) {
  const [count, ...more] = tokens.flatMap(({ word }) => numberOf(word) || [])
  return count && !more.length ? { count, others: tokens.filter(({ word }) => !numberOf(word)) } : undefined
}

function commandOf(meaning: Meaning, circumstances: Circumstances): Command | null {
  const { language: own = 'en', isQuoting = false, hasTextModel = false } = circumstances
  switch (meaning.intent) {
    case 'thanks':
    case 'no':
      return null
    case 'yes':
      return { name: 'choose' }
    case 'help':
    case 'minutes':
      return meaning.intent
    case 'summary':
      return hasTextModel ? { name: 'summary' } : 'hint'
    case 'translate':
      return hasTextModel ? { name: 'translate', language: meaning.language ?? own } : 'hint'
    case 'write':
      return { name: 'language', uiLanguage: uiLanguageOf(meaning.language) }
    case 'language': {
      const { language } = meaning
      return isQuoting
        ? { name: 'again', language }
        : { name: 'language', uiLanguage: uiLanguageOf(language) }
    }
    case 'which': {
      const { language } = meaning
      if (!hasTextModel) return isQuoting ? { name: 'again', language } : 'hint'
      return { name: isQuoting ? 'which' : 'translate', language }
    }
    case 'again':
      return { name: 'again', language: meaning.language }
    case 'delete':
    case 'undo':
    case 'share':
    case 'latest':
    case 'speakers':
      return { name: meaning.intent }
    default:
      return { name: 'export', format: meaning.intent }
  }
}

/** Whether a text is NO and nothing else, in any case and punctuation. */
export const saysNo = (text: string | null): boolean => NOES.has(plain(text ?? ''))
