import { MEDIA_ENDINGS } from '../knowledge/media.ts'

export interface ReadFile {
  /** Name in the export's file list, or else in the message's line; null if the export omitted the file. */
  name: string | null
  omitted: boolean
}

export interface ReadMessage {
  /** Unix time, milliseconds. */
  at: number
  /** Index of the author in `people`; null for a notice. */
  person: number | null
  kind: 'text' | 'note' | 'file' | 'deleted' | 'system'
  text: string
  edited: boolean
  file: ReadFile | null
}

export interface ReadPerson {
  /** Identifies a person: the name in WhatsApp, the id in Telegram. */
  key: string
  name: string
}

export interface ReadChat {
  people: ReadPerson[]
  messages: ReadMessage[]
  /** Null if the year comes first, or if the format leaves no doubt. */
  dayFirst: boolean | null
  ambiguous: boolean
}

export interface ChatExport {
  source: 'whatsapp' | 'telegram'
  text: string
  /** Names of the export's files. */
  files: string[]
  dayFirst?: boolean | undefined
  timeZone: string
}

export type Unreadable =
  | 'chat_unknown'
  | 'chat_empty'
  | 'chats_many'
  | 'messages_many'
  | 'message_long'
  | 'people_many'

/** Thrown for a text that is not the export of a single chat. `line`: the first unreadable line, counted from 1. */
export class ChatUnreadable extends Error {
  readonly reason: Unreadable
  readonly line: number

  constructor(reason: Unreadable, line = 1) {
    super(`${reason} at line ${line}`)
    this.reason = reason
    this.line = line
  }
}

export const MESSAGES_MAX = 200_000
const PEOPLE_MAX = 10_000
/** UTF-16 units of a message; messengers take 65,536 characters at most. */
export const MESSAGE_MAX = 1_000_000

/** Extensions of videos, including those that audio recordings share. */
const VIDEO_EXTENSIONS = new Set(
  'asf avi flv m2ts m4v mkv mov mp4 mpe mpeg mpg mts mxf ogv ogx qt ts vob webm wmv 3gp 3g2'.split(' '),
)
const AUDIO_EXTENSIONS = new Set(MEDIA_ENDINGS.filter(ending => !VIDEO_EXTENSIONS.has(ending)))

/** Whether a file is an audio recording, judged by its extension. */
export const isRecording = (name: string): boolean =>
  AUDIO_EXTENSIONS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())

export const withoutMarks = (text: string): string => text.replace(/\p{Bidi_Control}/gu, '')

/** Numbers people in the order in which they first write. */
export function createPeople() {
  const people: ReadPerson[] = []
  const places = new Map<string, number>()
  return {
    people,
    of(key: string, name: string): number {
      const known = places.get(key)
      if (known !== undefined) return known
      if (people.length === PEOPLE_MAX) throw new ChatUnreadable('people_many')
      places.set(key, people.length)
      return people.push({ key, name }) - 1
    },
  }
}

/** Returns a function that finds a line's file in the export, where names may differ by folder or normal form. */
export function createFileNames(files: string[]) {
  const plain = (name: string) => withoutMarks(name).normalize('NFC')
  const base = (name: string) => name.slice(name.lastIndexOf('/') + 1)
  const whole = new Map(files.map(name => [plain(name), name]))
  const alone = new Map(files.map(name => [base(plain(name)), name]))
  return (name: string): string | undefined => whole.get(plain(name)) ?? alone.get(base(plain(name)))
}
