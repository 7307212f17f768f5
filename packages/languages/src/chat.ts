import { readFileSync } from 'node:fs'
import { UI_LANGUAGES, type UiLanguage } from './i18n.ts'

/** Words and phrases, separated by commas; each is read as a message of the chat is. */
type Phrases = string

export interface IntentWords {
  /** Said alone, or with what the command is about. */
  verbs?: Phrases
  /** Asked for alone, or with a verb such as "give me". */
  nouns?: Phrases
  /** Modifiers: they mean nothing without another word. */
  with?: Phrases
  /** Beside a word that asks, of `help`, `minutes` and `latest`: what one does here, what is left, what one sent. */
  about?: Phrases
}

interface ChatCommand {
  /** Its line in a messenger's menu of commands. */
  menu?: string
  /** It sends the text as a file of this kind. */
  isFile?: true
  /** Its words are about a single note, and as they are written: it deletes or shares. */
  isOfOne?: true
  /** Slips in its words: none, or the order of two letters; any by default. */
  slips?: 'never' | 'order'
  /** One message may ask for it together with another. */
  isJoined?: true
}

/** Commands of the chat, in the order of the menu. Each does what its rule in transcription's `note-commands.ts` says. */
export const COMMANDS = {
  latest: { menu: /*i18n*/ 'Your newest notes' },
  txt: { isFile: true, isJoined: true, menu: /*i18n*/ 'Text file' },
  docx: { isFile: true, isJoined: true },
  srt: { isFile: true, isJoined: true },
  pdf: { isFile: true, isJoined: true },
  md: { isFile: true, isJoined: true },
  share: { isOfOne: true, slips: 'order', isJoined: true, menu: /*i18n*/ 'Link to share' },
  speakers: { slips: 'order', isJoined: true, menu: /*i18n*/ 'Text by speaker' },
  summary: { isJoined: true },
  todo: {},
  translate: { isJoined: true },
  minutes: { menu: /*i18n*/ 'Minutes left' },
  plan: {},
  delete: { isOfOne: true, slips: 'never' },
  undo: { menu: /*i18n*/ 'Undo a deletion' },
  cancel: {},
  help: { menu: /*i18n*/ 'Help' },
} as const satisfies Record<string, ChatCommand>
export type Intent = keyof typeof COMMANDS
export type FileIntent = { [I in Intent]: (typeof COMMANDS)[I] extends { isFile: true } ? I : never }[Intent]

export const INTENTS = Object.keys(COMMANDS) as Intent[]
export const commandFor = (intent: Intent): ChatCommand => COMMANDS[intent]
export const isFileIntent = (intent: Intent): intent is FileIntent => Boolean(commandFor(intent).isFile)

/** Things that a message may name. */
export type Named = 'title' | 'tag' | 'form'

/** The words that people of one language type in the chat: `chat/<language>.json`. */
export interface ChatWords {
  /** Short and careless spellings of a word, each with the words that it is behind it: "u you". */
  spelled: Phrases
  /** Politeness, greetings and small words, which change nothing. */
  polite: Phrases
  /** Pronouns, articles, and words for the note. */
  note: Phrases
  /** The same for several or all: what deletes or shares is never about more than one note. */
  plural: Phrases
  /** Verbs that need a noun: give, send, make. */
  light: Phrases
  /** Words beside a kind of file. */
  files: Phrases
  /** Those whom what is asked for is for, and what it is for. */
  people: Phrases
  /** Before those whom an order is for; in Hindi behind them. */
  whom: Phrases
  /** Subjects of sentences that are no orders: nothing is deleted, shared or brought back for these. */
  subjects: Phrases
  /** Begins the reason of an order that stands before it: "I", "because". */
  reasons: Phrases
  /** Asks how something is done, or whether it can be: what deletes or shares is only done for an order. */
  asking: Phrases
  yes: Phrases
  /** NO and nothing else: it objects to an account, too. */
  no: Phrases
  /** Other ways to say no. */
  declined: Phrases
  thanks: Phrases
  /** Agreement and praise, which ask for nothing either. */
  praise: Phrases
  intents: Record<Intent, IntentWords>
  languages: {
    /** More names of languages, each with its id behind it. */
    names: Phrases
    /** Before (in Hindi behind) the language to translate into, and the one to translate from. */
    into: Phrases
    from: Phrases
    /** Says which language was spoken: "it was". */
    spoken: Phrases
    /** Asks to transcribe again. */
    again: Phrases
    language: Phrases
    /** Asks to be written to in a language. */
    write: Phrases
    /** Beside a name: asks what the note says in that language. */
    meaning: Phrases
    /** Asks to change to a language: of a note that is quoted a translation, else what we write. */
    turn: Phrases
    /** Before the language that it was not, and behind it in Hindi. */
    not?: Phrases
    notBehind?: Phrases
  }
  /**
   * `last`: verbs that stand behind the words to search for; `drop`: words round them; `needed`: what one has to find is a note only
   * where one says so.
   */
  find: { verbs: Phrases; last?: Phrases; drop: Phrases; needed: Phrases }
  /**
   * `verbs`: before a question; `questions`: words with which one begins; `inside`: those that stand anywhere in it;
   * `facts`: those of them that ask for what one notes down, beside a word for it; `said` and `noted`: verbs of telling, and others,
   * days and what else is noted: any question with these is one to the notes. `whether` somebody said something, too; `somebody`
   * is one whom it does not name. But not where it is put to us (`us`, `usEndings`), and not without another person where it is
   * about what we have and do (`ours`).
   */
  ask: {
    verbs: Phrases
    questions?: Phrases
    inside?: Phrases
    facts: Phrases
    whether?: Phrases
    said: Phrases
    noted: Phrases
    days: Phrases
    somebody: Phrases
    us: Phrases
    usEndings?: Phrases
    ours: Phrases
  }
  /** Before a colon and the new title. */
  title: Phrases
  /** Before a form, or a new title or tag without a colon; `…Open` and `…End` stand round it. */
  naming: Partial<Record<`${Named}${'' | 'Open' | 'End'}`, Phrases>>
  /** Pronouns that are written together with a word: in front of it, and behind it. */
  beginnings?: Phrases
  endings: Phrases
  /** Beginnings of sentences that are no command, whatever follows. */
  talk: Phrases
}

/** Returns the words of each language of the product. */
export const readChatWords = (): Record<UiLanguage, ChatWords> =>
  Object.fromEntries(
    UI_LANGUAGES.map(language => [
      language,
      JSON.parse(readFileSync(new URL(`../chat/${language}.json`, import.meta.url), 'utf8')),
    ]),
  ) as Record<UiLanguage, ChatWords>
