import { readFileSync } from 'node:fs'
import { UI_LANGUAGES, type UiLanguage } from './i18n.ts'

/** Words and phrases, separated by commas, each parsed in the same way as a chat message. */
type Phrases = string

export interface IntentWords {
  /** Verbs used alone, or with the object of the command. */
  verbs?: Phrases
  /** Nouns used alone, or with a verb such as "give me". */
  nouns?: Phrases
  /** Modifiers: they mean nothing without another word. */
  with?: Phrases
  /** For `help`, `minutes` and `latest`, next to a question word: what people do here, what is left, what they sent. */
  about?: Phrases
}

interface ChatCommand {
  /** Label in a messenger's menu of commands. */
  menu?: string
  /** Sends the text as a file of this kind. */
  isFile?: true
  /** Deletes or shares, so its words must mean a single note and are taken literally. */
  isOfOne?: true
  /** Typos accepted in its words: none, or two letters in the wrong order; default: any. */
  slips?: 'never' | 'order'
  /** Can be combined with another command in one message. */
  isJoined?: true
}

/** Commands of the chat, in the order of the menu. Their rules are in transcription's `note-commands.ts`. */
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

/** Words that people type in the chat in one language: `chat/<language>.json`. */
export interface ChatWords {
  /** Short and careless spellings, each followed by the words that it stands for: "u you". */
  spelled: Phrases
  /** Politeness, greetings and small words, which don't change the meaning. */
  polite: Phrases
  /** Pronouns, articles, and words for the note. */
  note: Phrases
  /** The same for several notes or all: commands that delete or share never act on more than one. */
  plural: Phrases
  /** Verbs that need a noun: give, send, make. */
  light: Phrases
  /** Words used next to a kind of file. */
  files: Phrases
  /** People for whom something is requested, and purposes of it. */
  people: Phrases
  /** Precede the people for whom an order is; in Hindi, they follow. */
  whom: Phrases
  /** Subjects of sentences that aren't orders: these delete, share and restore nothing. */
  subjects: Phrases
  /** Begin the reason that follows an order: "I", "because". */
  reasons: Phrases
  /** Say that the person is going to do something: nothing is asked for. */
  promises: Phrases
  /** Ask how to do something, or whether it is possible: only an order deletes or shares. */
  asking: Phrases
  yes: Phrases
  /** NO and nothing else, which also rejects an account's claim. */
  no: Phrases
  /** Other ways to say no. */
  declined: Phrases
  thanks: Phrases
  /** Agreement and praise, which don't ask for anything either. */
  praise: Phrases
  intents: Record<Intent, IntentWords>
  languages: {
    /** Additional names of languages, each followed by its id. */
    names: Phrases
    /** Precede (in Hindi, follow) the language to translate into, and the language to translate from. */
    into: Phrases
    from: Phrases
    /** State which language was spoken: "it was". */
    spoken: Phrases
    /** Ask for another transcription. */
    again: Phrases
    language: Phrases
    /** Ask to be written to in a language. */
    write: Phrases
    /** Next to a language's name: ask what the note says in that language. */
    meaning: Phrases
    /** Ask to switch to a language: translates a quoted note, otherwise changes the language of our texts. */
    turn: Phrases
    /** Precede the language that it was not; `notBehind`: follow it, in Hindi. */
    not?: Phrases
    notBehind?: Phrases
  }
  /**
   * `last`: verbs that follow the words to search for. `about`: link a noun for notes to these words; in Hindi,
   * `aboutBehind`. `drop`: words around these that are ignored. `needed`: phrases
   * such as "I need to", after which only something called a note is searched for.
   */
  find: {
    verbs: Phrases
    last?: Phrases
    about?: Phrases
    aboutBehind?: Phrases
    drop: Phrases
    needed: Phrases
  }
  /**
   * `verbs` precede a question; `questions` begin one; `inside` may stand anywhere in it. `facts`: question words for
   * things that people note down, next to a word for such a thing. `said` and `noted`: verbs of telling, and others;
   * `days`, and what else is noted: any question with these is a question to the notes, and so is `whether` somebody
   * said something, where `somebody` is not named. Not if it is addressed to us (`us`, `usEndings`), or, without
   * another person in it, if it is about what we have and do (`ours`).
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
  /** Precede a colon and the new title. */
  title: Phrases
  /** Precede a form, or a new title or tag without a colon; `…Open` and `…End` surround it. */
  naming: Partial<Record<`${Named}${'' | 'Open' | 'End'}`, Phrases>>
  /** Pronouns written as one word with another: in front of it (`beginnings`) or behind it (`endings`). */
  beginnings?: Phrases
  endings: Phrases
  /** Beginnings of sentences that are never commands. */
  talk: Phrases
}

/** Returns the chat words of each language of the product. */
export const readChatWords = (): Record<UiLanguage, ChatWords> =>
  Object.fromEntries(
    UI_LANGUAGES.map(language => [
      language,
      JSON.parse(readFileSync(new URL(`../chat/${language}.json`, import.meta.url), 'utf8')),
    ]),
  ) as Record<UiLanguage, ChatWords>
