import { MEDIA_ENDINGS } from '../knowledge/media.ts'

export interface ReadFile {
  /** As the export's list of files has it, or else as the line has it; null where it was left out. */
  name: string | null
  omitted: boolean
}

export interface ReadMessage {
  /** Unix time, milliseconds. */
  at: number
  /** Index of who wrote it among the people; null for a notice. */
  person: number | null
  kind: 'text' | 'note' | 'file' | 'deleted' | 'system'
  text: string
  edited: boolean
  file: ReadFile | null
}

export interface ReadPerson {
  /** Tells people apart: a name in WhatsApp, an id in Telegram. */
  key: string
  name: string
}

export interface ReadChat {
  people: ReadPerson[]
  messages: ReadMessage[]
  /** Null where the year stands first, or dates are no question. */
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

/** A text that is no export of one chat. `line`: the first one that can't be read, counted from 1. */
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

/** Endings that films share with recordings, and of films alone. */
const FILMS = new Set(
  'asf avi flv m2ts m4v mkv mov mp4 mpe mpeg mpg mts mxf ogv ogx qt ts vob webm wmv 3gp 3g2'.split(' '),
)
const SOUNDS = new Set(MEDIA_ENDINGS.filter(ending => !FILMS.has(ending)))

/** Whether a file is a recording, by its ending. */
export const isRecording = (name: string): boolean =>
  SOUNDS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())

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

/** Finds a line's file in the export's list, whose names may have a folder, and letters in another normal form. */
export function createFileNames(files: string[]) {
  const plain = (name: string) => withoutMarks(name).normalize('NFC')
  const base = (name: string) => name.slice(name.lastIndexOf('/') + 1)
  const whole = new Map(files.map(name => [plain(name), name]))
  const alone = new Map(files.map(name => [base(plain(name)), name]))
  return (name: string): string | undefined => whole.get(plain(name)) ?? alone.get(base(plain(name)))
}
