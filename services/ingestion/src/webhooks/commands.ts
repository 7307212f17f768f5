import type { ChatCommand, NoteCommand } from '@voxscribe/contracts/events'
import { CHAT_HITS, COMMAND_WORDS_MAX, QUESTION_MAX } from '@voxscribe/contracts/limits'
import { tagIn, tagsAlone } from '@voxscribe/contracts/tags'
import { oneLine } from '@voxscribe/contracts/wording'
import { type UiLanguage, uiLanguageOf } from '@voxscribe/languages'
import { COMMANDS, commandFor, type Intent, isFileIntent } from '@voxscribe/languages/chat'
import { isOfSeveral, isSmallTalk, type Meaning, meaningOf } from './chat-grammar.ts'
import { DISTANCES, type Lexicon, lexiconsFor, NOES } from './chat-lexicon.ts'
import { isForOthers, isNoOrder, isPromise, orderWithReason } from './chat-orders.ts'
import { askedIn, isQuestion, namedIn, searchedIn, titleIn } from './chat-search.ts'
import { plain, type Token, tokensOf } from './chat-tokens.ts'
import { languageOfCode } from './language-names.ts'

/** A command, or the choice of a language; undefined: one that the product lacks. */
export type Command = ChatCommand | NoteCommand | { name: 'language'; uiLanguage: UiLanguage | undefined }

/** A longer message isn't a command; the longest command is a question after "ask". */
export const LETTERS_MAX = QUESTION_MAX + 20

interface Circumstances {
  language?: UiLanguage | undefined
  isQuoting?: boolean
  /** Whether summaries and translations are offered. */
  hasTextModel?: boolean
}

/** Lines that WhatsApp shows as quotes; they repeat an earlier text. */
const QUOTED = /^>.*$/gm

/** Reads a text as a command in any of the product's languages; null for thanks, no or emoji, which ask nothing. */
export function commandIn(message: string, circumstances: Circumstances = {}): Command | null {
  const text = message.replace(QUOTED, '')
  const tokens = text.length > LETTERS_MAX ? [] : tokensOf(text)
  if (!tokens.length) return /[?؟\p{L}\p{N}]/u.test(message) ? 'hint' : null
  const { language = 'en', isQuoting = false, hasTextModel = false } = circumstances
  const tags = tagsAlone(text)
  const tag = tags.length ? ({ name: 'tag', tags } as const) : undefined
  if (tag && isQuoting) return tag
  const written = tokens.map(({ from, to }) => text.slice(from, to))
  const code = isQuoting && tokens.length === 1 ? languageOfCode(written[0]!) : undefined
  if (code) return { name: 'again', language: code }
  const lexicons = lexiconsFor(language)
  const counted = tokens.length > COMMAND_WORDS_MAX ? undefined : countIn(tokens)
  const small = counted && lexicons[0].spelledOut(counted.others)
  // A number with a word for several notes isn't the number of a search hit.
  if (
    small &&
    counted.count <= CHAT_HITS &&
    !isOfSeveral(small, lexicons[0]) &&
    isSmallTalk(small, lexicons[0], ['light'])
  )
    return { name: 'open', hit: counted.count }
  // A message that begins like talk in the person's own language isn't a command in another one.
  const own = lexicons[0].spelledOut(tokens)
  if (lexicons[0].isTalk(own) || isForOthers(text, own, lexicons[0])) return 'hint'
  // An exact word in any language wins over inflected forms; typos count in the person's own language only.
  for (const distance of DISTANCES) {
    for (const lexicon of distance === 'slip' ? lexicons.slice(0, 1) : lexicons) {
      const said = lexicon.spelledOut(tokens)
      const title = titleIn(text, said, lexicon)
      if (title) return { name: 'title', title }
      const isShort = tokens.length <= COMMAND_WORDS_MAX
      const whole = isShort ? meaningOf(said, lexicon, distance) : undefined
      const reasoned =
        isShort && (!whole || whole.intent === 'undo')
          ? orderWithReason(text, said, lexicon, distance)
          : undefined
      const meaning = reasoned?.meaning ?? whole
      if (meaning) {
        const asksOfNone = !isQuoting && /[?؟]\s*$/.test(text)
        const [from, to] = [reasoned?.said[0]?.from ?? 0, reasoned?.said.at(-1)?.to ?? text.length]
        // The words beside it may be an order, too, in any language: "resumen, delete it".
        const beside = reasoned ? `${text.slice(0, from)} ${text.slice(to)}` : ''
        if (isOrder(commandIn(beside, circumstances))) return 'hint'
        const ordered = tokens.filter(token => token.from >= from && token.to <= to)
        const isStatement = [lexicons[0], lexicon].some(each => {
          const words = each.spelledOut(ordered)
          return isNoOrder(meaning.intent, each.known(words, distance) ?? words, each, asksOfNone)
        })
        if (isStatement || isPromise(meaning.intent, own, lexicons[0])) return 'hint'
        // "And in German?" may sound like "it's in German", but a question doesn't correct us.
        const isAsked = meaning.intent === 'again' && meaning.language && /[?؟]\s*$/.test(text)
        return commandOf(isAsked ? { ...meaning, intent: 'which' } : meaning, circumstances)
      }
      const question = distance === 'exact' ? askedIn(text, said, lexicon) : undefined
      if (question !== undefined) return { name: 'ask', question }
      const form = distance === 'exact' && hasTextModel ? namedIn(text, said, lexicon, 'form') : undefined
      if (form !== undefined) return { name: 'form', form }
      const named = isQuoting && distance === 'exact' ? namedBy(text, said, lexicon, lexicons[0]) : undefined
      if (named) return named
      // No other command takes a number.
      const others = counted && lexicon.spelledOut(counted.others)
      if (others && meaningOf(others, lexicon, distance)?.intent === 'speakers')
        return { name: 'speakers', count: counted.count }
      // Without a text model to read it, the person needs to be told that the search is too long.
      const mayBeLong = !hasTextModel && !isShort && lexicon === lexicons[0] && distance === 'exact'
      const words = searchedIn(text, said, lexicon, distance, mayBeLong)
      if (words !== undefined) return { name: 'find', words }
      // Small words of the person's own language aren't a command in another one.
      if (lexicon === lexicons[0] && isSmallTalk(said, lexicon)) return 'hint'
    }
  }
  // A reply without a question mark may be an exclamation: "what a bore".
  if ((!isQuoting || /[?？؟]/.test(text)) && isQuestion(text, lexicons[0].spelledOut(tokens), lexicons[0]))
    return { name: 'ask', question: oneLine(text) }
  const isChoice =
    !isQuoting && tokens.length < 3 && lexicons.some(lexicon => lexicon.isLanguage(tokens[0]!.word))
  if (isChoice) return { name: 'language', uiLanguage: uiLanguageOf(languageOfCode(written[1] ?? '') ?? '') }
  // "#1" is a search hit.
  return tag && /\p{L}/u.test(text) ? tag : 'hint'
}

/** Whether a command isn't just talk, a question, or the regret that follows a deletion. */
const isOrder = (command: Command | null): boolean =>
  command !== null &&
  command !== 'hint' &&
  (typeof command === 'string' || !['ask', 'choose', 'undo'].includes(command.name))

/** Reads a reply that names or tags its note without a colon or a `#`. */
function namedBy(text: string, tokens: Token[], lexicon: Lexicon, own: Lexicon): Command | undefined {
  const title = namedIn(text, tokens, lexicon, 'title')
  if (title) return { name: 'title', title }
  const words = namedIn(text, tokens, lexicon, 'tag')?.split(',')
  // "Tag this" contains no tag.
  const isNone = (each: Lexicon) => words && isSmallTalk(tokensOf(words.join(' ')), each)
  if (isNone(lexicon) || isNone(own)) return undefined
  const tags = tagsAlone((words ?? []).map(word => `#${tagIn(word.trim())}`).join(' '))
  return tags.length ? { name: 'tag', tags } : undefined
}

/** Separates two commands of one message; the spaces around it are trimmed later. */
const AND =
  /[,;+&\n]\s*(?:(?:and|und|et|y|e|dan|aur|और)\s)?|\s(?:and(?: then)?|then|plus|und(?: dann)?|et(?: puis)?|y|e(?: poi)?|dan|terus|lalu|aur|और|ثم)\s|\sو/iu
/** Returns the kind of a command that may be combined; [] for one that deletes, cancels or chooses. */
function kindOf(command: Command | null): string[] {
  if (!command || typeof command === 'string') return []
  if (command.name === 'export') return [command.format]
  const isJoined = command.name in COMMANDS && commandFor(command.name as Intent).isJoined
  return isJoined || command.name === 'title' || command.name === 'tag' ? [command.name] : []
}

/** Reads a text as one command, or as two clear ones of different kinds. */
export function commandsIn(text: string, circumstances: Circumstances = {}): (Command | null)[] {
  const whole = commandIn(text, circumstances)
  const isQuestion = whole !== null && typeof whole !== 'string' && whole.name === 'ask'
  if ((whole !== 'hint' && !isQuestion) || text.length > LETTERS_MAX) return [whole]
  const parts = text
    .split(AND)
    .map(part => part.trim())
    .filter(Boolean)
  const commands = parts.length === 2 ? parts.map(part => commandIn(part, circumstances)) : []
  const kinds = commands.flatMap(kindOf)
  return kinds.length === 2 && kinds[0] !== kinds[1] ? commands : [whole]
}

/** Returns the value of a digit from 1 to 6; 0 for any other word. */
const numberOf = (word: string): number => (/^[1-6]$/.test(word) ? Number(word) : 0)

/** Returns the only number in a message, and its other words; undefined without one, or with several. */
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
    case 'plan':
      return meaning.intent
    case 'summary':
      return hasTextModel ? { name: 'summary' } : 'hint'
    case 'todo':
      return hasTextModel ? { name: isQuoting ? 'summary' : 'todo' } : 'hint'
    case 'translate':
      return hasTextModel ? { name: 'translate', language: meaning.language ?? own } : 'hint'
    case 'turn':
      if (isQuoting && hasTextModel) return { name: 'translate', language: meaning.language }
      return { name: 'language', uiLanguage: uiLanguageOf(meaning.language) }
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
    case 'rewrite':
      if (!isQuoting) return { name: 'language', uiLanguage: uiLanguageOf(meaning.language) }
      return { name: hasTextModel ? 'which' : 'again', language: meaning.language }
    // As a reply, "she speaks Italian" corrects us; otherwise it may be about anybody.
    case 'speaker':
      return isQuoting ? { name: 'again', language: meaning.language } : 'hint'
    case 'again':
      if (meaning.language) return { name: 'again', language: meaning.language }
      return isQuoting ? { name: 'choose', isRetry: true } : 'hint'
    default:
      return isFileIntent(meaning.intent)
        ? { name: 'export', format: meaning.intent }
        : { name: meaning.intent }
  }
}

/** Whether a text is just NO, in any case and punctuation. */
export const saysNo = (text: string | null): boolean => NOES.has(plain(text ?? ''))
