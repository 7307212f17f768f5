// A thread: reads a chat's export for `reading.ts`, as a long one takes seconds.
import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { ChatUnreadable, type ReadPerson, type Unreadable } from '@voxscribe/contracts/chat'
import { ConversationBody, type FieldError } from '@voxscribe/contracts/http'
import { CHAT_BYTES_MAX } from '@voxscribe/contracts/limits'
import { readChat } from '@voxscribe/contracts/read-chat'
import { readBy } from '@voxscribe/service/bad-input'
import type { z } from 'zod'
import { type ListedFile, type Part, partsOf } from './parts.ts'
import { joinedText } from './relation.ts'

/** Facts that are sent with a chat's text, and its length in UTF-8. */
export type Opened = Omit<z.output<typeof ConversationBody>, 'text' | 'files'> &
  Pick<ListedFile, 'bytes' | 'sha256'>

/** Facts that are found in a chat's text. */
export interface Found extends Pick<Opened, 'bytes' | 'sha256'> {
  people: (ReadPerson & { messages: number })[]
  /** Unix times, milliseconds. */
  from: number
  to: number
  messages: number
  notes: number
  dayFirst: boolean | null
  ambiguous: boolean
}

/** Reason why a chat is refused. */
export type Why =
  | { code: 'not_json' | 'too_large' }
  | { code: 'invalid'; errors: FieldError[] }
  | { code: Unreadable; line: number }

class Refused extends Error {
  readonly why: Why
  constructor(why: Why) {
    super(why.code)
    this.why = why
  }
}

/** Pieces still to send, one per call, so that the receiver is never blocked. */
let left: Generator<Part> | undefined
/** Pieces of a text that is stored. */
let earlier: string[] = []
let chat: Opened & { text: string; files: ListedFile[] }

/** Keeps the first of several files with one name. */
const unique = (files: ListedFile[]): ListedFile[] =>
  [...new Map(files.toReversed().map(file => [file.name, file])).values()].toReversed()

function earlierText(): string {
  const text = earlier.join('')
  earlier = []
  return text
}

function opened(): Opened {
  const { text: _text, files: _files, ...about } = chat
  return about
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch {
    throw new Refused({ code: 'not_json' })
  }
}

const reader = {
  open(body: Uint8Array): Opened {
    const { data, errors } = readBy(ConversationBody, jsonIn(body))
    if (errors) throw new Refused({ code: 'invalid', errors })
    const bytes = Buffer.byteLength(data.text)
    if (bytes > CHAT_BYTES_MAX) throw new Refused({ code: 'too_large' })
    chat = { ...data, files: unique(data.files), bytes, sha256: hash('sha256', data.text) }
    return opened()
  },

  earlier(text: string): void {
    earlier.push(text)
  },

  reopen(given: Opened & { files: ListedFile[] }): Opened {
    chat = { ...given, text: earlierText() }
    return opened()
  },

  join(isSame: boolean, files: ListedFile[]): 'other' | 'known' | 'longer' {
    const stored = isSame ? chat.text : earlierText()
    const text = joinedText(chat.source, stored, chat.text)
    if (text === undefined) return 'other'
    const known = new Set(files.map(({ name }) => name))
    const hasMore = chat.files.some(({ name }) => !known.has(name))
    if (text === stored && !hasMore) return 'known'
    const all = unique([...files, ...chat.files])
    chat = { ...chat, text, files: all, bytes: Buffer.byteLength(text), sha256: hash('sha256', text) }
    return 'longer'
  },

  read(): Found {
    const { source, text, files, timeZone, bytes, sha256 } = chat
    const names = files.map(({ name }) => name)
    const found = readChat({ source, text, files: names, dayFirst: chat.dayFirst, timeZone })
    const counts = found.people.map(() => 0)
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { at, person } of found.messages) {
      if (person !== null) counts[person]! += 1
      from = Math.min(from, at)
      to = Math.max(to, at)
    }
    const { notes, parts } = partsOf(text, found, files)
    left = parts
    const people = found.people.map((person, index) => ({ ...person, messages: counts[index]! }))
    const { dayFirst, ambiguous } = found
    const messages = found.messages.length
    return { people, from, to, messages, notes, dayFirst, ambiguous, bytes, sha256 }
  },

  next: (): Part | undefined => left!.next().value,
}
export type Reader = typeof reader

function answerTo({ name, given }: { name: keyof Reader; given: never[] }) {
  try {
    return { value: (reader[name] as (...given: never[]) => unknown)(...given) }
  } catch (error) {
    if (error instanceof Refused) return { why: error.why }
    if (error instanceof ChatUnreadable) return { why: { code: error.reason, line: error.line } }
    throw error
  }
}

parentPort!.on('message', message => parentPort!.postMessage(answerTo(message)))
